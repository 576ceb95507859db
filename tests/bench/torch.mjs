// PyTorch as a peer of training, where /usr/bin/python3 has it: a process that is asked line by line.

import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PYTHON = '/usr/bin/python3';
const SCRIPT = fileURLToPath(new URL('torch_training.py', import.meta.url));

export const hasTorch = () => spawnSync(PYTHON, ['-c', 'import torch']).status === 0;

/** {sizes, train(ms), close()}, as the page of TensorFlow.js has them. */
export async function startTorch(net, pairs) {
  const child = spawn(PYTHON, [SCRIPT, net], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('PyTorch ended before it answered');
    return JSON.parse(value);
  };
  const sizes = await ask(pairs);
  return { sizes, train: (ms) => ask(ms), close: () => child.stdin.end() };
}
