// Whatever stands in an address or in a lesson.json is accepted or refused with a reason; nothing else happens.

import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkLesson, type Kinds } from '../../web/pages/check';
import { readKinds } from '../../web/pages/kinds';
import { decode, encode, type Fields, type Values } from '../../web/src/page/store/url';
import { parseLesson, problem, type StateField } from '../../web/src/shared/lesson';
import { SchemaError } from '../../web/src/shared/schema';
import { counting } from './tried';

const holds = counting();

const ROOT = join(import.meta.dirname, '../..');

// Names that objects know of themselves, and what parts a fragment.
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'a=b',
    'a&b',
    '#',
    '%',
    '+',
    'stage.cell',
  ),
);
const bounds = fc
  .tuple(fc.integer(), fc.integer())
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)]);
const field: fc.Arbitrary<StateField> = fc.oneof(
  fc.boolean().map((value) => ({ type: 'boolean' as const, default: value })),
  fc.string({ maxLength: 20 }).map((value) => ({ type: 'text' as const, default: value, max: 60 })),
  bounds.map(([min, max]) => ({ type: 'integer' as const, default: min!, min, max })),
  bounds.map(([min, max]) => ({ type: 'number' as const, default: max!, min, max })),
  fc
    .uniqueArray(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 5 })
    .map((choices) => ({ type: 'choice' as const, default: choices[0]!, choices })),
);
const fields: fc.Arbitrary<Fields> = fc.dictionary(name, field, { maxKeys: 6 });

/** A value that the field takes. */
function valueOf({
  type,
  min = 0,
  max = 0,
  choices = [],
}: StateField): fc.Arbitrary<Values[string]> {
  if (type === 'boolean') return fc.boolean();
  if (type === 'choice') return fc.constantFrom(...choices);
  if (type === 'integer') return fc.integer({ min, max });
  if (type === 'number') return fc.double({ min, max, noNaN: true }).map((x) => x + 0); // no −0
  return fc.string({ maxLength: 20, unit: 'grapheme' });
}
const declared = fields.chain((some) =>
  fc.record({
    fields: fc.constant(some),
    values: fc.record(
      Object.fromEntries(Object.entries(some).map(([key, each]) => [key, valueOf(each)])),
      { noNullPrototype: true },
    ),
  }),
);

describe('an address', () => {
  it('brings every state back that it was given', () => {
    holds(
      fc.property(declared, ({ fields: known, values }) => {
        const read = decode(`#${encode(values, known)}`, known);
        expect(read.dropped).toEqual([]);
        for (const [key, each] of Object.entries(known))
          expect(Object.hasOwn(read.values, key) ? read.values[key] : each.default).toBe(
            values[key],
          );
      }),
    );
  });

  it('gives only values that the lesson allows, whatever stands in it, and says what it left out', () => {
    const pair = fc.tuple(name, fc.string({ maxLength: 20 })).map((two) => two.join('='));
    const fragment = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webFragments(),
      fc.array(pair).map((all) => all.join('&')),
    );
    holds(
      fc.property(fields, fragment, (known, text) => {
        const { values, dropped } = decode(`#${text}`, known);
        for (const [key, value] of Object.entries(values)) {
          expect(Object.hasOwn(known, key)).toBe(true);
          expect(problem(known[key]!, value)).toBeUndefined();
        }
        for (const { reason } of dropped) expect(['unknown', 'wrong']).toContain(reason);
        expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
      }),
    );
  });
});

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The same with one value somewhere in it exchanged, taken out, or given a stranger beside it. */
function changed(value: Json, way: number[], by: Json, how: 'set' | 'delete' | 'add'): Json {
  if (typeof value !== 'object' || value === null || way.length === 0) return by;
  const keys = Object.keys(value);
  const key = keys[way[0]! % Math.max(1, keys.length)];
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, Json>;
  if (key === undefined || (way.length === 1 && how === 'add')) {
    return Object.fromEntries([...Object.entries(copy), ['__proto__', by]]);
  }
  if (way.length === 1 && how === 'delete') delete copy[key];
  else copy[key] = changed(copy[key]!, way.slice(1), by, how);
  return copy as Json;
}

const LESSONS = readdirSync(join(ROOT, 'lessons')).filter((entry) => /^\d\d-/.test(entry));
const texts = LESSONS.map(
  (id) => JSON.parse(readFileSync(join(ROOT, 'lessons', id, 'lesson.json'), 'utf8')) as Json,
);
const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const mutated = fc
  .tuple(
    fc.constantFrom(...texts),
    fc.array(fc.nat(40), { minLength: 1, maxLength: 7 }),
    anything,
    fc.constantFrom('set' as const, 'delete' as const, 'add' as const),
  )
  .map(([text, way, by, how]) => changed(text, way, by, how));
const empty = { html: '', blocks: [], sections: [], terms: [] };

describe('a lesson.json', () => {
  let kinds: Kinds;
  beforeAll(async () => {
    kinds = await readKinds(join(ROOT, 'web'));
  }, 60_000);

  it.each([
    ['any JSON', anything, 200],
    ['a lesson with something changed', mutated, 150],
  ])(
    '%s is taken or refused by its path; the check goes through what is taken',
    (_, json, runs) => {
      let taken = 0;
      holds(
        fc.property(json, (value) => {
          try {
            const lesson = parseLesson(value);
            taken += 1;
            const twin = { ...empty } as unknown as Parameters<typeof checkLesson>[2]['zh'];
            for (const told of checkLesson('lessons/x', lesson, { zh: twin, en: twin }, kinds))
              expect(told).toMatch(/^lessons\/x/);
          } catch (error) {
            expect(error).toBeInstanceOf(SchemaError);
            expect((error as SchemaError).path).toMatch(/^lesson\.json/);
          }
        }),
        { numRuns: runs },
      );
      expect(taken).toBeGreaterThan(0);
    },
    60_000,
  );
});
