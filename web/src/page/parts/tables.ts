// Maps and whole tensors as text for other programs.

import type { Step } from '../../shared/engine';
import { count } from '../store/trace';
import type { Grid } from './grid';

const LINE = '\r\n';

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function line(cells: string[]): string {
  return cells.map(quote).join(',');
}

/** Rows of cells, the first one their heads. */
export function table(rows: string[][]): string {
  return [...rows.map(line), ''].join(LINE);
}

/** What is shown: a line for each row, its sum behind it where there is one. */
export function csv(grid: Grid, sums?: Grid): string {
  const lines = grid.rows.labels.map((name, row) =>
    line([
      name,
      ...grid.cols.indices.map((_, col) => String(grid.value(row, col))),
      ...(sums ? [String(sums.value(row, 0))] : []),
    ]),
  );
  return [line(['', ...grid.cols.labels, ...(sums ? ['Σ'] : [])]), ...lines, ''].join(LINE);
}

/** A whole tensor: a line for each cell; its indices under the names of the axes, and their words where they have any. */
export function longCsv(step: Step, values: Float32Array): string {
  const head = step.axes.flatMap(({ name, labels }) => (labels ? [name, `${name}.label`] : [name]));
  const lines = [line([...head, 'value'])];
  const size = count(step.axes);
  for (let i = 0; i < size; i++) lines.push(line([...where(step, i), String(values[i])]));
  return [...lines, ''].join(LINE);
}

function where(step: Step, position: number): string[] {
  let rest = position;
  const indices = step.axes.toReversed().map(({ size }) => {
    const index = rest % size;
    rest = (rest - index) / size;
    return index;
  });
  return step.axes.flatMap(({ labels }, i) => {
    const index = indices[step.axes.length - 1 - i]!;
    return labels ? [String(index), labels[index] ?? ''] : [String(index)];
  });
}
