// One of several choices: its run, what is shown of it, and the numbers by which it is judged.

import { gridOf, usualLayout, type Grid } from '../../parts/grid';
import { Derived } from '../../store/derived.svelte';
import type { Lab } from '../../store/lab';
import { LiveRun } from '../../store/live.svelte';
import type { Choice, Options } from './schema';

function unnamed(map: Grid): Grid {
  return { ...map, rows: { ...map.rows, means: '' }, cols: { ...map.cols, means: '' } };
}

export class Chosen {
  readonly live: LiveRun;
  readonly #across: Derived;
  readonly #down: Derived;

  readonly step = $derived.by(() => this.live.trace?.find(this.choice.step));
  /** As it lies: the first axis down, whatever it means. A question that named the axes would give them away. */
  readonly map = $derived.by((): Grid | undefined => {
    const { step } = this;
    if (!step || this.choice.cell) return undefined;
    const { cols = 0, rows } = usualLayout(step);
    const [down, across] =
      rows === undefined ? [undefined, cols] : [rows, cols].toSorted((a, b) => a - b);
    return unnamed(gridOf(this.live.trace!, step, { rows: down, cols: across, fixed: [] }));
  });
  readonly sums = $derived.by(() => this.#sums(this.#across));
  readonly columnSums = $derived.by(() => this.#sums(this.#down));
  readonly numbers = $derived.by((): number[] | undefined => {
    const { by } = this.options;
    const { cell = by === undefined ? undefined : [] } = this.choice;
    if (!cell) return this.sums;
    const step = by === undefined ? this.step : this.live.trace?.find(by);
    return step && [this.live.trace!.at(step, cell)];
  });

  /** Call this while a component is being set up. */
  constructor(
    lab: Lab,
    private readonly options: Options,
    readonly choice: Choice,
  ) {
    this.live = new LiveRun(() => ({
      session: lab.session(choice.session ?? options.session ?? ''),
      request: {
        inputs: { ...lab.resolve(options.inputs), ...lab.resolve(choice.inputs) },
        want: [choice.step, ...(options.by === undefined ? [] : [options.by])],
      },
    }));
    this.#across = new Derived(() => this.#question(this.map?.cols.name));
    this.#down = new Derived(() => this.#question(this.map?.rows.name));
  }

  get error(): Error | undefined {
    return this.live.error ?? this.#across.error ?? this.#down.error;
  }

  #question(axis: string | undefined) {
    const { trace } = this.live;
    return trace && axis && this.options.by === undefined
      ? { trace, what: { step: this.choice.step, sum: axis } }
      : undefined;
  }

  #sums({ found }: Derived): number[] | undefined {
    return found && [...found.trace.values(found.step)];
  }
}
