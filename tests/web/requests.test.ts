// The engine as the page has it, asked anything: each reply is an answer or an error with a type and a sentence. A trap would be an
// exception of JavaScript here, and the engine would answer no more.

import fc from 'fast-check';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Catalogue, Field } from '../../web/src/shared/engine';
import { counting } from './tried';

const holds = counting();

interface Engine {
  call(verb: string, request: string, bytes?: Uint8Array): { head: string };
  memory(): string;
}

const MODULE = join(import.meta.dirname, '../../build/wasm-simd/attn.mjs');
const TYPES = ['ShapeError', 'ConfigError', 'DataError', 'EngineError'];
const VERBS = ['describe', 'open', 'run', 'derive', 'explain', 'train', 'save', 'load', 'close'];
const PAIRS = 'Go.\tVa !\nWho?\tQui ?\nHi.\tSalut.\nRun!\tCours !';

let engine: Engine;
let catalogue: Catalogue;

beforeAll(async () => {
  const { default: factory } = (await import(/* @vite-ignore */ MODULE)) as {
    default: () => Promise<{ Engine: new () => Engine }>;
  };
  engine = new (await factory()).Engine();
  catalogue = ask('describe', {}) as unknown as Catalogue;
});

type Head = Record<string, unknown> & { error?: { type: string; message: string } };

/** What must hold of every reply. */
function ask(verb: string, request: unknown, bytes?: Uint8Array): Head {
  const text = typeof request === 'string' ? request : JSON.stringify(request);
  const head = JSON.parse(engine.call(verb, text, bytes).head) as Head;
  if (head.error) {
    expect(TYPES).toContain(head.error.type);
    expect(head.error.message).toMatch(/\S/);
  }
  return head;
}

const number = fc.oneof(
  fc.integer({ min: -3, max: 40 }),
  fc.constantFrom(1e300, -1e300, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e-310, 0.5),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const anything = fc.oneof(number, fc.jsonValue({ maxDepth: 2 }));
const words = fc.oneof(
  fc.constantFrom(
    '*',
    'loss',
    'decoder.*',
    'decoder.weights',
    'decoder.logits',
    '',
    'x'.repeat(3000),
  ),
  fc.string({ maxLength: 20, unit: 'grapheme' }),
);
const cell = fc.array(number, { maxLength: 5 });
const some = <T>(value: fc.Arbitrary<T>) => fc.oneof({ weight: 6, arbitrary: value }, anything);

/** Requests that are nearly right: each key has what it should have, or is missing, or has anything. */
const nearly = fc.record(
  {
    session: some(fc.integer({ min: 0, max: 40 })),
    run: some(fc.integer({ min: 0, max: 80 })),
    budget_ms: fc.constantFrom(0, -1, 1),
    inputs: some(fc.dictionary(fc.constantFrom('sentence', 'target', 'beam', 'x'), anything)),
    edits: some(
      fc.array(
        fc.record({ step: words, cell, value: anything, time: number }, { requiredKeys: [] }),
        { maxLength: 3 },
      ),
    ),
    want: some(fc.array(words, { maxLength: 3 })),
    gradients: some(fc.boolean()),
    update: some(fc.boolean()),
    from: some(fc.record({ step: words, cell })),
    at: anything,
    step: some(words),
    node: some(number),
    cell: some(cell),
    gradient: some(fc.boolean()),
    guess: some(words),
    checkpoint: some(fc.boolean()),
    what: some(
      fc.array(
        fc.record(
          {
            name: words,
            step: words,
            time: number,
            sum: words,
            mean: words,
            select: fc.dictionary(words, cell, { maxKeys: 2 }),
          },
          { requiredKeys: [] },
        ),
        { maxLength: 2 },
      ),
    ),
  },
  { requiredKeys: [] },
);

/** A value for a knob: one that it takes, the next beyond its bounds, or anything. Small where it is a size, since it is opened. */
function knob({ type, min = 0, max = 1, choices = [] }: Field): fc.Arbitrary<unknown> {
  if (type === 'choice') return some(fc.constantFrom(...choices, 'none of them'));
  if (type === 'boolean') return some(fc.boolean());
  if (type === 'text') return some(fc.string({ maxLength: 40 }));
  return some(fc.oneof(fc.constantFrom(min, min - 1, max + 1), fc.integer({ min: 0, max: 8 })));
}

const opening = (): fc.Arbitrary<{ model: unknown; config: object; data: unknown }> =>
  fc.constantFrom(...catalogue.models).chain(({ name, fields }) =>
    fc.record({
      model: some(fc.constant(name)),
      config: fc.record(Object.fromEntries(fields.map((each) => [each.name, knob(each)])), {
        requiredKeys: [],
      }),
      data: some(fc.constant({ pairs: PAIRS })),
    }),
  );

describe('the engine', () => {
  it('answers bytes that are no JSON, and JSON that is no request', () => {
    holds(
      fc.property(
        fc.constantFrom(...VERBS),
        fc.oneof(fc.string({ unit: 'binary' }), fc.json()),
        (verb, text) => {
          ask(verb, text);
        },
      ),
      { numRuns: 300 },
    );
    expect(ask('no such verb', {}).error?.type).toBe('ConfigError');
    expect(ask('run', '['.repeat(100_000)).error).toBeDefined(); // deeper than any stack
  });

  it('opens, runs and closes any model with settings that are right, at their bounds, beyond them, or anything', () => {
    let opened = 0;
    holds(
      fc.property(opening(), fc.array(nearly, { maxLength: 2 }), (request, more) => {
        const { session, error } = ask('open', request);
        if (error) return;
        opened += 1;
        const { run } = ask('run', { session, want: ['*'], gradients: true });
        for (const each of more) ask('run', { ...each, session });
        if (run !== undefined) ask('close', { run });
        expect(ask('close', { session }).error).toBeUndefined();
      }),
      { numRuns: 120 },
    );
    expect(opened).toBeGreaterThan(0);
  }, 60_000);

  it('stands any row of requests over one open session, and what was opened first still answers', () => {
    const { session } = ask('open', {
      model: 'bahdanau',
      config: { hidden_size: 4, embed_size: 4, min_frequency: 1 },
      data: { pairs: PAIRS },
    });
    expect(session).toBeTypeOf('number');
    const right = { session, inputs: { sentence: 'Go.' }, want: ['decoder.*'] };
    const before = ask('run', right);
    expect(before.error).toBeUndefined();
    const bytes = fc.option(fc.uint8Array({ maxLength: 200 }), { nil: undefined });
    const verb = fc.constantFrom(
      ...VERBS.filter((each) => !['close', 'open', 'train'].includes(each)),
    );
    holds(
      fc.property(verb, nearly, bytes, fc.nat(3), (which, request, file, n) => {
        const open = n > 0 ? { session, run: before['run'] } : {}; // now and then another, or none
        ask(which, { ...request, ...open }, file);
      }),
      { numRuns: 400 },
    );
    const after = ask('run', right);
    expect(after.error).toBeUndefined();
    expect(after['translation']).toEqual(before['translation']);
    ask('close', { session });
  }, 60_000);
});
