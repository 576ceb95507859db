// The cell that is open beside a map, as the lesson's state and so the URL has it.

/** What a link remembers of an open cell: whose it is (`map`, `sum`, `mean` …) and which, as `sum:2,0`. */
export function writeOpen(whose: string, cell: number[]): string {
  return `${whose}:${cell.join(',')}`;
}

export function readOpen(text: string): { whose: string; cell: number[] } | undefined {
  const [, whose, cell] = /^([a-z]+):(\d+(?:,\d+)*)?$/.exec(text) ?? [];
  return whose === undefined ? undefined : { whose, cell: cell?.split(',').map(Number) ?? [] };
}
