// Where the lines of the map run, from where its boxes lie.

import type { Part } from './parts';

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
  column: number;
  order: number; // within its column
}

const OUT = 11; // how far a line that skips boxes goes out to the side
const BEND = 5;

/** Straight to the next box; round the boxes between; or across to the other column. */
export function route(from: Box, to: Box, lane = 0): string {
  if (from.column !== to.column) return across(from, to, lane);
  if (to.order === from.order + 1) {
    const x = from.left + from.width / 2;
    return `M${x} ${from.top + from.height}V${to.top}`;
  }
  const x = from.left - OUT;
  const [y1, y2] = [from.top + from.height - 6, to.top + 6];
  return `M${from.left} ${y1}H${x + BEND}Q${x} ${y1} ${x} ${y1 + BEND}V${y2 - BEND}Q${x} ${y2} ${x + BEND} ${y2}H${to.left}`;
}

/** `lane`: lines of several roles run side by side. */
function across(from: Box, to: Box, lane: number): string {
  const right = from.left + from.width;
  const middle = right + (to.left - right) / 2 - 4 + 5 * lane;
  const y1 = from.top + from.height / 2 + 5 * lane;
  const y2 = to.top + to.height / 2 + 5 * lane;
  return `M${right} ${y1}H${middle}V${y2}H${to.left}`;
}

/** In the page's own units, within the board. */
export function measured(board: HTMLElement | undefined, columns: Part[][]): Map<string, Box> {
  const found = new Map<string, Box>();
  columns.forEach((parts, column) =>
    parts.forEach(({ name }, order) => {
      const box = board?.querySelector<HTMLElement>(`[data-name="${name}"]`);
      if (!box) return;
      const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = box;
      found.set(name, { left, top, width, height, column, order });
    }),
  );
  return found;
}
