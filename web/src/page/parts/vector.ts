// The numbers of a step along one axis.

import type { Step } from '../../shared/engine';
import type { Trace } from '../store/trace';

/** Which axis runs: the last one that `at` does not hold still. */
export function running(step: Step, at: Record<string, number>): number {
  return step.axes.findLastIndex(({ name }) => at[name] === undefined);
}

export function vector(trace: Trace, name: string, at: Record<string, number> = {}): number[] {
  const step = trace.step(name);
  const along = running(step, at);
  const cell = step.axes.map((axis) => at[axis.name] ?? 0);
  if (along < 0) return [trace.at(step, cell)];
  return Array.from({ length: step.axes[along]!.size }, (_, i) =>
    trace.at(step, cell.with(along, i)),
  );
}
