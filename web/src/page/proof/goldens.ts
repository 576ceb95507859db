// What tests/parity/goldens holds, as far as this page reads it.

import type { Config, Scalar } from '../../shared/engine';

export interface Tensor {
  shape: number[];
  values: number[];
}
export type Tensors = Record<string, Tensor>;

export type Mode = 'correct' | 'book';

/** goldens/steps/<translator>.json: a sentence translated, with a target given and without one. */
export interface TranslatorSteps {
  sentence: string;
  target: string;
  correct: Runs;
  book: Runs;
}
interface Runs {
  given: { steps: Tensors; gradients: Tensors };
  own: { steps: Tensors };
}

/** goldens/steps/kernel_regression.json; gradients by the step that the backward pass starts from. */
export interface RegressionSteps {
  runs: { inputs: Record<string, Scalar>; steps: Tensors }[];
  gradients: Record<string, Tensors>;
}

/** goldens/models/<translator>_training.json: twenty epochs from these weights. */
export interface Training {
  pairs: string;
  config: Config;
  weights: Tensors;
  correct: { loss_per_token: number[] };
  book: { loss_per_token: number[] };
}

/** goldens/models/kernel_regression.json: five epochs; data and first weight come from the seed. */
export interface RegressionTraining {
  n: number;
  seed: number;
  leave_one_out: boolean;
  losses: number[];
}

/** goldens/files/plain.json: configs of files that say nothing but their tensors. */
export type Plain = Record<string, Config>;

/** A file of weights (safetensors) of tensors that came as text: 8 bytes of length, a header, the numbers. */
export function modelFile(tensors: Tensors): Uint8Array {
  const header: Record<string, object> = { __metadata__: { format: 'pt' } };
  let end = 0;
  for (const [name, { shape, values }] of Object.entries(tensors)) {
    const begin = end;
    end += 4 * values.length;
    header[name] = { dtype: 'F32', shape, data_offsets: [begin, end] };
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(8 + text.length + end);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  const numbers = Float32Array.from(Object.values(tensors).flatMap(({ values }) => values));
  bytes.set(new Uint8Array(numbers.buffer), 8 + text.length);
  return bytes;
}
