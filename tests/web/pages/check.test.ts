import { describe, expect, it } from 'vitest';
import { checkLesson, checkWords, type Kinds } from '../../../web/pages/check.ts';
import type { Rendered } from '../../../web/pages/markdown.ts';
import { parseLesson } from '../../../web/src/shared/lesson.ts';

const kinds: Kinds = new Map([
  [
    'plot',
    {
      parse: (options, path) => {
        if ('colour' in (options as object)) throw new Error(`${path}: unknown key "colour"`);
      },
      room: () => ({ wide: 1, narrow: 1 }),
    },
  ],
]);

const page = (blocks: string[], sections = ['one']): Rendered => ({
  content: [],
  sections: sections.map((id) => ({ id, title: id })),
  blocks,
  terms: [],
});

const lesson = (blocks: Record<string, object>) =>
  parseLesson({
    sessions: { s: { model: 'm' } },
    state: { seed: { type: 'integer', default: 1 } },
    blocks,
  });

const check = (blocks: Record<string, object>, zh: Rendered, en: Rendered): string[] =>
  checkLesson('lessons/10-x', lesson(blocks), { zh, en }, kinds);

const plot = { kind: 'plot', session: 's' };

describe('a lesson', () => {
  it('passes when both languages agree with lesson.json', () => {
    expect(check({ a: plot, b: plot }, page(['a', 'b']), page(['a', 'b']))).toEqual([]);
  });

  const faults: [string, string[], RegExp][] = [
    [
      'another order of blocks',
      check({ a: plot, b: plot }, page(['a', 'b']), page(['b', 'a'])),
      /differ/,
    ],
    ['other sections', check({}, page([], ['one']), page([], ['two'])), /sections differ/],
    ['a block that is not declared', check({}, page(['a']), page(['a'])), /"a" is not declared/],
    ['a block in no text', check({ a: plot }, page([]), page([])), /"a" stands in no text/],
    ['a block twice', check({ a: plot }, page(['a', 'a']), page(['a', 'a'])), /twice/],
    [
      'an unknown kind',
      check({ a: { kind: 'pie' } }, page(['a']), page(['a'])),
      /unknown kind "pie"/,
    ],
    [
      'an unknown session',
      check({ a: { kind: 'plot', session: 't' } }, page(['a']), page(['a'])),
      /unknown session "t" \(known: s\)/,
    ],
    [
      'an unknown session within a block',
      check(
        { a: { kind: 'plot', session: 's', curves: [{ session: 't' }] } },
        page(['a']),
        page(['a']),
      ),
      /unknown session "t"/,
    ],
    [
      'an unknown option',
      check({ a: { ...plot, colour: 'red' } }, page(['a']), page(['a'])),
      /block "a": unknown key "colour"/,
    ],
    [
      'an unknown state',
      check({ a: { ...plot, x: { state: 'sead' } } }, page(['a']), page(['a'])),
      /unknown state "sead"/,
    ],
  ];
  it.each(faults)('is refused for %s', (_, problems, reason) => {
    expect(problems.join('\n')).toMatch(reason);
  });

  it("may use a block's own state", () => {
    const blocks = { a: plot, b: { ...plot, row: { state: 'a.step' } } };
    expect(check(blocks, page(['a', 'b']), page(['a', 'b']))).toEqual([]);
  });
});

describe('words', () => {
  it('have the same keys in both languages', () => {
    expect(checkWords({ a: '甲', b: '乙' }, { a: 'A', c: 'C' })).toEqual([
      'web/src/words/zh.json: "c" is missing',
      'web/src/words/en.json: "b" is missing',
    ]);
  });
});
