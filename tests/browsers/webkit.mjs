// WebKitGTK, driven by its own WebDriver, on a screen that nobody sees (the suite runs under xvfb-run). What this engine lacks by
// default (relaxed SIMD, threads, JSPI, WebGPU) makes it the test of the variant that runs everywhere. It is not Safari.

import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { Builder, Capabilities } from 'selenium-webdriver';

const DRIVER = process.env.WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver';

/** The window that Debian's package brings lies in a folder named after the machine. */
function miniBrowser() {
  const { arch } = process;
  const triple = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[arch];
  const path = process.env.WEBKIT ?? `/usr/lib/${triple}/webkit2gtk-4.1/MiniBrowser`;
  if (!existsSync(path)) throw new Error(`There is no browser at ${path}; call ./run setup webkit.`);
  return path;
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function answers(address) {
  for (let i = 0; i < 100; i++) {
    if (await fetch(`${address}/status`).then(({ ok }) => ok, () => false)) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${DRIVER} does not answer`);
}

/** A window on one page. `evaluate`: an expression in the page; a promise is awaited, an error thrown here. */
export async function startWebKit({ environment = {} } = {}) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const program = spawn(DRIVER, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', ...environment },
  });
  await answers(address);
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
  });
  const driver = await new Builder().usingServer(address).withCapabilities(capabilities).build();
  await driver.manage().setTimeouts({ script: 300_000, pageLoad: 60_000 });
  return {
    name: 'WebKitGTK',
    version: async () => (await driver.getCapabilities()).getBrowserVersion(),
    open: (url) => driver.get(url),
    evaluate: async (expression) => {
      const { value, error } = await driver.executeAsyncScript(
        `const done = arguments[arguments.length - 1];
         Promise.resolve().then(() => (${expression})).then((value) => done({ value }), (error) => done({ error: String(error) }));`,
      );
      if (error) throw new Error(error);
      return value;
    },
    click: ({ x, y }) => driver.actions().move({ x, y }).click().perform(),
    screenshot: async (path) => (await import('node:fs')).writeFileSync(path, await driver.takeScreenshot(), 'base64'),
    close: async () => {
      await driver.quit().catch(() => undefined);
      program.kill();
    },
  };
}
