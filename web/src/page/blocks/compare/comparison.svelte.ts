// Two runs that follow the lesson's state, the step that both show, and their difference, which the engine makes.

import type { Config, Step } from '../../../shared/engine';
import { editing } from '../../parts/edits';
import { grid, place, usualLayout, wideAxes, type Grid, type Layout } from '../../parts/grid';
import type { Place } from '../../parts/paint';
import type { Target } from '../../inspect/trail.svelte';
import { asError, isAbort } from '../../store/errors';
import type { Lab } from '../../store/lab';
import { LiveRun } from '../../store/live.svelte';
import type { Session } from '../../store/sessions.svelte';
import { inside, readCell, type Trace } from '../../store/trace';
import { common, difference, differing, fit, topOfBoth } from './pair';
import type { Options, Side, SIDES } from './schema';

export type Which = (typeof SIDES)[number];

interface Derived {
  a: Trace;
  b: Trace;
  name: string;
  step: Step;
}

export class Comparison {
  readonly a: LiveRun;
  readonly b: LiveRun;
  readonly sessions: { a: Session; b: Session };
  error = $state.raw<Error>();
  /** Inputs as they are where nothing is asked. */
  #usual = $state.raw<{ a: Config; b: Config }>({ a: {}, b: {} });
  #derived = $state.raw<Derived>();

