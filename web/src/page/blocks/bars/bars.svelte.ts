// Columns of bars and what stands below them: which steps of the run, on which scale, and what was drawn by hand.

import type { Step } from '../../../shared/engine';
import { short } from '../../parts/format';
import { gridOf, usualLayout, type Grid } from '../../parts/grid';
import { OpenCell } from '../../inspect/opened.svelte';
import type { Role, Scale } from '../../parts/palette';
import { Derived } from '../../store/derived.svelte';
import type { Lab } from '../../store/lab';
import { LiveRun } from '../../store/live.svelte';
import type { Trace } from '../../store/trace';
import { readEdits, requested, withEdit, writeEdits } from '../stage/edits';
import { stepRole } from '../../parts/roles';
import { leftOver, scaleOf } from './place';
import type { Column, Options } from './schema';

const SOFTMAX = new Set(['softmax', 'masked_softmax']);

interface Drawn {
  title: string;
  role: Role;
  edit: boolean;
  by: number;
  map: Grid | undefined;
  scale: Scale;
  shares: boolean; // it adds up to 1, and says so
  total: Grid | undefined;
}

/** What can be open, as a link has it: the first column is `ca`. */
export const key = (what: 'c' | 't' | 's', i: number): string =>
  what + 'abcdefghijklmnop'.charAt(i);

/** One axis down, nothing across. */
function upright(trace: Trace, step: Step): Grid {
  const { cols } = usualLayout(step);
  return gridOf(trace, step, { rows: cols, fixed: [] });
}

export class Bars {
  readonly live: LiveRun;
  readonly open: OpenCell;
  readonly #sums: (Derived | undefined)[];
  readonly #totals: Derived[];

  readonly edits = $derived.by(() => readEdits(this.lab.state.text(`${this.id}.edits`)) ?? []);
  /** What shares out nothing and has no scale of its own is drawn on one scale, so that lengths can be compared and added. */
  readonly #common = $derived.by(() =>
    scaleOf(
      this.options.columns.flatMap((column, i) =>
        column.max !== undefined || this.#shares(column)
          ? []
          : [...(this.#map(column, i)?.values ?? [])],
      ),
    ),
  );
  readonly columns = $derived.by((): Drawn[] =>
    this.options.columns.map((column, i) => this.#drawn(column, i)),
  );
  readonly first = $derived(this.columns.find(({ map }) => map !== undefined)?.map);
  readonly singles = $derived.by(() =>
    this.options.also.flatMap(({ step: name, label }) => {
      const step = this.live.trace?.find(name);
      if (!step) return [];
      const title = label?.[this.lab.lesson.lang] ?? this.lab.words.step(name);
      return [{ title, map: upright(this.live.trace!, step) }];
    }),
  );
  readonly left = $derived.by(() => {
    const step = this.options.left && this.live.trace?.find(this.options.left);
    if (!step) return undefined;
    const value = this.live.trace!.values(step)[0]!;
    const kind = leftOver(value);
    return { kind, over: kind === 'over', by: short(Math.abs(value), 2) };
  });

  /** Call this while a component is being set up. */
  constructor(
    private readonly lab: Lab,
    private readonly id: string,
    private readonly options: Options,
  ) {
    this.live = new LiveRun(() => ({
      session: lab.session(options.session),
      request: {
        inputs: lab.resolve(options.inputs),
        edits: requested(this.edits),
        want: this.#wanted(),
      },
    }));
    this.#sums = options.columns.map((column) =>
      column.sum === undefined
        ? undefined
        : new Derived(() => this.#question(column, { sum: column.sum })),
    );
    this.#totals = options.columns.map(
      (column) =>
        new Derived(() =>
          this.#shares(column) ? this.#question(column, { sum: this.#axis(column) }) : undefined,
        ),
    );
    this.open = new OpenCell(lab.state, `${id}.open`, () => this.#maps());
  }

  get error(): Error | undefined {
    const derived = [...this.#sums, ...this.#totals].find((each) => each?.error);
    return this.live.error ?? derived?.error;
  }

  /** What is drawn by hand is an edit of the input: what follows is computed from it. */
  set(step: Step, cell: number[], value: number): void {
    const edit = { step: step.name, cell, value };
    this.lab.state.set(`${this.id}.edits`, writeEdits(withEdit(this.edits, edit)), 'tune');
  }

  undo(): void {
    this.lab.state.set(`${this.id}.edits`, '');
  }

  #name({ step }: Column): string {
    return typeof step === 'string' ? step : this.lab.state.text(step.state);
  }

  #step(column: Column): Step | undefined {
    return this.live.trace?.find(this.#name(column));
  }

  #wanted(): string[] {
    const { columns, also, left } = this.options;
    const names = [...columns.map((each) => this.#name(each)), ...also.map(({ step }) => step)];
    return (left === undefined ? names : [...names, left]).filter(
      (name, i, all) => all.indexOf(name) === i,
    );
  }

  /** Shares of one whole: weights, and what is to be shared out by hand. */
  #shares(column: Column): boolean {
    const step = this.#step(column);
    if (!step || column.sum !== undefined) return false;
    return SOFTMAX.has(step.op) || (column.edit && this.options.left !== undefined);
  }

  #axis(column: Column): string | undefined {
    return this.#step(column)?.axes.at(-1)?.name;
  }

  #question(column: Column, how: { sum: string | undefined }) {
    const { trace } = this.live;
    const step = this.#step(column);
    if (!trace || !step || how.sum === undefined) return undefined;
    return { trace, what: { step: step.name, sum: how.sum } };
  }

  #map(column: Column, i: number): Grid | undefined {
    const { trace } = this.live;
    if (!trace) return undefined;
    const step = column.sum === undefined ? this.#step(column) : this.#summed(i);
    return step && upright(trace, step);
  }

  #summed(i: number): Step | undefined {
    return this.#sums[i]?.found?.step;
  }

  #drawn(column: Column, i: number): Drawn {
    const { lesson, words } = this.lab;
    const map = this.#map(column, i);
    const name = this.#name(column);
    const shares = this.#shares(column);
    const total = this.#totals[i]?.found;
    const wish = column.max ?? (shares ? 1 : undefined);
    return {
      title: column.label?.[lesson.lang] ?? words.step(name),
      role: column.role ?? stepRole(name),
      edit: column.edit,
      by: column.step_by,
      map,
      scale: wish === undefined ? this.#common : scaleOf(map?.values ?? [], wish),
      shares,
      total: total && upright(total.trace, total.step),
    };
  }

  #maps(): Record<string, Grid | undefined> {
    return Object.fromEntries([
      ...this.columns.map(({ map }, i) => [key('c', i), map] as const),
      ...this.columns.map(({ total }, i) => [key('t', i), total] as const),
      ...this.singles.map(({ map }, i) => [key('s', i), map] as const),
    ]);
  }
}
