import { describe, expect, it } from 'vitest';
import type { Step } from '../../web/src/shared/engine';
import {
  bringsConfig,
  cellOf,
  filled,
  lacking,
  literal,
  repeats,
} from '../../web/src/page/takeaway/script';

describe('what the script is told', () => {
  it('is written as Python writes it', () => {
    expect(literal({ a: true, b: [false, 1.5, 'x"y'], c: undefined })).toBe(
      '{\n    "a": True,\n    "b": [False, 1.5, "x\\"y"],\n}',
    );
  });

  it('takes the place that is kept for it, dollar signs and all', () => {
    const text = filled('a\nPAGE = {}\nb', 'Head', { file: "$&$'" });
    expect(text).toBe('"""Head"""\na\nPAGE = {\n    "file": "$&$\'",\n}\nb');
  });

  it('names a cell that the step has', () => {
    const step = {
      axes: [
        { name: 'time', size: 2 },
        { name: 'key', size: 4 },
      ],
    } as Step;
    expect(cellOf(step, [5, 1])).toEqual([1, 1]);
    expect(cellOf(step, undefined)).toEqual([0, 0]);
  });
});

describe('what the script can do', () => {
  const usual = {
    norm: 'post',
    residual: true,
    positions: 'sinusoid',
    join_positions: false,
    scale_embedding: true,
  };

  it('says what has no twin in PyTorch', () => {
    expect(lacking('bahdanau', { score: 'dot' })).toEqual(['score = dot']);
    expect(lacking('bahdanau', { score: 'additive' })).toEqual([]);
  });

  it('repeats the steps of the models, and not those of a kernel of choice or of the optimiser', () => {
    expect(repeats('kernel-regression', {}, 'learned.weights')).toBe(true);
    expect(repeats('kernel-regression', {}, 'kernel.weights')).toBe(false);
    expect(repeats('kernel-regression', {}, 'train.kernel.error')).toBe(false);
    expect(repeats('seq2seq', {}, 'update.norm')).toBe(false);
    expect(repeats('transformer', usual, 'encoder.0.attention.weights')).toBe(true);
    expect(repeats('transformer', { ...usual, norm: 'pre' }, 'encoder.0.attention.weights')).toBe(
      false,
    );
  });
});

describe('a file of weights', () => {
  const file = (header: unknown): Uint8Array => {
    const text = new TextEncoder().encode(JSON.stringify(header));
    const bytes = new Uint8Array(8 + text.length);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
    bytes.set(text, 8);
    return bytes;
  };

  it('says whether it brings its settings', () => {
    expect(bringsConfig(file({ __metadata__: { config: '{}' } }))).toBe(true);
    expect(bringsConfig(file({ __metadata__: { format: 'pt' } }))).toBe(false);
    expect(bringsConfig(file({ w: {} }))).toBe(false);
  });

  it('that is none is left to the engine to refuse', () => {
    expect(bringsConfig(new Uint8Array([1, 2, 3]))).toBe(true);
    expect(bringsConfig(new TextEncoder().encode('no file of weights at all'))).toBe(true);
  });
});
