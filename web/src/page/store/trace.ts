// One run's steps and values: read-only, exactly what the engine sent.

import type { Axis, Ran, Reply, Step } from '../../shared/engine';
import type { Session } from './sessions.svelte';

export class Trace {
  readonly ran: Ran;
  readonly #data: Float32Array;

  constructor(
    reply: Reply<'run'>,
    readonly session: Session | undefined = undefined,
  ) {
    this.ran = reply.head;
    this.#data = reply.data ?? new Float32Array();
  }

  get steps(): Step[] {
    return this.ran.steps;
  }

  find(name: string): Step | undefined {
    return this.ran.steps.find((step) => step.name === name);
  }

  /** A lesson names steps; a name that the run does not have is the lesson's fault, and is told. */
  step(name: string): Step {
    const step = this.find(name);
    if (!step) {
      const known = this.steps.map((each) => each.name).join(', ');
      throw new Error(`no step "${name}" in this run (there are: ${known})`);
    }
    return step;
  }

  values(step: Step): Float32Array {
    return this.#data.subarray(step.offset, step.offset + count(step.axes));
  }

  at(step: Step, cell: number[]): number {
    return this.#data[step.offset + position(step.axes, cell)] ?? NaN;
  }
}

export function count(axes: Axis[]): number {
  return axes.reduce((product, axis) => product * axis.size, 1);
}

/** Row-major: the last axis runs fastest. */
export function position(axes: Axis[], cell: number[]): number {
  return axes.reduce((sum, axis, i) => sum * axis.size + (cell[i] ?? 0), 0);
}

export function inside(axes: Axis[], cell: number[]): boolean {
  return (
    cell.length === axes.length &&
    cell.every((index, i) => Number.isInteger(index) && index >= 0 && index < axes[i]!.size)
  );
}

/** A step that a loop made has one node a turn, stacked along its first axis: `time`, or the keys in turn. */
export function isStacked(step: Step): boolean {
  const [first] = step.axes;
  return step.nodes.length === first?.size && (step.nodes.length > 1 || first.name === 'time');
}
