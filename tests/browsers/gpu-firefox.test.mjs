// The variant `gpu` in Firefox: the same test program as in Chromium (tests/gpu), on Mesa's software adapter.

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serve } from '../../tools/serve.mjs';
import { startFirefox } from './firefox.mjs';

const ROOT = resolve(fileURLToPath(new URL('../..', import.meta.url)));

test('Firefox: every op case, and the kernels on their own, within 1e-4 on WebGPU; failures', async () => {
  const { port, close } = await serve({ root: ROOT, port: 18190 });
  const browser = await startFirefox();
  try {
    await browser.open(`http://localhost:${port}/tests/gpu/index.html`);
    const { failed, text } = await browser.evaluate(`new Promise((resolve, reject) => {
      const worker = new Worker('worker.mjs', { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message));
    })`);
    assert.equal(failed, 0, text);
    assert.match(text, / 10 passed/);
    console.log(text.match(/largest error.*/g).join('\n'));
  } finally {
    await browser.close();
    close();
  }
});
