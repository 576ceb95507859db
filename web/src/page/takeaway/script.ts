// The script that a learner takes home: our own modules (virtual:pytorch), and what the page has shown. Pure.

import type { Config, Scalar, Step, Translation } from '../../shared/engine';

/** What the script is told of the page; it reads all else from the file of weights. */
export interface Shown {
  file: string;
  step?: string;
  cell?: number[];
  value?: number;
  sentence?: string; // to translate
  read?: number[]; // ids of the source words
  written?: string[]; // words of the target, those that the run wrote or was given
  given?: boolean;
  data?: Record<string, number[]>; // of kernel regression
  leave_one_out?: boolean;
}

type Literal = Scalar | Literal[] | { [key: string]: Literal | undefined };

/** As Python writes it. JSON's texts are texts of Python too. */
export function literal(value: Literal, indent = ''): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => literal(each)).join(', ')}]`;
  const inner = `${indent}    `;
  const lines = Object.entries(value).flatMap(([key, entry]) =>
    entry === undefined ? [] : [`${inner}${JSON.stringify(key)}: ${literal(entry, inner)},\n`],
  );
  return `{\n${lines.join('')}${indent}}`;
}

const PLACE = '\nPAGE = {}\n';

export function filled(script: string, head: string, shown: Shown): string {
  const about = head.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  const page = `\nPAGE = ${literal({ ...shown })}\n`;
  return `"""${about}"""\n${script.replace(PLACE, () => page)}`;
}

/** Settings of a model that our PyTorch modules have no twin of. */
export function lacking(model: string, config: Config): string[] {
  if (model === 'bahdanau' && config['score'] === 'dot') return ['score = dot'];
  return config['scale_scores'] === false ? ['scale_scores = false'] : [];
}

/** Whether the script computes this step too. Forms of the Transformer beside the usual one have other steps in between. */
export function repeats(model: string, config: Config, step: string): boolean {
  if (step.startsWith('update.') || step.startsWith('derived.')) return false;
  if (model === 'kernel-regression')
    return !/^(train\.|roughness\.)?kernel\b/.test(step) && step !== 'loss';
  if (model !== 'transformer') return true;
  const { norm, residual, positions, join_positions, scale_embedding } = config;
  const table = positions === 'sinusoid' || positions === 'learned';
  const usual = norm === 'post' && residual === true && table;
  return usual && join_positions !== true && scale_embedding === true;
}

/** What a run of a translator read and wrote. */
export function words({ source, target }: Translation): Pick<Shown, 'read' | 'written'> {
  return { read: source.map(({ id }) => id), written: target.map(({ text }) => text) };
}

/** Numbers of a step, as float32 holds them. */
export function numbers(values: Float32Array): number[] {
  return [...values];
}

export const DATA = ['x_train', 'y_train', 'x_test', 'truth'];

/** The first cell, or the one given as far as the step reaches. */
export function cellOf({ axes }: Step, wish: number[] | undefined): number[] {
  return axes.map(({ size }, i) => Math.min(wish?.[i] ?? 0, size - 1));
}

/** Whether a file of weights says how it was made; whether it is one at all is for the engine to say. */
export function bringsConfig(bytes: Uint8Array): boolean {
  try {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
    const { __metadata__: metadata } = header as { __metadata__?: { config?: unknown } };
    return typeof metadata?.config === 'string';
  } catch {
    return true; // then the engine says what is wrong with it
  }
}
