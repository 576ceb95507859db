// A hidden number, shape or step: what the learner says of it, and what the engine says to that.

import type { Explained, Step } from '../../../shared/engine';
import { gridOf, place, usualLayout, type Grid } from '../../parts/grid';
import { asError, isAbort } from '../../store/errors';
import type { Lab } from '../../store/lab';
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

export interface Question {
  hide: 'cell' | 'shape' | 'step'; // what the learner is to say
  step: string;
  cell: number[];
  among: string[];
}

/** What is shown around a hidden number: its neighbours, their places alone, or nothing, where a map shows them already. */
export type Around = 'cells' | 'blanks' | 'nothing';

export class Prediction {
  error = $state.raw<Error>();
  /** The engine's word on the number typed, for the run and the guess it was asked about. */
  #marked = $state.raw<{ trace: Trace; typed: string; explained: Explained }>();

  readonly trace = $derived.by(() => this.run());
  readonly step = $derived.by((): Step | undefined => this.trace?.step(this.question.step));
  readonly cell = $derived.by(() =>
    this.step?.axes.map(({ size }, i) => Math.min(this.question.cell[i] ?? 0, size - 1)),
  );
  readonly guess = $derived.by(() => this.lab.state.text(`${this.id}.guess`));
  readonly shown = $derived.by(() => this.lab.state.get(`${this.id}.shown`) === true);

  /** The step with its number hidden: what is drawn cannot give it away. */
  readonly map = $derived.by(() => this.#map());
  readonly hidden = $derived(this.map && this.cell ? place(this.map, this.cell) : undefined);
  /** In the order in which they are computed. */
  readonly steps = $derived.by(() => computed(this.trace?.steps ?? []));
  readonly choices = $derived.by(() =>
    candidates(this.steps, this.question.step, this.question.among),
  );
  readonly next = $derived.by(
    (): Step | undefined =>
      this.steps[this.steps.findIndex(({ name }) => name === this.question.step) + 1],
  );

  readonly explained = $derived.by(() => {
    const { trace, typed, explained } = this.#marked ?? {};
    const now = trace === this.trace && typed === this.typed;
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
  readonly order = $derived.by(() => markStep(this.steps, this.question.step, this.guess));

  /** Undefined while nothing was said, or while the engine has not answered. */
  readonly right = $derived.by((): boolean | undefined => {
    if (this.guess === '') return undefined;
    if (this.question.hide === 'cell') return this.explained?.guess?.right;
    return (this.question.hide === 'shape' ? this.shape : this.order)?.right;
  });
  readonly over = $derived(this.shown || this.right === true);
  /** What was typed is no answer at all. */
  readonly unreadable = $derived.by(() => {
    if (this.guess === '') return false;
    if (this.question.hide === 'cell') return !isNumber(this.typed);
    if (this.question.hide === 'shape') return readShape(this.guess) === undefined;
    return this.trace !== undefined && this.order === undefined;
  });

  /** Call this while a component is being set up. */
  constructor(
    private readonly lab: Lab,
    private readonly id: string,
    readonly question: Question,
    private readonly run: () => Trace | undefined,
  ) {
    if (question.hide === 'cell') this.#mark();
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
      const { trace, typed, cell } = this;
      if (!trace || !cell || !isNumber(typed)) return;
      const stop = new AbortController();
      const question = { step: this.question.step, cell, guess: typed };
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
    const { trace, step, cell } = this;
    if (!trace || !step || !cell || this.question.hide !== 'cell') return undefined;
    return gridOf(trace.without(step.name, cell), step, { ...usualLayout(step), fixed: cell });
  }
}
