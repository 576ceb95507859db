// What the reader has typed over numbers of the run, as a short text for the URL: `decoder.scores@2:0,0,1=3.5`.

import type { Edit } from '../../../shared/engine';

/** One number of a step; `time`: of which turn, where a loop made the step. */
export interface EditedCell {
  step: string;
  time?: number | undefined;
  cell: number[]; // without its turn
  value: number;
}

const ENTRY = /^([\w.]+)(?:@(\d+))?:(\d*(?:,\d+)*)=(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/** Nothing where the text is no list of edits. */
export function readEdits(text: string): EditedCell[] | undefined {
  if (text === '') return [];
  const found = text.split(';').map((part) => ENTRY.exec(part));
  if (found.some((match) => match === null)) return undefined;
  return found.map((match) => ({
    step: match![1]!,
    ...(match![2] !== undefined && { time: Number(match![2]) }),
    cell: match![3] === '' ? [] : match![3]!.split(',').map(Number),
    value: Number(match![4]),
  }));
}

export function writeEdits(edits: EditedCell[]): string {
  return edits
    .map(({ step, time, cell, value }) => {
      const turn = time === undefined ? '' : `@${time}`;
      return `${step}${turn}:${cell.join(',')}=${value}`;
    })
    .join(';');
}

export type Spot = Omit<EditedCell, 'value'>;

export function sameSpot(a: Spot, b: Spot): boolean {
  return a.step === b.step && a.time === b.time && a.cell.join() === b.cell.join();
}

/** The last word on a number counts. */
export function withEdit(edits: EditedCell[], edit: EditedCell): EditedCell[] {
  return [...edits.filter((other) => !sameSpot(other, edit)), edit];
}

/** As the engine wants them. */
export function requested(edits: EditedCell[]): Edit[] {
  return edits.map(({ step, time, cell, value }) => ({
    step,
    ...(time !== undefined && { time }),
    cell,
    value,
  }));
}
