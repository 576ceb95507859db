// What the lesson hides on a stage until the learner has said it: a number, a shape, or what comes next.

import type { Step } from '../../../shared/engine';
import type { Lab } from '../../store/lab';
import type { Trace } from '../../store/trace';
import { Prediction } from '../predict/prediction.svelte';
import type { Hide } from './schema';

export class Hiding {
  readonly prediction: Prediction;
  /** The answer that was right once: a new run with other numbers hides nothing again. */
  #found = $state('');
  readonly asks = $derived.by(() => {
    const { over, guess } = this.prediction;
    return !over && (guess === '' || guess !== this.#found);
  });
  /** The run without the number that is asked for. */
  readonly trace = $derived.by((): Trace | undefined => {
    const { what, step } = this.hide;
    const trace = this.run();
    const { cell } = this.prediction;
    return this.asks && what === 'cell' && cell ? trace?.without(step, cell) : trace;
  });

  /** Call this while a component is being set up. */
  constructor(
    lab: Lab,
    id: string,
    readonly hide: Hide,
    private readonly run: () => Trace | undefined,
  ) {
    this.prediction = new Prediction(lab, id, { ...hide, hide: hide.what }, run);
    $effect(() => {
      if (this.prediction.right === true) this.#found = this.prediction.guess;
    });
  }

  /** Sizes, and which step is next, could be read from what comes after: it is not there yet. */
  walked(steps: Step[]): Step[] {
    if (!this.endsHere) return steps;
    return steps.slice(0, steps.findIndex(({ name }) => name === this.hide.step) + 1);
  }

  get endsHere(): boolean {
    return this.asks && this.hide.what !== 'cell';
  }

  /** Its shape is asked for. */
  conceals(step: Step | undefined): boolean {
    return this.asks && this.hide.what === 'shape' && step?.name === this.hide.step;
  }
}
