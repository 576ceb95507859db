import { describe, expect, it } from 'vitest';
import type { Branch, Translation } from '../../web/src/shared/engine';
import { linesOf, visible } from '../../web/src/page/blocks/pipeline/lines';
import { boxes, parentOf, pathOf } from '../../web/src/page/blocks/tree/branches';

const branch = (text: string, parent: number, kept = true, ended = false): Branch => ({
  text,
  parent,
  kept,
  ended,
  log_p: 0,
  total: 0,
  score: 0,
  chance: 0,
});

const tree: Branch[][] = [
  [branch('A', -1), branch('B', -1), branch('C', -1, false)],
  [branch('B', 0), branch('C', 0), branch('B', 1, false)],
  [branch('<eos>', 1, true, true), branch('A', 0)],
];
const told = (text: string): Translation => ({
  source: [],
  cut: 0,
  target: [],
  text,
  ended: true,
  tree,
});

describe('a search as a drawing', () => {
  it('finds the words of a branch by going back', () => {
    expect(pathOf(tree, 2, 0)).toEqual(['A', 'C', '<eos>']);
    expect(pathOf(tree, 0, 1)).toEqual(['B']);
    expect(pathOf(tree, 5, 0)).toEqual([]);
  });

  it('draws what was kept, or all, one row after the other', () => {
    expect(boxes(told(''), false).map(({ row }) => row)).toEqual([0, 1, 0, 1, 0, 1]);
    expect(boxes(told(''), true)).toHaveLength(8);
    expect(boxes({ ...told(''), tree: undefined } as unknown as Translation, true)).toEqual([]);
  });

  it('marks the way to the winner, whose text goes without its end mark', () => {
    const best = boxes(told('A C'), false).filter((box) => box.best);
    expect(best.map(({ path }) => path.join(' '))).toEqual(['A', 'A C', 'A C <eos>']);
    expect(boxes(told('nothing of the kind'), false).some((box) => box.best)).toBe(false);
  });

  it('knows which box a box follows', () => {
    const all = boxes(told(''), false);
    const last = all.find(({ path }) => path.join(' ') === 'A B A')!;
    expect(parentOf(all, last)?.path).toEqual(['A', 'B']);
    expect(parentOf(all, all[0]!)).toBeUndefined();
  });
});

describe('a line of the corpus', () => {
  it('has one tab; anything else is skipped', () => {
    const file = 'Go.\tVa !\n\nno tab\na\tb\tc\nHi.\tSalut !\n';
    expect(linesOf(file)).toEqual([
      { source: 'Go.', target: 'Va !' },
      { source: 'Hi.', target: 'Salut !' },
    ]);
  });

  it('shows spaces that only look like others', () => {
    expect(visible('Va\u202f!')).toEqual([
      { text: 'Va', special: false },
      { text: '\u202f', special: true },
      { text: '!', special: false },
    ]);
    expect(visible('')).toEqual([]);
  });
});
