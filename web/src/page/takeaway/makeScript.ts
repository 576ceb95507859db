// Runs what the page shows once more, and writes it into the model's script.

import type { Config, Scalar } from '../../shared/engine';
import type { Session } from '../store/sessions.svelte';
import type { Trace } from '../store/trace';
import { cellOf, DATA, filled, numbers, repeats, words, type Shown } from './script';

export interface What {
  session: Session;
  inputs: Record<string, Scalar>;
  step: string | undefined;
  cell: number[] | undefined;
}

export async function makeScript(what: What, head: string): Promise<string> {
  const { scripts } = await import('virtual:pytorch');
  const { model } = what.session.spec;
  const script = scripts[model];
  if (script === undefined) throw new Error(`there is no script for "${model}"`);
  return filled(script, head, await shown(what));
}

async function shown({ session, inputs, step, cell }: What): Promise<Shown> {
  const { model } = session.spec;
  await session.open();
  const config: Config = session.opened?.config ?? {};
  const wanted = step !== undefined && repeats(model, config, step) ? step : undefined;
  const data = model === 'kernel-regression' ? DATA.map((name) => `data.${name}`) : [];
  const want = [...data, ...(wanted === undefined ? [] : [wanted])];
  const trace = await session.trace({ inputs, want });
  try {
    return {
      file: `${model}.safetensors`,
      ...(data.length > 0 && {
        data: dataOf(trace),
        leave_one_out: config['leave_one_out'] === true,
      }),
      ...translated(trace, inputs),
      ...stepOf(trace, wanted, cell),
    };
  } finally {
    await trace.close();
  }
}

function stepOf(
  trace: Trace,
  name: string | undefined,
  wish: number[] | undefined,
): Partial<Shown> {
  const step = name === undefined ? undefined : trace.step(name);
  if (!step) return {};
  const cell = cellOf(step, wish);
  return { step: step.name, cell, value: trace.at(step, cell) };
}

function translated(trace: Trace, inputs: Record<string, Scalar>): Partial<Shown> {
  const { translation } = trace.ran;
  if (!translation) return {};
  const { sentence = '', target = '' } = inputs;
  return { sentence: String(sentence), ...words(translation), given: target !== '' };
}

function dataOf(trace: Trace): Record<string, number[]> {
  return Object.fromEntries(
    DATA.map((name) => [name, numbers(trace.values(trace.step(`data.${name}`)))]),
  );
}
