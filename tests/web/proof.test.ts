import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { proofFiles } from '../../web/pages/proof-page';
import { modelFile } from '../../web/src/page/proof/goldens';
import { farthest, gradientUnit, LOSSES, Tally, VALUES } from '../../web/src/page/proof/tally';

const repo = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

describe('how far numbers are apart', () => {
  it('is told of max(1, |x|) for values, of itself for a loss', () => {
    expect(farthest([1, 10.5], [1, 10], VALUES)).toBeCloseTo(0.05);
    expect(farthest([0.002], [0.001], VALUES)).toBeCloseTo(0.001);
    expect(farthest([0.002], [0.001], LOSSES)).toBeCloseTo(1);
  });

  it('is told of the largest gradient of a tensor, or of 0.01 if that is smaller', () => {
    const want = [0.5, -4, 0];
    expect(farthest([0.5, -4, 0.2], want, gradientUnit(want))).toBeCloseTo(0.05);
    expect(farthest([0.001], [0], gradientUnit([0]))).toBeCloseTo(0.1);
  });

  it('is infinite for what is no number, for another shape, and for a step that is not there', () => {
    expect(farthest([NaN], [1], VALUES)).toBe(Infinity);
    expect(farthest([1], [1, 1], VALUES)).toBe(Infinity);
    const tally = new Tally();
    tally.add('a', [1], [1], VALUES);
    tally.add('b', undefined, [1, 2], VALUES);
    expect(tally.outcome).toEqual({ numbers: 3, difference: Infinity, at: 'b' });
  });

  it('names the step that is farthest, even where nothing differs', () => {
    const tally = new Tally();
    tally.add('a', [1], [1], VALUES);
    expect(tally.outcome).toEqual({ numbers: 1, difference: 0, at: 'a' });
    tally.add('b', [2.5], [2], VALUES);
    tally.add('c', [2.1], [2], VALUES);
    expect(tally.outcome).toEqual({ numbers: 3, difference: 0.25, at: 'b' });
  });
});

describe('a file of weights made of text', () => {
  it('is safetensors: a length, a header, and the numbers where it says', () => {
    const bytes = modelFile({
      a: { shape: [2, 1], values: [1.5, -2] },
      b: { shape: [], values: [0.25] },
    });
    const view = new DataView(bytes.buffer);
    const length = Number(view.getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) as object;
    expect(header).toEqual({
      __metadata__: { format: 'pt' },
      a: { dtype: 'F32', shape: [2, 1], data_offsets: [0, 8] },
      b: { dtype: 'F32', shape: [], data_offsets: [8, 12] },
    });
    const numbers = [0, 4, 8].map((at) => view.getFloat32(8 + length + at, true));
    expect(numbers).toEqual([1.5, -2, 0.25]);
    expect(bytes.length).toBe(8 + length + 12);
  });
});

describe('the goldens that are shipped', () => {
  const files = proofFiles(repo);

  it('are those of every model: steps, weights, training', () => {
    const models = ['bahdanau', 'kernel-regression', 'seq2seq', 'transformer'];
    expect(Object.keys(files['steps']!).sort()).toEqual(models);
    expect(Object.keys(files['training']!).sort()).toEqual(models);
    expect(Object.keys(files['files']!)).toEqual(expect.arrayContaining(models));
  });

  it('hold gradients of every step that the loss depends on, down to the embeddings', () => {
    for (const model of ['seq2seq', 'bahdanau', 'transformer']) {
      const golden = JSON.parse(readFileSync(files['steps']![model]!, 'utf8')) as Record<
        'correct' | 'book',
        { given: { gradients: Record<string, { values: number[] }> } }
      >;
      for (const mode of ['correct', 'book'] as const) {
        const { gradients } = golden[mode].given;
        expect(Object.keys(gradients)).toEqual(
          expect.arrayContaining(['loss', 'decoder.logits', 'encoder.embedding.weight']),
        );
        expect(gradients['loss']!.values).toEqual([1]);
        expect(gradients['encoder.embedding.weight']!.values.some((x) => x !== 0)).toBe(true);
      }
    }
  });
});
