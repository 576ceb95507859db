// Firefox, driven by WebDriver BiDi: no program besides the browser itself. FIREFOX overrides which one.

import puppeteer from 'puppeteer-core';

// WebGPU: on Linux it waits behind a preference, and software adapters are on a list of refused ones.
const WEBGPU = { 'dom.webgpu.enabled': true, 'gfx.webgpu.ignore-blocklist': true };

/** A window on one page. `evaluate`: an expression in the page; a promise is awaited, an error thrown here. */
export async function startFirefox({ preferences = {}, width = 1280, height = 900 } = {}) {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
    extraPrefsFirefox: { ...WEBGPU, ...preferences },
    defaultViewport: { width, height },
    protocolTimeout: 300_000,
  });
  const page = await browser.newPage();
  return {
    name: 'Firefox',
    version: () => browser.version(),
    open: (address) => page.goto(address, { waitUntil: 'load', timeout: 60_000 }),
    evaluate: (expression) => page.evaluate(expression),
    click: ({ x, y }) => page.mouse.click(x, y),
    screenshot: (path) => page.screenshot({ path }),
    close: () => browser.close(),
  };
}
