// Runs the test program in a worker, as the page runs the engine, and posts how many cases failed and what it printed.

const { default: factory } = await import('../../build/wasm-gpu/attn_gpu_tests.mjs');
const lines = [];
const print = (line) => lines.push(line);
try {
  const failed = await (await factory({ print, printErr: print })).run('');
  postMessage({ failed, text: lines.join('\n') });
} catch (error) {
  postMessage({ failed: -1, text: [...lines, error.stack ?? error].join('\n') });
}
