// Several models in the worker that trains, a slice each in turn: whoever is behind goes next, so that at any moment they
// can be compared. To pause is not to ask; to begin again is to open again.

import { untrack } from 'svelte';
import type { Progress } from '../../../shared/engine';
import { asError, isAbort } from '../../store/errors';
import type { Session } from '../../store/sessions.svelte';
import { behind, finished, marked, type Limit, type Mark } from './order';

const SLICE_MS = 60; // short, so that lanes stay together and times of epochs are known well enough

export interface Runner {
  parameters: number | undefined;
  progress: Progress | undefined;
  marks: Mark[]; // when each epoch ended, and with what
  score: Record<string, number> | undefined; // in the end
}

const STILL: Runner = { parameters: undefined, progress: undefined, marks: [], score: undefined };

export class Race {
  runners = $state.raw<Runner[]>([]);
  phase = $state<'start' | 'running' | 'paused' | 'done'>('start');
  error = $state.raw<Error>();

  #open: number[] = [];
  #life = -1;
  #stop: AbortController | undefined;
  #loop: Promise<void> | undefined;

  /** Call this while a component is being set up. `limit` is what is the same for all. */
  constructor(
    private readonly sessions: Session[],
    private readonly metric: string,
    private readonly limit: () => Limit,
    private readonly scoring: () => Promise<Record<string, string> | undefined>,
  ) {
    this.#forget();
    const settings = $derived(
      JSON.stringify([sessions.map(({ spec, bench }) => bench.resolve(spec.config)), limit()]),
    );
    let before: string | undefined;
    $effect(() => {
      if (before !== undefined && settings !== before) untrack(() => void this.reset());
      before = settings;
    });
    $effect(() => () => void this.reset());
  }

  get #train() {
    return this.sessions[0]!.bench.train;
  }

  #forget(): void {
    this.runners = this.sessions.map(() => STILL);
  }

  async play(): Promise<void> {
    if (this.phase === 'running' || this.phase === 'done') return;
    await this.#loop;
    const stop = new AbortController();
    this.#stop = stop;
    this.error = undefined;
    this.phase = 'running';
    this.#loop = this.#go(stop.signal);
    await this.#loop;
  }

  async pause(): Promise<void> {
    this.#stop?.abort();
    if (this.phase === 'running') this.phase = 'paused';
    await this.#loop;
  }

  async reset(): Promise<void> {
    await this.pause();
    this.phase = 'start';
    this.error = undefined;
    this.#forget();
    await this.#close();
  }

  async #go(signal: AbortSignal): Promise<void> {
    try {
      await this.#openAll(signal);
      for (let at = this.#next(); at >= 0; at = this.#next()) {
        signal.throwIfAborted();
        await this.#slice(at);
      }
      await this.#scores(signal);
      this.phase = 'done';
      await this.#close();
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.error = asError(error);
      this.phase = 'paused';
      if (this.#train.life !== this.#life) this.#open = []; // the worker was restarted: all that was learnt is gone
    }
  }

  #next(): number {
    return behind(
      this.runners.map(({ progress }) => progress),
      this.limit(),
    );
  }

  async #openAll(signal: AbortSignal): Promise<void> {
    const { limit } = this;
    await this.#train.ready();
    if (this.#open.length > 0 && this.#train.life === this.#life) return;
    this.#forget();
    this.#open = [];
    this.#life = this.#train.life;
    for (const [i, session] of this.sessions.entries()) {
      const { request } = await session.opening(true);
      signal.throwIfAborted();
      const config = { ...request.config, epochs: limit().epochs };
      const { head } = await this.#train.call('open', { ...request, config });
      this.#open.push(head.session);
      this.#show(i, { parameters: head.parameters });
    }
  }

  async #slice(at: number): Promise<void> {
    const call = { session: this.#open[at]!, budget_ms: SLICE_MS };
    const { head: progress } = await this.#train.call('train', call);
    const marks = marked(this.runners[at]!.marks, progress, this.metric);
    this.#show(at, { progress, marks });
  }

  async #scores(signal: AbortSignal): Promise<void> {
    const inputs = await this.scoring();
    if (!inputs) return;
    for (const [i, session] of this.#open.entries()) {
      const { progress, score } = this.runners[i]!;
      if (score || !progress || !finished(progress, this.limit())) continue;
      if (progress.state === 'diverged') continue;
      const { head } = await this.#train.call('run', { session, inputs, want: [] }, { signal });
      this.#show(i, { score: head.metrics ?? {} });
      await this.#train.call('close', { run: head.run }).catch(() => undefined);
    }
  }

  #show(at: number, change: Partial<Runner>): void {
    this.runners = this.runners.map((runner, i) => (i === at ? { ...runner, ...change } : runner));
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    if (this.#train.life !== this.#life || this.#train.state !== 'ready') return;
    for (const session of open) await this.#train.call('close', { session }).catch(() => undefined);
  }
}
