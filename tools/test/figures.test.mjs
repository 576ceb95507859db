import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figuresIn, said } from '../figures.mjs';

test('figures: lines of one name are summed, whichever runner they came through', () => {
  const output = [
    'figure: axe rules run = 70',
    '# figure: axe rules run = 1000', // a comment of TAP
    '\x1b[2mfigure: faults survived = 1\x1b[22m',
    'not a figure: faults survived = 9',
    'figure: faults survived = many',
  ].join('\n');
  assert.deepEqual(said(figuresIn(output)), ['axe rules run: 1,070', 'faults survived: 1']);
  assert.deepEqual(said(figuresIn('')), []);
});
