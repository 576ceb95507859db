// One recipe, trained from several seeds in turn, in the worker that trains.

import type { Progress } from '../../../shared/engine';
import { asError, isAbort } from '../../store/errors';
import type { Session } from '../../store/sessions.svelte';
import { scalar } from '../bleu/ngrams';
import type { Options } from './schema';

const SLICE_MS = 120;

export interface Answer {
  text: string;
  bleu: number;
}

export interface Trained {
  seed: number;
  progress: Progress | undefined;
  answers: Answer[]; // of the checks, once it is trained
}

/** Rows that wait for their turn. */
export function waiting(first: number, seeds: number): Trained[] {
  return Array.from({ length: seeds }, (_, i) => ({
    seed: first + i,
    progress: undefined,
    answers: [],
  }));
}

export class SeedRuns {
  rows = $state.raw<Trained[]>([]);
  running = $state(false);
  error = $state.raw<Error>();

  #stop: AbortController | undefined;

  constructor(
    private readonly session: Session,
    private readonly marks: Session,
    private readonly options: Options,
  ) {}

  async start(first: number): Promise<void> {
    this.stop();
    const stop = new AbortController();
    this.#stop = stop;
    this.rows = waiting(first, this.options.seeds);
    this.error = undefined;
    this.running = true;
    try {
      for (const { seed } of this.rows) await this.#train(seed, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted && !isAbort(error)) this.error = asError(error);
    }
    if (this.#stop === stop) this.running = false;
  }

  stop(): void {
    this.#stop?.abort();
    this.running = false;
  }

  async #train(seed: number, signal: AbortSignal): Promise<void> {
    const { train } = this.session.bench;
    await train.ready();
    const { request } = await this.session.opening(true);
    signal.throwIfAborted();
    const config = { ...request.config, seed };
    const { head } = await train.call('open', { ...request, config });
    try {
      let progress: Progress;
      do {
        signal.throwIfAborted();
        const call = { session: head.session, budget_ms: SLICE_MS };
        progress = (await train.call('train', call)).head;
        signal.throwIfAborted();
        this.#show({ seed, progress, answers: [] });
      } while (progress.state === 'training');
      this.#show({ seed, progress, answers: await this.#answers(head.session, signal) });
    } finally {
      await train.call('close', { session: head.session }).catch(() => undefined);
    }
  }

  #show(row: Trained): void {
    this.rows = this.rows.map((old) => (old.seed === row.seed ? row : old));
  }

  async #answers(session: number, signal: AbortSignal): Promise<Answer[]> {
    const { train } = this.session.bench;
    const answers: Answer[] = [];
    for (const { source, target } of this.options.checks) {
      const inputs = { sentence: source };
      const { head } = await train.call('run', { session, inputs, want: [] }, { signal });
      const text = head.translation?.text ?? '';
      const marked = { prediction: text, label: target, k: 2 };
      const trace = await this.marks.trace({ inputs: marked, want: ['bleu'] }, signal);
      answers.push({ text, bleu: scalar(trace, 'bleu') });
      await trace.close();
    }
    return answers;
  }
}
