// Training in the `train` worker, slice by slice. To pause is not to ask for the next slice, so a
// pause loses nothing; to reset is to open again with the same settings and seed.

import type { Progress, Reply } from '../../shared/engine';
import { asError, isCrash } from './errors';
import type { RunRequest, Session } from './sessions.svelte';

const SLICE_MS = 80; // short enough that pause answers at once
const ONE_BATCH = 0; // the least that a slice can be
const SHARE_MS = 500; // how often the other blocks get the parameters while training runs

export type Phase = 'start' | 'running' | 'paused' | 'done' | 'diverged' | 'failed';

type Until = (progress: Progress) => boolean;

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export class Trainer {
  phase = $state<Phase>('start');
  progress = $state.raw<Progress>();
  error = $state.raw<Error>();

  #session: number | undefined;
  #life = -1;
  #loop: Promise<void> | undefined;
  #latest: Progress | undefined;
  #shared = 0;
  #handing: Promise<void> | undefined;
  #awaitsFrame = false;

  constructor(private readonly owner: Session) {}

  get #engine() {
    return this.owner.bench.train;
  }

  /** `pace`: milliseconds to rest after each batch, for a model that learns faster than one can watch. */
  play(pace = 0): Promise<void> {
    return this.#run(() => false, pace > 0 ? ONE_BATCH : SLICE_MS, pace);
  }

  /** On to the end of the running epoch, or of the next. */
  stepEpoch(): Promise<void> {
    const from = this.#latest?.epoch ?? 0;
    return this.#run((progress) => progress.epoch > from, ONE_BATCH, 0);
  }

  async pause(): Promise<void> {
    if (this.phase === 'running') this.phase = 'paused';
    await this.#loop;
  }

  /** Back to the same start; with changed settings, to theirs. */
  async reset(): Promise<void> {
    await this.pause();
    await this.#closeOld();
    this.#latest = undefined;
    this.error = undefined;
    this.phase = 'start';
    this.#draw();
    try {
      await this.owner.reopen();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Between two slices, in the session that trains. */
  async run(request: RunRequest, signal?: AbortSignal): Promise<Reply<'run'>> {
    const session = await this.#open();
    return this.#engine.call('run', { ...request, session }, { signal });
  }

  async #run(until: Until, budget: number, pace: number): Promise<void> {
    if (this.phase === 'running' || this.phase === 'done' || this.phase === 'diverged') return;
    await this.#loop;
    this.error = undefined;
    this.phase = 'running';
    this.#loop = this.#slices(until, budget, pace);
    await this.#loop;
  }

  async #slices(until: Until, budget: number, pace: number): Promise<void> {
    try {
      const session = await this.#open();
      while (this.phase === 'running') {
        const progress = await this.#slice(session, budget);
        if (progress.state !== 'training') this.phase = progress.state;
        else if (until(progress)) this.phase = 'paused';
        await this.#share(session, pace > 0);
        if (pace > 0 && this.phase === 'running') await sleep(pace);
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  async #slice(session: number, budget_ms: number): Promise<Progress> {
    const { head } = await this.#engine.call('train', { session, budget_ms });
    this.#latest = head;
    this.#drawSoon();
    return head;
  }

  async #open(): Promise<number> {
    await this.#engine.ready();
    if (this.#session !== undefined && this.#life === this.#engine.life) return this.#session;
    const { request, bytes } = await this.owner.opening(true);
    const { head } = await this.#engine.call('open', request, { bytes });
    this.#life = this.#engine.life;
    this.#session = head.session;
    return head.session;
  }

  async #closeOld(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined || this.#life !== this.#engine.life) return;
    if (this.#engine.state === 'ready') await this.#engine.call('close', { session });
  }

  /** Hands the parameters on. While training runs it does not wait for whoever takes them, and in a
   *  hidden tab, where nobody is looking, it hands on only what there is in the end. */
  async #share(session: number, always: boolean): Promise<void> {
    const running = this.phase === 'running';
    const early = !always && performance.now() - this.#shared < SHARE_MS;
    if (running && (early || document.hidden || this.#handing)) return;
    await this.#handing;
    const { bytes } = await this.#engine.call('save', { session });
    this.#shared = performance.now();
    if (bytes) this.#hand(bytes);
    if (!running) await this.#handing;
  }

  #hand(bytes: Uint8Array): void {
    this.#handing = this.owner
      .receive(bytes)
      .catch((error: unknown) => {
        this.error = asError(error); // the run itself goes on
      })
      .finally(() => (this.#handing = undefined));
  }

  /** At most once a frame; a hidden tab has no frames, so there drawing stops by itself. */
  #drawSoon(): void {
    if (this.#awaitsFrame) return;
    this.#awaitsFrame = true;
    requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#awaitsFrame = false;
    this.progress = this.#latest;
  }

  #failed(error: unknown): void {
    this.error = asError(error);
    this.phase = isCrash(error) ? 'failed' : 'paused';
  }
}
