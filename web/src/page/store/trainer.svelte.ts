// Training in the `train` worker, slice by slice. To pause is not to ask for the next slice, so a
// pause loses nothing; to reset is to open again with the same settings and seed.

import type { Config, Progress, Reply } from '../../shared/engine';
import { asError, isCrash } from './errors';
import type { RunRequest, Session } from './sessions.svelte';

const SLICE_MS = 80; // short enough that pause answers at once
const ONE_BATCH = 0; // the least that a slice can be
const SHARE_MS = 500; // how often the other blocks get the parameters while training runs

export type Phase = 'start' | 'running' | 'paused' | 'done' | 'diverged' | 'failed';

type Until = (progress: Progress) => boolean;

/** The two files that a run goes on from: the parameters, and what training needs besides them. */
export interface Halted {
  weights: Uint8Array;
  checkpoint: Uint8Array;
}

/** Whoever looks on while a run goes on, between its slices. A watched run is cut into single batches, so that no epoch
 *  passes unseen. */
export interface Watch {
  /** After a slice. True: that was enough. */
  after: (progress: Progress) => Promise<boolean>;
  /** The run rests: paused, or at its end. */
  rests: () => Promise<void>;
  /** It stands at its start again. */
  begins: () => void;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export class Trainer {
  phase = $state<Phase>('start');
  progress = $state.raw<Progress>();
  error = $state.raw<Error>();
  watch: Watch | undefined;

  #session: number | undefined;
  #life = -1;
  #opening: Promise<number> | undefined;
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
    const single = pace > 0 || this.watch !== undefined;
    return this.#run(() => false, single ? ONE_BATCH : SLICE_MS, pace);
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
    this.watch?.begins();
    this.#draw();
    try {
      await this.owner.reopen();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** As they are in the worker that trains; nothing before the first step. */
  async weights(): Promise<Uint8Array | undefined> {
    const session = this.#live();
    return session === undefined ? undefined : (await this.#engine.call('save', { session })).bytes;
  }

  /** What the run needs to go on another day; nothing before its first step. A run that has diverged cannot go on. */
  async halted(): Promise<Halted | undefined> {
    const session = this.#live();
    if (session === undefined || this.phase === 'diverged') return undefined;
    const weights = await this.weights();
    const checkpoint = await this.#engine.call('save', { session, checkpoint: true });
    return { weights: weights!, checkpoint: checkpoint.bytes! };
  }

  /** Goes on from there; the engine judges the files first, and what it refuses changes nothing. `config`: what is to be
   *  another than the file of weights says. */
  async resume({ weights, checkpoint }: Halted, config: Config = {}): Promise<void> {
    await this.pause();
    const { request } = await this.owner.opening(true);
    const { head } = await this.#engine.call('open', { ...request, config }, { bytes: weights });
    const { session } = head;
    let progress: Progress;
    try {
      const loaded = await this.#engine.call(
        'load',
        { session, checkpoint: true },
        { bytes: checkpoint },
      );
      progress = loaded.head.progress!;
    } catch (error) {
      await this.#engine.call('close', { session });
      throw error;
    }
    await this.#closeOld();
    this.#session = session;
    this.#life = this.#engine.life;
    this.#latest = progress;
    this.error = undefined;
    this.phase = progress.state === 'training' ? 'paused' : progress.state;
    this.#draw();
    this.#hand(weights);
    await this.#handing;
  }

  /** A watched run that has begun and not failed. */
  get goesOn(): boolean {
    return this.watch !== undefined && ['running', 'paused', 'done'].includes(this.phase);
  }

  /** The same run with another number of epochs; one that it has passed already is refused, and the run stays as it is. */
  async goOnWith(config: Config): Promise<void> {
    try {
      await this.pause();
      const halted = await this.halted();
      if (halted) await this.resume(halted, config);
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
        if ((await this.watch?.after(progress)) && this.phase === 'running') this.phase = 'paused';
        await this.#share(session, pace > 0);
        if (pace > 0 && this.phase === 'running') await sleep(pace);
      }
      await this.watch?.rests();
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

  /** What is open, if it has not gone with its worker. */
  #live(): number | undefined {
    return this.#life === this.#engine.life ? this.#session : undefined;
  }

  /** Whoever asks meanwhile gets the same one: a second would never be closed. */
  #open(): Promise<number> {
    this.#opening ??= this.#openOnce().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #openOnce(): Promise<number> {
    await this.#engine.ready();
    const open = this.#live();
    if (open !== undefined) return open;
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
