// By hand, where PyTorch is: every script that the page hands out runs on a file of weights that the program `attn` has saved, and
// computes every named step of a run again, in correct and in book mode. Needs build/bin/attn.
//   [PYTHON=…] node tests/parity/take_home.mjs [ATTN]

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repo = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const web = `${repo}/web`;
const program = process.argv[2] ?? `${repo}/build/bin/attn`;
const { runnerImport } = await import(`${web}/node_modules/vite/dist/node/index.js`);
const load = async (path) =>
  (await runnerImport(`${web}/${path}`, { root: web, configFile: false, logLevel: 'error' })).module;
const { scripts } = await load('pages/pytorch.ts');
const { DATA, filled, repeats, words } = await load('src/page/takeaway/script.ts');
const script = scripts(repo);
const folder = mkdtempSync(join(tmpdir(), 'take-home-'));

const attn = (...args) =>
  JSON.parse(execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] }));

const PAIRS = `Go.\tVa !\nI lost.\tJ'ai perdu.\nHe's calm.\tIl est calme.\nI'm home.\tJe suis chez moi.\nI am at home now.\tJe suis chez moi.\n`;
const SMALL = { hidden_size: 8, layers: 2, num_steps: 8, min_frequency: 1 };
const MODELS = {
  'kernel-regression': { n: 12, seed: 3 },
  seq2seq: { ...SMALL, embed_size: 6 },
  bahdanau: { ...SMALL, embed_size: 6 },
  transformer: { ...SMALL, ffn_size: 12, heads: 2 },
};

/** A run as the page has it: its steps, and the script's end of it. */
function shown(model, config, ran, inputs) {
  const page = { file: 'unused' };
  if (model === 'kernel-regression') {
    const values = (name) => ran.steps.find((step) => step.name === name).values;
    page.data = Object.fromEntries(DATA.map((name) => [name, values(`data.${name}`)]));
    return { ...page, leave_one_out: config.leave_one_out ?? true };
  }
  return { ...page, sentence: inputs.sentence, ...words(ran.translation), given: (inputs.target ?? '') !== '' };
}

/** Calls the script's own comparison for a cell of every step. */
const EVERY = `
_cells = json.loads(pathlib.Path(sys.argv.pop()).read_text())
_one = compare
def compare(steps):
    for PAGE["step"], PAGE["cell"], PAGE["value"] in _cells:
        _one(steps)
`;

/** The cell in the middle of a tensor that is written as lists of lists. */
const middle = (values) =>
  Array.isArray(values) ? [Math.floor((values.length - 1) / 2), ...middle(values[Math.floor((values.length - 1) / 2)])] : [];

function check(model, book, inputs) {
  const [pairs, weights, input, cells, file] = ['pairs.tsv', 'w.safetensors', 'in.json', 'cells.json', 'take.py'].map((name) =>
    join(folder, name),
  );
  const options = Object.entries(MODELS[model]).flatMap(([key, value]) => ['--config', `${key}=${value}`]);
  const wantsPairs = model !== 'kernel-regression';
  writeFileSync(pairs, PAIRS);
  writeFileSync(input, JSON.stringify(inputs));
  attn('train', model, ...(wantsPairs ? ['--pairs', pairs, '--epochs', '20'] : []), ...options, ...(book ? ['--book'] : []), '--out', weights);
  const ran = attn('run', model, '--weights', weights, '--input', input, '--want', '*');
  const bytes = readFileSync(weights);
  const length = Number(bytes.readBigUInt64LE(0));
  const config = JSON.parse(JSON.parse(bytes.subarray(8, 8 + length).toString()).__metadata__.config);
  const list = ran.steps.filter(({ name }) => repeats(model, config, name)).map(({ name, values }) => {
    const cell = middle(values);
    return [name, cell, cell.reduce((part, i) => part[i], values)];
  });
  writeFileSync(cells, JSON.stringify(list));
  const page = { ...shown(model, config, ran, inputs), step: 'all', cell: [], value: 0 };
  const text = filled(script[model], `${model}\n`, page).replace('\nif __name__', `${EVERY}\nif __name__`);
  writeFileSync(file, text);
  const said = execFileSync(process.env.PYTHON ?? '/usr/bin/python3', [file, weights, ...(wantsPairs ? [inputs.sentence] : []), cells], { encoding: 'utf8' });
  const apart = [...said.matchAll(/apart by (\S+)/g)].map(([, off]) => Number(off));
  if (apart.length !== list.length) throw new Error(`${model}: ${apart.length} of ${list.length} steps compared`);
  const wrote = ran.translation?.text;
  if (wantsPairs && (inputs.target ?? '') === '' && !said.includes(`->  ${wrote}\n`)) throw new Error(`${model}: ${said.split('\n')[0]}, not ${wrote}`);
  console.log(`${model}${book ? ', book' : ''}${inputs.target ? ', target given' : ''}: ${apart.length} steps, apart by ${Math.max(...apart).toExponential(1)} at most`);
}

try {
  check('kernel-regression', false, {});
  for (const model of ['seq2seq', 'bahdanau', 'transformer'])
    for (const book of [false, true])
      for (const inputs of [{ sentence: "I'm home." }, { sentence: "I'm home.", target: "J'ai perdu." }]) check(model, book, inputs);
} finally {
  rmSync(folder, { recursive: true });
}
