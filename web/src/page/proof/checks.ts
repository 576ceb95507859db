// What the proof page compares: for each model the named steps of its runs, their gradients, and how it learns.

import { configs, files, steps, training } from 'virtual:proof';
import type { Catalogue, Config, Reply, Requests, Verb } from '../../shared/engine';
import { Trace } from '../store/trace';
import {
  modelFile,
  type Mode,
  type Plain,
  type RegressionSteps,
  type RegressionTraining,
  type Tensors,
  type Training,
  type TranslatorSteps,
} from './goldens';
import { gradientUnit, LOSSES, Tally, VALUES, type Outcome } from './tally';

const TRANSLATORS = ['seq2seq', 'bahdanau', 'transformer'];
const REGRESSION = 'kernel-regression';
const MODES: Mode[] = ['correct', 'book'];
const SLICE_MS = 100;

/** The same as in the tests of the core. */
const TOLERANCE = { values: 1e-5, gradients: 1e-5, training: 2e-5 };

export type What = keyof typeof TOLERANCE;

/** What a check works with: the engine, and files of the site. */
export interface Bench {
  catalogue: Catalogue;
  call: <V extends Verb>(
    verb: V,
    request: Requests[V]['request'],
    bytes?: Uint8Array,
  ) => Promise<Reply<V>>;
  json: (url: string) => Promise<unknown>;
  bytes: (url: string) => Promise<Uint8Array>;
}

export interface Check {
  model: string;
  what: What;
  mode: Mode;
  tolerance: number;
  run: (bench: Bench) => Promise<Outcome>;
}

/** Every fault of the book's code that the model can be given. */
function faults({ catalogue }: Bench, model: string, mode: Mode): Config {
  const fields = catalogue.models.find(({ name }) => name === model)?.fields ?? [];
  const names = fields.map(({ name }) => name).filter((name) => name.startsWith('book_'));
  return Object.fromEntries(names.map((name) => [name, mode === 'book']));
}

/** Opens a model, and closes it whatever happens. */
async function opened<T>(
  bench: Bench,
  request: Requests['open']['request'],
  bytes: Uint8Array | undefined,
  use: (session: number) => Promise<T>,
): Promise<T> {
  const { session } = (await bench.call('open', request, bytes)).head;
  try {
    return await use(session);
  } finally {
    await bench.call('close', { session }).catch(() => undefined); // an engine that stopped has closed it
  }
}

async function run(bench: Bench, request: Requests['run']['request']): Promise<Trace> {
  return new Trace(await bench.call('run', { want: ['*'], ...request }));
}

function compareValues(tally: Tally, trace: Trace, want: Tensors): void {
  for (const [name, { values }] of Object.entries(want)) {
    const step = trace.find(name);
    tally.add(name, step && trace.values(step), values, VALUES);
  }
}

function compareGradients(tally: Tally, trace: Trace, want: Tensors): void {
  for (const [name, { values }] of Object.entries(want)) {
    const step = trace.find(name);
    tally.add(name, step && trace.values(step, true), values, gradientUnit(values));
  }
}

// ---- translators

async function translated(bench: Bench, model: string, mode: Mode, what: What): Promise<Outcome> {
  const golden = (await bench.json(steps[model]!)) as TranslatorSteps;
  const weights = await bench.bytes(files[model]!);
  const { sentence, target } = golden;
  const tally = new Tally();
  const config = faults(bench, model, mode);
  return opened(bench, { model, config }, weights, async (session) => {
    const { given, own } = golden[mode];
    if (what === 'gradients') {
      const inputs = { sentence, target };
      const trace = await run(bench, { session, inputs, gradients: true });
      compareGradients(tally, trace, given.gradients);
      return tally.outcome;
    }
    compareValues(tally, await run(bench, { session, inputs: { sentence, target } }), given.steps);
    compareValues(tally, await run(bench, { session, inputs: { sentence } }), own.steps);
    return tally.outcome;
  });
}

/** Trains to the end; what each epoch reported under the name. */
async function learned(bench: Bench, session: number, metric: string): Promise<number[]> {
  for (;;) {
    const { head } = await bench.call('train', { session, budget_ms: SLICE_MS });
    if (head.state === 'diverged') throw new Error(head.message ?? head.state);
    if (head.state === 'done') return head.history.map((epoch) => epoch[metric] ?? NaN);
  }
}

async function trained(bench: Bench, model: string, mode: Mode): Promise<Outcome> {
  const golden = (await bench.json(training[model]!)) as Training;
  const config = { ...golden.config, dropout: 0, ...faults(bench, model, mode) };
  const request = { model, config, data: { pairs: golden.pairs } };
  const tally = new Tally();
  return opened(bench, request, modelFile(golden.weights), async (session) => {
    const losses = await learned(bench, session, 'loss_per_token');
    tally.add('loss_per_token', losses, golden[mode].loss_per_token, LOSSES);
    return tally.outcome;
  });
}

// ---- kernel regression

async function regressed(bench: Bench, what: What): Promise<Outcome> {
  const golden = (await bench.json(steps[REGRESSION]!)) as RegressionSteps;
  const plain = (await bench.json(configs.plain)) as Plain;
  const weights = await bench.bytes(files[REGRESSION]!);
  const tally = new Tally();
  const request = { model: REGRESSION, config: plain[REGRESSION]! };
  return opened(bench, request, weights, async (session) => {
    if (what === 'values')
      for (const { inputs, steps: want } of golden.runs)
        compareValues(tally, await run(bench, { session, inputs }), want);
    else
      for (const [step, want] of Object.entries(golden.gradients)) {
        const from = { step, cell: [] };
        compareGradients(tally, await run(bench, { session, gradients: true, from }), want);
      }
    return tally.outcome;
  });
}

async function regressionTrained(bench: Bench): Promise<Outcome> {
  const golden = (await bench.json(training[REGRESSION]!)) as RegressionTraining;
  const { n, seed, leave_one_out, losses } = golden;
  const config = { n, seed, leave_one_out, learning_rate: 0.5, epochs: losses.length };
  const tally = new Tally();
  return opened(bench, { model: REGRESSION, config }, undefined, async (session) => {
    const got = await learned(bench, session, 'squared_error');
    tally.add('squared_error', got, losses, LOSSES);
    return tally.outcome;
  });
}

// ---- all of them

const check = (model: string, mode: Mode, what: What, runs: Check['run']): Check => ({
  ...{ model, mode, what, run: runs },
  tolerance: TOLERANCE[what],
});

export const CHECKS: Check[] = [
  check(REGRESSION, 'correct', 'values', (bench) => regressed(bench, 'values')),
  check(REGRESSION, 'correct', 'gradients', (bench) => regressed(bench, 'gradients')),
  check(REGRESSION, 'correct', 'training', regressionTrained),
  ...TRANSLATORS.flatMap((model) =>
    MODES.flatMap((mode) => [
      check(model, mode, 'values', (bench) => translated(bench, model, mode, 'values')),
      check(model, mode, 'gradients', (bench) => translated(bench, model, mode, 'gradients')),
      check(model, mode, 'training', (bench) => trained(bench, model, mode)),
    ]),
  ),
];
