// Headless Chromium on this checkout. Each engine has a page of its own, which stays open and is asked again and again.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { serve } from '../../tools/serve.mjs';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows'];

export async function startBrowser(root) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error(`There is no browser at ${executablePath}; call ./run setup browser.`);
  const server = await serve({ root: resolve(root), port: 9300 });
  const browser = await chromium.launch({ executablePath, args: ARGS });

  /** Opens page/NAME.mjs: what it exports can be called by name. */
  async function open(name) {
    const page = await browser.newPage();
    page.on('crash', () => console.error(`the page of ${name} has crashed`));
    await page.goto(`http://localhost:${server.port}/tests/bench/page/index.html`);
    await page.evaluate(async (file) => (globalThis.engine = await import(file)), `./${name}.mjs`);
    return {
      call: (verb, ...args) => page.evaluate(([v, a]) => globalThis.engine[v](...a), [verb, args]),
      close: () => page.close(),
    };
  }

  /** The built site, on a page of a browser that was never there; `sent()`: the bytes that came over the wire. */
  async function visit(prepare) {
    const folder = join(resolve(root), 'build', 'site');
    if (!existsSync(folder)) throw new Error(`There is no ${folder}: call ./run build.`);
    const site = await serve({ root: folder, port: 9400 });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
    const page = await context.newPage();
    if (prepare) await prepare(page);
    return {
      page,
      address: `http://localhost:${site.port}`,
      sent: site.sent,
      close: async () => {
        await context.close();
        site.close();
      },
    };
  }

  return {
    open,
    visit,
    version: browser.version(),
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}
