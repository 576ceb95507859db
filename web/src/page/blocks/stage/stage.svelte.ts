// What the stage shows and where it stands. The place (step, turn, cell) lives in the lesson's state,
// and so in the URL; everything else follows from it and from the run.

import type { Step } from '../../../shared/engine';
import { grid, place, usualLayout, wideAxes, type Grid } from '../../parts/grid';
import type { Place } from '../../parts/paint';
import { LiveRun } from '../../store/live.svelte';
import type { Lab } from '../../store/lab';
import type { Change } from '../../store/state.svelte';
import { inside, isStacked } from '../../store/trace';
import type { Options } from './schema';
import { groups, stopAt, stops } from './stops';
import { topColumns } from './top';

export function readCell(text: string): number[] | undefined {
  return /^\d+(,\d+)*$/.test(text) ? text.split(',').map(Number) : undefined;
}

const LEAD = 4; // steps

export class Stage {
  readonly live: LiveRun;
  playing = $state(false);
  /** Where playing stops; without it at the end. */
  until: number | undefined;
  /** Rows and columns that the reader chose instead of the usual ones, by step. */
  chosen = $state<Record<string, { rows?: number; cols?: number }>>({});
  /** Where the axes stand that are neither rows nor columns (a head, a hidden unit), by step. */
  fixed = $state<Record<string, number[]>>({});
  everyColumn = $state(false);

