// The logic of blocks that a lesson is made of: bars, quizzes, sorting, layers.

import { describe, expect, it } from 'vitest';
import { leftOver, place, scaleOf } from '../../web/src/page/blocks/bars/place';
import { layerNames, layers } from '../../web/src/page/blocks/layers/layers';
import { rightOnes } from '../../web/src/page/blocks/quiz/judge';
import { readPut, rolesOf, writePut } from '../../web/src/page/blocks/sort/roles';
import type { Operand, Step } from '../../web/src/shared/engine';

const step = (name: string, op = 'add', operands: Operand[] = []): Step => ({
  name,
  op,
  nodes: [0],
  axes: [],
  offset: 0,
  operands,
});
const operand = (name: string): Operand => ({ step: name, op: 'x', axes: [] });

describe('bars', () => {
  it('begin at zero, wherever the scale has it, and stay on the scale', () => {
    expect(place(0.25, { min: 0, max: 1 })).toEqual({ from: 0, to: 25 });
    expect(place(-1, { min: -1, max: 3 })).toEqual({ from: 0, to: 25 });
    expect(place(3, { min: -1, max: 3 })).toEqual({ from: 25, to: 100 });
    expect(place(7, { min: 0, max: 1 })).toEqual({ from: 0, to: 100 });
    expect(place(NaN, { min: 0, max: 1 })).toEqual({ from: 0, to: 0 });
  });

  it('have a scale from zero, also where nothing is there, or all of it is below zero', () => {
    expect(scaleOf([2, 6])).toEqual({ min: 0, max: 6 });
    expect(scaleOf([-2, -1])).toEqual({ min: -2, max: 1e-9 });
    expect(scaleOf([])).toEqual({ min: 0, max: 1e-9 });
    expect(scaleOf([0.2, 0.9], 1)).toEqual({ min: 0, max: 1 });
    expect(scaleOf([Infinity, 2])).toEqual({ min: 0, max: 2 });
  });

  it('take a rest of rounding for nothing left', () => {
    expect(leftOver(-5.96e-8)).toBe('none');
    expect(leftOver(0.25)).toBe('some');
    expect(leftOver(-0.05)).toBe('over');
  });
});

describe('a quiz', () => {
  const good = [1, 1.0000001];
  const turned = [0.7, 1.3];

  it('finds the maps whose rows share out 1, and those that do not', () => {
    expect(rightOnes('rows-share-out', [good, turned])).toEqual([true, false]);
    expect(rightOnes('rows-do-not', [good, turned, good])).toEqual([false, true, false]);
  });

  it('finds the largest and the smallest number, and all that are equal to it', () => {
    expect(rightOnes('largest', [[2], [2.5], [0.8]])).toEqual([false, true, false]);
    expect(rightOnes('smallest', [[2], [2.5], [2]])).toEqual([true, false, true]);
  });
});

describe('sorting', () => {
  it('knows a role by the name of the step', () => {
    expect(rolesOf('query', [])).toEqual(['q']);
    expect(rolesOf('saliency', [])).toEqual(['k']);
    expect(rolesOf('decoder.weights', [])).toEqual(['w']);
    expect(rolesOf('logits', [])).toEqual([]);
  });

  it('calls what is averaged by weights a value, whatever else it is', () => {
    const context = step('decoder.context', 'matmul', [
      operand('decoder.weights'),
      { op: 'transpose', axes: [], operands: [operand('encoder.1.hidden')] },
    ]);
    expect(rolesOf('encoder.1.hidden', [context])).toEqual(['k', 'v']);
    expect(rolesOf('decoder.weights', [context])).toEqual(['w']);
    const joined = step('gru_input', 'concat', [operand('embedding'), operand('decoder.context')]);
    expect(rolesOf('embedding', [joined])).toEqual([]);
  });

  it('reads and writes where things were put, and drops what means nothing here', () => {
    expect(readPut('qk-x', 5, ['q', 'k'])).toEqual(['q', 'k', undefined, undefined, undefined]);
    expect(writePut(['q', undefined, 'v'])).toBe('q-v');
    expect(writePut([undefined, undefined])).toBe('');
  });
});

describe('layers', () => {
  it('are what the parameters are named after; those that the other model lacks are marked', () => {
    const names = layerNames([
      step('encoder.rnn.weight_ih_l0', 'parameter'),
      step('encoder.rnn.weight_hh_l0', 'parameter'),
      step('decoder.attention.W_q.weight', 'parameter'),
      step('decoder.context'),
    ]);
    expect(names).toEqual(['encoder.rnn', 'decoder.attention']);
    expect(layers(names, ['encoder.rnn']).filter(({ added }) => added)).toEqual([
      { name: 'decoder.attention', part: 'decoder', added: true },
    ]);
  });
});
