// The cell that is open beside a map, as the lesson's state and so the URL has it.

import { inside, type Question } from '../store/trace';
import type { Grid } from '../parts/grid';

/** What a link remembers of an open cell: whose it is (`map`, `sum`, `mean` …) and which, as `sum:2,0`. */
export function writeOpen(whose: string, cell: number[]): string {
  return `${whose}:${cell.join(',')}`;
}

export function readOpen(text: string): { whose: string; cell: number[] } | undefined {
  const [, whose, cell] = /^([a-z]+):(\d+(?:,\d+)*)?$/.exec(text) ?? [];
  return whose === undefined ? undefined : { whose, cell: cell?.split(',').map(Number) ?? [] };
}

/** What to ask the engine for: a cell of a step of the run, or of what was derived from it; nothing if it is not there. */
export function openedOf(
  opened: ReturnType<typeof readOpen>,
  maps: Partial<Record<string, Grid>>,
): Question | undefined {
  const step = opened && maps[opened.whose]?.step;
  if (!step || !inside(step.axes, opened.cell)) return undefined;
  const { cell } = opened;
  return step.name.startsWith('derived.')
    ? { node: step.nodes[0]!, cell }
    : { step: step.name, cell };
}
