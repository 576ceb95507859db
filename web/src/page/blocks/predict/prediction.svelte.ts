// A hidden number, shape or step: what the learner says of it, and what the engine says to that.

import type { Explained, Step } from '../../../shared/engine';
import { grid, place, usualLayout, type Grid } from '../../parts/grid';
import { asError, isAbort } from '../../store/errors';
import type { Lab } from '../../store/lab';
import { LiveRun } from '../../store/live.svelte';
import type { Trace } from '../../store/trace';
import {
  candidates,
  computed,
  isNumber,
  likeness,
  markShape,
  markStep,
  plainNumber,
  readShape,
} from './mark';
import type { Options } from './schema';

export class Prediction {
  readonly live: LiveRun;
  error = $state.raw<Error>();
  /** The engine's word on the number typed, for the run and the guess it was asked about. */
  #marked = $state.raw<{ trace: Trace; typed: string; explained: Explained }>();

  readonly step = $derived.by((): Step | undefined => this.live.trace?.step(this.options.step));
  readonly cell = $derived.by(() =>
    this.step?.axes.map(({ size }, i) => Math.min(this.options.cell[i] ?? 0, size - 1)),
  );
  readonly guess = $derived.by(() => this.lab.state.text(`${this.id}.guess`));
  readonly shown = $derived.by(() => this.lab.state.get(`${this.id}.shown`) === true);

  /** The step with its number hidden: what is drawn cannot give it away. */
  readonly map = $derived.by(() => this.#map());
  readonly hidden = $derived(this.map && this.cell ? place(this.map, this.cell) : undefined);
  /** In the order in which they are computed. */
  readonly steps = $derived.by(() => computed(this.live.trace?.steps ?? []));
  readonly choices = $derived.by(() =>
    candidates(this.steps, this.options.step, this.options.among),
  );
  readonly next = $derived.by(
    (): Step | undefined =>
      this.steps[this.steps.findIndex(({ name }) => name === this.options.step) + 1],
  );

  readonly explained = $derived.by(() => {
    const { trace, typed, explained } = this.#marked ?? {};
    const now = trace === this.live.trace && typed === this.typed;
    return now ? explained : undefined;
  });
  readonly typed = $derived(plainNumber(this.guess));
  readonly like = $derived.by(() => {
    const { explained, map, hidden } = this;
    if (!explained?.guess || explained.guess.right || !map || !hidden) return undefined;
    return likeness(this.typed, explained, map, hidden);
  });
  readonly shape = $derived.by(() => {
    const sizes = readShape(this.guess);
    return sizes && this.step ? markShape(sizes, this.step.axes) : undefined;
  });
  readonly order = $derived.by(() => markStep(this.steps, this.options.step, this.guess));

  /** Undefined while nothing was said, or while the engine has not answered. */
  readonly right = $derived.by((): boolean | undefined => {
    if (this.guess === '') return undefined;
    if (this.options.hide === 'cell') return this.explained?.guess?.right;
    return (this.options.hide === 'shape' ? this.shape : this.order)?.right;
  });
  readonly over = $derived(this.shown || this.right === true);
  /** What was typed is no answer at all. */
  readonly unreadable = $derived.by(() => {
    if (this.guess === '') return false;
    if (this.options.hide === 'cell') return !isNumber(this.typed);
    if (this.options.hide === 'shape') return readShape(this.guess) === undefined;
    return this.live.trace !== undefined && this.order === undefined;
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
        want: options.hide === 'step' ? options.want : [options.step, ...options.given],
      },
    }));
    if (options.hide === 'cell') this.#mark();
  }

  say(guess: string): void {
    this.lab.state.assign({ [`${this.id}.guess`]: guess.trim(), [`${this.id}.shown`]: false });
  }

  show(): void {
    this.lab.state.set(`${this.id}.shown`, true);
  }

  again(): void {
    this.lab.state.assign({ [`${this.id}.guess`]: '', [`${this.id}.shown`]: false });
  }

  #mark(): void {
    $effect(() => {
      const { typed, cell } = this;
      const { trace } = this.live;
      if (!trace || !cell || !isNumber(typed)) return;
      const stop = new AbortController();
      const question = { step: this.options.step, cell, guess: typed };
      trace.explain(question, { signal: stop.signal }).then(
        (explained) => {
          this.error = undefined;
          this.#marked = { trace, typed, explained };
        },
        (error: unknown) => {
          if (!stop.signal.aborted && !isAbort(error)) this.error = asError(error);
        },
      );
      return () => stop.abort();
    });
  }

  #map(): Grid | undefined {
    const { step, cell } = this;
    const { trace } = this.live;
    if (!trace || !step || !cell || this.options.hide !== 'cell') return undefined;
    const whole = grid(step, trace.values(step), { ...usualLayout(step), fixed: cell });
    const at = place(whole, cell);
    const value = (row: number, col: number): number =>
      row === at?.row && col === at.col ? NaN : whole.value(row, col);
    return { ...whole, value };
  }
}