  readonly steps = $derived.by(() =>
    this.a.trace && this.b.trace ? common(this.a.trace, this.b.trace) : undefined,
  );
  readonly name = $derived.by(() => {
    const wish = this.#text('step');
    const names = this.steps?.names ?? [];
    return names.includes(wish) ? wish : (names[0] ?? '');
  });
  readonly stepA = $derived.by(() => this.a.trace?.find(this.name));
  readonly stepB = $derived.by(() => this.b.trace?.find(this.name));
  readonly fit = $derived.by(() =>
    this.stepA && this.stepB ? fit(this.stepA, this.stepB) : undefined,
  );
  readonly difference = $derived.by(() => {
    const made = this.#derived;
    const mine = made?.a === this.a.trace && made?.b === this.b.trace && made?.name === this.name;
    return mine ? made?.step : undefined;
  });
  readonly maps = $derived.by(() => this.#maps());
  readonly which = $derived.by(() => this.#text('side') as Which);
  readonly cell = $derived.by(() => readCell(this.#text('cell')));
  readonly selected = $derived.by((): Place | undefined => {
    const map = this.maps?.[this.which] ?? this.maps?.a;
    return this.cell && map && place(map, this.cell);
  });

  /** Call this while a component is being set up. */
  constructor(
    private readonly lab: Lab,
    private readonly id: string,
    private readonly options: Options,
  ) {
    this.sessions = { a: this.#session(options.a), b: this.#session(options.b) };
    this.a = this.#run(options.a);
    this.b = this.#run(options.b);
    this.#derive();
    this.#checkPlace();
    void this.#askUsual();
  }

  /** What the two were opened and asked with, so that they can be named by what differs. */
  readonly settings = $derived.by((): { a: Config; b: Config; differ: string[] } | undefined => {
    const { a, b } = this.sessions;
    if (!a.opened || !b.opened) return undefined;
    const [x, y] = [
      { ...a.opened.config, ...this.#usual.a, ...this.#inputs(this.options.a) },
      { ...b.opened.config, ...this.#usual.b, ...this.#inputs(this.options.b) },
    ];
    return { a: x, b: y, differ: differing(x, y) };
  });

  /** The cell whose sum is open: of a run, or of the difference. */
  readonly target = $derived.by((): Target | undefined => {
    const { cell, which } = this;
    if (!cell) return undefined;
    if (which === 'difference') {
      if (!this.difference || !this.a.trace || !inside(this.difference.axes, cell))
        return undefined;
      return { trace: this.a.trace, question: { node: this.difference.nodes[0]!, cell } };
    }
    const trace = this[which].trace;
    const step = which === 'a' ? this.stepA : this.stepB;
    if (!trace || !step || !inside(step.axes, cell)) return undefined;
    return { trace, question: { step: step.name, cell } };
  });

  goTo(step: string): void {
    this.#set({ step, at: '', cell: '' });
  }

  /** The next step both have, or the one before. */
  move(by: number): void {
    const names = this.steps?.names ?? [];
    const to = names[names.indexOf(this.name) + by];
    if (to !== undefined) this.goTo(to);
  }

  pick(which: Which, at: Place): void {
    const cell = this.maps?.[which]?.cell(at.row, at.col);
    if (cell) this.#set({ side: which, cell: cell.join() });
  }

  /** Axes with something to pick that no map shows. */
  readonly pickers = $derived.by(() => {
    const shown = [this.maps?.a.rows.axis, this.maps?.a.cols.axis];
    return this.stepA ? wideAxes(this.stepA).filter((axis) => !shown.includes(axis)) : [];
  });

  fixedAt(axis: number): number {
    return readCell(this.#text('at'))?.[axis] ?? this.cell?.[axis] ?? 0;
  }

  fix(axis: number, index: number): void {
    const at = (this.stepA?.axes ?? []).map((_, i) => (i === axis ? index : this.fixedAt(i)));
    this.#set({ at: at.join(), cell: '' });
  }

  again(): void {
    this.error = undefined;
    for (const run of [this.a, this.b]) if (run.error) run.again();
  }

  /** An engine that does not start is told by the runs. */
  async #askUsual(): Promise<void> {
    const usual = async (session: Session): Promise<Config> => {
      const { inputs } = await session.model();
      return Object.fromEntries(inputs.map((input) => [input.name, input.default]));
    };
    try {
      const [a, b] = await Promise.all([usual(this.sessions.a), usual(this.sessions.b)]);
      this.#usual = { a, b };
    } catch (error) {
      this.error = asError(error);
    }
  }

  #session(side: Side): Session {
    const name = side.session ?? this.options.session;
    if (name === undefined)
      throw new Error('compare: neither the side nor the block has a session');
    return this.lab.session(name);
  }

  #inputs(side: Side): Config {
    return { ...this.lab.resolve(this.options.inputs), ...this.lab.resolve(side.inputs) };
  }

  #run(side: Side): LiveRun {
    return new LiveRun(() => ({
      session: this.#session(side),
      request: {
        inputs: this.#inputs(side),
        want: this.options.want,
        ...editing(side.edits, this.lab.state),
      },
    }));
  }

  #derive(): void {
    $effect(() => {
      const [a, b, name, how] = [this.a.trace, this.b.trace, this.name, this.fit];
      if (!a || !b || !how?.fits) return;
      const stop = new AbortController();
      const what = difference(name, b.ran.run, how.shared);
      a.derive([what], { signal: stop.signal }).then(
        ([step]) => {
          if (stop.signal.aborted || !step) return;
          this.error = undefined;
          this.#derived = { a, b, name, step };
        },
        (error: unknown) => {
          if (!stop.signal.aborted && !isAbort(error)) this.error = asError(error);
        },
      );
      return () => stop.abort();
    });
  }

  /** A link may name a step that the two do not share. */
  #checkPlace(): void {
    let first = true;
    $effect(() => {
      if (!this.steps) return;
      const told = first;
      first = false;
      const step = this.#text('step');
      if (step !== '' && !this.steps.names.includes(step))
        this.lab.state.drop(`${this.id}.step`, told);
    });
  }

  #maps(): { a: Grid; b: Grid; difference: Grid | undefined } | undefined {
    const [a, b] = [this.a.trace, this.b.trace];
    const { stepA, stepB, difference: derived } = this;
    if (!a || !b || !stepA || !stepB) return undefined;
    const layout: Layout = {
      ...usualLayout(stepA),
      fixed: stepA.axes.map((_, axis) => this.fixedAt(axis)),
    };
    const other = this.fit?.fits ? layout : { ...usualLayout(stepB), fixed: layout.fixed };
    const whole = {
      a: grid(stepA, a.values(stepA), layout),
      b: grid(stepB, b.values(stepB), other),
    };
    const cols = this.fit?.fits ? topOfBoth(whole.a, whole.b, this.fixedAt(0)) : undefined;
    return {
      a: cols ? grid(stepA, a.values(stepA), layout, { cols }) : whole.a,
      b: cols ? grid(stepB, b.values(stepB), other, { cols }) : whole.b,
      difference: derived && this.#difference(a, derived, layout, cols),
    };
  }

  #difference(a: Trace, derived: Step, layout: Layout, cols: number[] | undefined): Grid {
    const axes = this.fit?.fits ? this.fit.axes : derived.axes;
    return grid({ ...derived, axes }, a.values(derived), layout, { cols });
  }

  #set(values: Record<string, string>): void {
    const entries = Object.entries(values).map(([key, value]) => [`${this.id}.${key}`, value]);
    this.lab.state.assign(Object.fromEntries(entries) as Record<string, string>);
  }

  #text(key: string): string {
    return this.lab.state.text(`${this.id}.${key}`);
  }
}
