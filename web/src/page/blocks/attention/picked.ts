// What a link says is picked (`0,2`), held against what there is; and maps laid out by the names of their axes.

import type { AttentionStep, Step } from '../../../shared/engine';
import { isStacked } from '../../store/trace';
import type { Layout } from '../../parts/grid';
import { USES, type Use } from './schema';

/** In order, each once; nothing at all if any of it is not there. */
export function readPicked(text: string, size: number): number[] | undefined {
  if (text === '') return [];
  if (!/^\d+(,\d+)*$/.test(text)) return undefined;
  const all = [...new Set(text.split(',').map(Number))].sort((a, b) => a - b);
  return all.every((index) => index < size) ? all : undefined;
}

export function usesOf(attention: AttentionStep[]): Use[] {
  return USES.filter((use) => attention.some((each) => each.use === use));
}

export function layersOf(attention: AttentionStep[], use: Use): number[] {
  return attention.filter((each) => each.use === use).map(({ layer }) => layer);
}

/** What is asked for, or what comes nearest to it. */
export function nearest(
  attention: AttentionStep[],
  use: Use,
  layer: number,
): AttentionStep | undefined {
  const same = attention.filter((each) => each.use === use);
  const among = same.length > 0 ? same : attention;
  return among.find((each) => each.layer === layer) ?? among[0];
}

/** Along which axis the queries stand: the turns of a loop that asks once a turn, or the axis of that name. */
export function queryAxis(step: Step): string {
  return isStacked(step) ? step.axes[0]!.name : 'query';
}

export const KEY = 'key';
export const HEAD = 'head';

export function axisIndex(step: Step, name: string | undefined): number | undefined {
  const found = step.axes.findIndex((axis) => axis.name === name);
  return found < 0 ? undefined : found;
}

export function sizeOf(step: Step, name: string): number {
  return step.axes.find((axis) => axis.name === name)?.size ?? 1;
}

/** Rows and columns by name; `head`: where that axis stands, if it is neither. */
export function layoutBy(
  step: Step,
  rows: string | undefined,
  cols: string | undefined,
  head = 0,
): Layout {
  return {
    rows: axisIndex(step, rows),
    cols: axisIndex(step, cols),
    fixed: step.axes.map(({ name }) => (name === HEAD ? head : 0)),
  };
}
