// How many keys each query may see, as handles on the rows of a map. Pure.

import type { Axis } from '../../../shared/engine';

/** `2,3` as lengths; nothing where the text is no list of `n` lengths up to `most`. */
export function readLengths(text: string, n: number, most: number): number[] | undefined {
  if (!/^\d+(,\d+)*$/.test(text)) return undefined;
  const lengths = text.split(',').map(Number);
  return lengths.length === n && lengths.every((length) => length <= most) ? lengths : undefined;
}

export function changed(lengths: number[], which: number, to: number): number[] {
  return lengths.map((length, i) => (i === which ? to : length));
}

/** Where a handle goes; nothing where the key does not move it. */
export function stepped(key: string, from: number, most: number): number | undefined {
  const to: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    Home: 0,
    End: most,
  };
  const wanted = to[key];
  return wanted === undefined ? undefined : Math.max(0, Math.min(most, wanted));
}

/** The boundary between two keys that is nearest to a place, which is given as a share of the row's width. */
export function nearestLength(share: number, most: number): number {
  return Math.max(0, Math.min(most, Math.round(share * most)));
}

export interface Row {
  batch: number;
  query: number;
  cells: number[][]; // of the step, one a key (or whatever its last axis has)
  which: number; // its length among the lengths
  first: boolean; // of the rows that share that length
  span: number; // how many rows share it
}

/** The rows of a map, and which of the lengths cuts each of them short. */
export function rowsOf(axes: Axis[], lengths: number): Row[] {
  const size = (name: string): number => axes.find((axis) => axis.name === name)?.size ?? 1;
  const across = axes.at(-1)?.name ?? '';
  const down = (name: string): number => (name === across ? 1 : size(name));
  const [batches, queries, keys] = [down('batch'), down('query'), size(across)];
  const perQuery = lengths === batches * queries;
  const rows: Row[] = [];
  for (let batch = 0; batch < batches; batch++)
    for (let query = 0; query < queries; query++)
      rows.push({
        batch,
        query,
        cells: Array.from({ length: keys }, (_, key) =>
          axes.map(({ name }) => (name === across ? key : name === 'batch' ? batch : query)),
        ),
        which: perQuery ? batch * queries + query : batch,
        first: perQuery || query === 0,
        span: perQuery ? 1 : queries,
      });
  return rows;
}