  readonly trace = $derived.by(() => this.live.trace);
  readonly steps = $derived(this.trace?.steps ?? []);
  readonly groups = $derived(groups(this.steps));
  readonly stops = $derived(stops(this.steps));
  readonly stepIndex = $derived.by(() => {
    const name = this.#text('step');
    return Math.max(
      0,
      this.steps.findIndex((step) => step.name === name),
    );
  });
  readonly at = $derived.by(() => stopAt(this.stops, this.stepIndex, this.#number('time')));
  readonly step = $derived<Step | undefined>(this.steps[this.stepIndex]);
  readonly time = $derived.by(() => {
    const { step } = this;
    return step && isStacked(step)
      ? Math.min(this.#number('time'), step.axes[0]!.size - 1)
      : undefined;
  });
  readonly cell = $derived.by(() => {
    const cell = readCell(this.#text('cell'));
    return cell && this.step && inside(this.step.axes, cell) ? cell : undefined;
  });
  readonly grid = $derived.by(() => this.#grid());
  readonly selected = $derived(this.grid && this.cell && place(this.grid, this.cell));
  readonly currentRow = $derived.by(() =>
    this.grid?.rows.axis === 0 && this.time !== undefined && isStacked(this.grid.step)
      ? this.grid.rows.indices.indexOf(this.time)
      : undefined,
  );

  constructor(
    private readonly lab: Lab,
    private readonly id: string,
    options: Options,
  ) {
    this.live = new LiveRun(() => ({
      session: lab.session(options.session),
      request: { inputs: lab.resolve(options.inputs), want: options.want },
    }));
    this.#checkPlace();
  }

  /** A link may name a step or a cell that this run does not have; a shorter sentence may lose one. */
  #checkPlace(): void {
    let first = true;
    $effect(() => {
      if (!this.trace) return;
      const told = first;
      first = false;
      const step = this.#text('step');
      const cell = this.#text('cell');
      if (step !== '' && !this.trace.find(step)) this.lab.state.drop(`${this.id}.step`, told);
      if (cell !== '' && !this.cell) this.lab.state.drop(`${this.id}.cell`, told);
    });
  }

  /** Once, when first seen: the last few steps before the one that the lesson begins with. */
  lead(): void {
    if (this.playing || !this.#untouched()) return;
    this.until = this.at;
    this.go(this.at - LEAD);
    this.playing = true;
  }

  /** One step on; at the end of the way playing stops, and what the lesson had open opens again. */
  beat(): void {
    if (this.at < (this.until ?? this.stops.length - 1)) return this.go(this.at + 1);
    this.playing = false;
    if (this.until === undefined) return;
    this.until = undefined;
    const key = `${this.id}.cell`;
    this.lab.state.set(key, this.lab.state.fields[key]!.default, 'tune');
  }

  /** The reader takes over. */
  interrupt(): void {
    if (this.until === undefined) return;
    this.until = undefined;
    this.playing = false;
  }

  #untouched(): boolean {
    const { state } = this.lab;
    return ['step', 'time', 'cell'].every((key) => {
      const name = `${this.id}.${key}`;
      return state.get(name) === state.fields[name]?.default;
    });
  }

  go(stop: number, change: Change = 'tune'): void {
    const to = this.stops[Math.max(0, Math.min(stop, this.stops.length - 1))];
    if (to) this.#move(to.step, to.time ?? this.#number('time'), undefined, change);
  }

  goToStep(step: number): void {
    this.go(stopAt(this.stops, step, this.#number('time')), 'step');
  }

  goToTime(time: number): void {
    this.#move(this.stepIndex, time, undefined, 'step');
  }

  /** A cell of any step of the run; for a stacked step the turn comes first. */
  open(name: string, cell: number[]): void {
    const index = this.steps.findIndex((step) => step.name === name);
    const step = this.steps[index];
    if (!step || !inside(step.axes, cell)) return;
    const time = isStacked(step) ? cell[0]! : this.#number('time');
    this.playing = false;
    this.fixed[step.name] = cell;
    this.#move(index, time, cell, 'step');
  }

  pick(at: Place): void {
    if (this.grid) this.open(this.grid.step.name, this.grid.cell(at.row, at.col));
  }

  choose(axes: { rows?: number; cols?: number }): void {
    const name = this.step?.name;
    if (name !== undefined) this.chosen[name] = { ...this.chosen[name], ...axes };
  }

  fix(axis: number, index: number): void {
    if (!this.step) return;
    if (axis === 0 && isStacked(this.step)) return this.goToTime(index);
    const now = [...(this.fixed[this.step.name] ?? this.step.axes.map(() => 0))];
    now[axis] = index;
    this.fixed[this.step.name] = now;
    this.#move(this.stepIndex, this.#number('time'), undefined, 'tune');
  }

  /** The axes that need a picker: those with something to pick that the map does not show. */
  readonly pickers = $derived.by(() => {
    const shown = [this.grid?.rows.axis, this.grid?.cols.axis];
    return this.step ? wideAxes(this.step).filter((axis) => !shown.includes(axis)) : [];
  });

  fixedAt(axis: number): number {
    if (!this.step) return 0;
    if (axis === 0 && isStacked(this.step)) return this.time ?? 0;
    return this.fixed[this.step.name]?.[axis] ?? 0;
  }

  #grid(): Grid | undefined {
    const { step, trace } = this;
    if (!step || !trace) return undefined;
    const layout = {
      ...usualLayout(step),
      ...this.chosen[step.name],
      fixed: step.axes.map((_, axis) => this.fixedAt(axis)),
    };
    const whole = grid(step, trace.values(step), layout);
    if (this.everyColumn) return whole;
    const cols = topColumns(whole, this.time ?? 0, this.cell);
    return cols ? grid(step, trace.values(step), layout, { cols }) : whole;
  }

  #move(step: number, time: number, cell: number[] | undefined, change: Change): void {
    const name = this.steps[step]?.name;
    if (name === undefined) return;
    this.lab.state.assign(
      {
        [`${this.id}.step`]: name,
        [`${this.id}.time`]: time,
        [`${this.id}.cell`]: cell?.join(',') ?? '',
      },
      change,
    );
  }

  #text(key: string): string {
    return this.lab.state.text(`${this.id}.${key}`);
  }

  #number(key: string): number {
    return this.lab.state.number(`${this.id}.${key}`);
  }
}
