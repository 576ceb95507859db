// Where a word is heard after each hop, and by which edges. How far a convolution reaches is what the engine has found by
// sending a word through it; here its nodes get their places, and one way through them is picked out.

export interface Spot {
  row: number; // 0: the words
  col: number;
}

export interface Edge {
  from: Spot;
  to: Spot;
  hop: number; // the one in which it is gone along, from 1
  way: boolean; // of the way that is followed
}

export interface Picture {
  rows: number; // besides the words
  hops: number;
  lit: (Spot & { hop: number })[];
  edges: Edge[];
}

/** Two places as `2,7`, the earlier one first; nothing if they are no two of so many. */
export function readPair(text: string, words: number): [number, number] | undefined {
  const [, a, b] = /^(\d+),(\d+)$/.exec(text) ?? [];
  const pair = [Number(a), Number(b)] as const;
  const [from, to] = [Math.min(...pair), Math.max(...pair)];
  return from < to && to < words ? [from, to] : undefined;
}

/** `reach[layer][t]`: whether the word at `first` is heard t places on, after that layer; `gap` is how far apart a layer looks. */
export function convolution(
  reach: number[][],
  width: number,
  gap: (layer: number) => number,
  first: number,
): Picture {
  const hears = (row: number, t: number): boolean =>
    t >= 0 && (row === 0 ? t === 0 : (reach[row - 1]?.[t] ?? 0) > 0);
  const last = (reach[0]?.length ?? 1) - 1;
  const way = wayBack(reach.length, last, width, gap, hears);
  const lit: Picture['lit'] = [{ row: 0, col: first, hop: 0 }];
  const edges: Edge[] = [];
  for (let row = 1; row <= reach.length; row++)
    for (let t = 0; t <= last; t++) {
      if (!hears(row, t)) continue;
      lit.push({ row, col: first + t, hop: row });
      for (const from of seen(t, width, gap(row - 1)))
        if (hears(row - 1, from))
          edges.push({
            from: { row: row - 1, col: first + from },
            to: { row, col: first + t },
            hop: row,
            way: way[row] === t && way[row - 1] === from,
          });
    }
  return { rows: reach.length, hops: reach.length, lit, edges };
}

/** From the last word down: of what it sees, the earliest that has heard. One place for each row. */
function wayBack(
  rows: number,
  last: number,
  width: number,
  gap: (layer: number) => number,
  hears: (row: number, t: number) => boolean,
): number[] {
  const way = [last];
  for (let row = rows; row > 0; row--)
    way.unshift(seen(way[0]!, width, gap(row - 1)).find((t) => hears(row - 1, t)) ?? 0);
  return way;
}

/** What a place of a convolution looks at: itself and as many before it as its width allows, the earliest first. */
function seen(t: number, width: number, gap: number): number[] {
  return Array.from({ length: width }, (_, i) => t - (width - 1 - i) * gap).filter((at) => at >= 0);
}

/** A state hears its word at once, and each other word from the state before it. */
export function recurrent(hops: number, first: number): Picture {
  const lit: Picture['lit'] = [{ row: 0, col: first, hop: 0 }];
  const edges: Edge[] = [
    { from: { row: 0, col: first }, to: { row: 1, col: first }, hop: 0, way: true },
  ];
  for (let hop = 0; hop <= hops; hop++) {
    lit.push({ row: 1, col: first + hop, hop });
    if (hop > 0)
      edges.push({
        from: { row: 1, col: first + hop - 1 },
        to: { row: 1, col: first + hop },
        hop,
        way: true,
      });
  }
  return { rows: 1, hops, lit, edges };
}

/** Every output has an edge from every word. */
export function direct(hops: number, words: number, first: number, last: number): Picture {
  const lit: Picture['lit'] = [{ row: 0, col: first, hop: 0 }];
  const edges: Edge[] = [];
  for (let col = 0; col < words; col++) {
    lit.push({ row: 1, col, hop: hops });
    edges.push({
      from: { row: 0, col: first },
      to: { row: 1, col },
      hop: hops,
      way: col === last,
    });
  }
  return { rows: 1, hops, lit, edges };
}
