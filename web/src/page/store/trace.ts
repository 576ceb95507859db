// One run's steps and values: read-only, exactly what the engine sent.

import type { Axis, Derivation, Explained, Ran, Reply, Requests, Step } from '../../shared/engine';
import type { CallOptions, Engine } from './engine.svelte';
import { withheld, type Hidden } from './hidden';

/** What to explain: a cell of a step (its turn first) or of a node (without). */
export type Question = Omit<Requests['explain']['request'], 'run'>;

export class Trace {
  readonly ran: Ran;
  readonly #data: Float32Array;
  readonly #derived = new Map<Step, Float32Array>();
  #closed = false;
  #whole: Trace | undefined; // the run as it is, where one of its numbers is hidden here
  #hidden: Hidden | undefined;

  /** `engine`: the worker that keeps the run, and so can explain it. */
  constructor(
    reply: Reply<'run'>,
    readonly engine: Engine | undefined = undefined,
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

  /** Row-major, or undefined where the step has no gradient. */
  values(step: Step): Float32Array;
  values(step: Step, gradient: boolean): Float32Array | undefined;
  values(step: Step, gradient = false): Float32Array | undefined {
    const from = gradient ? step.gradient_offset : step.offset;
    if (from === undefined) return undefined;
    return (this.#derived.get(step) ?? this.#data).subarray(from, from + count(step.axes));
  }

  /** Of a step that a mask acts on, in the step's own shape: 1 takes part, 0 is hidden. */
  mask(step: Step): Float32Array | undefined {
    const from = step.mask_offset;
    if (from === undefined) return undefined;
    return (this.#derived.get(step) ?? this.#data).subarray(from, from + count(step.axes));
  }

  /** The same run with one of its numbers hidden: whatever is drawn, written or saved of it does not have that number. */
  without(name: string, cell: number[]): Trace {
    const step = this.find(name);
    if (!step || !inside(step.axes, cell)) return this;
    const data = this.#data.slice();
    data[step.offset + position(step.axes, cell)] = NaN;
    const other = new Trace({ head: this.ran, data }, this.engine);
    other.#whole = this;
    other.#hidden = { step: name, cell, value: this.at(step, cell) };
    return other;
  }

  /** Which of a step's numbers is hidden, as a place among its values. */
  hidden(step: Step): number | undefined {
    return this.#hidden?.step === step.name ? position(step.axes, this.#hidden.cell) : undefined;
  }

  /** Sums, means and differences, computed by the engine: steps of this run that open like any other. */
  async derive(what: Derivation[], options?: CallOptions): Promise<Step[]> {
    const { head, data } = await this.#ask('derive', { what }, options);
    for (const step of head.steps) this.#derived.set(step, data ?? new Float32Array());
    return head.steps;
  }

  async explain(question: Question, options?: CallOptions): Promise<Explained> {
    const { head } = await this.#ask('explain', question, options);
    return this.#hidden ? withheld(head, this.#hidden) : head;
  }

  /** Another run has taken the place of this one. */
  get closed(): boolean {
    return this.#closed || this.#whole?.closed === true;
  }

  /** The engine keeps a run's tensors until it is closed. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.engine?.state !== 'ready') return;
    await this.#ask('close', {}).catch(() => undefined); // of an earlier life of the worker
  }

  /** A question to a run whose place another one has taken meanwhile is given up; who asked it asks the other one. */
  async #ask<V extends 'derive' | 'explain' | 'close'>(
    verb: V,
    request: Omit<Requests[V]['request'], 'run'>,
    options?: CallOptions,
  ): Promise<Reply<V>> {
    if (!this.engine) throw new Error('this run is kept by no engine');
    try {
      return await this.engine.call(verb, { ...request, run: this.ran.run }, options);
    } catch (error) {
      if (this.closed) throw new DOMException('the run is closed', 'AbortError');
      throw error;
    }
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

/** A cell as the URL has it: `2,0,0,1`. */
export function readCell(text: string): number[] | undefined {
  return /^\d+(,\d+)*$/.test(text) ? text.split(',').map(Number) : undefined;
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
