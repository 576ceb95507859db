// A session of the lesson: one model in the `look` worker, opened when a block first needs it,
// shared by all blocks, and fed with the parameters that the `train` worker has learnt.

import type { Config, Model, Opened, Reply, Requests, Scalar } from '../../shared/engine';
import type { SessionSpec } from '../../shared/lesson';
import type { Engine } from './engine.svelte';
import { untrack } from 'svelte';
import { leaveOut } from './pairs';
import { Trace } from './trace';
import { Trainer } from './trainer.svelte';

/** Files that a session may need; fetched once and kept. */
export interface Files {
  weights(name: string): Promise<Uint8Array>;
  /** The file turned out to be unusable: the next try is a new download. */
  forgetWeights(name: string): void;
  pairs(name: string): Promise<{ pairs: string; valid: string }>;
  /** Changes whenever other pairs take the place of those of that name. */
  edition(name: string): string;
}

export interface Bench {
  look: Engine;
  train: Engine;
  files: Files;
  /** Follows `{"state": …}` in a session's config. */
  resolve(config: SessionSpec['config']): Config;
}

/** A file that the reader brings; with the settings and pairs that it may lack. */
export interface Brought {
  bytes: Uint8Array;
  config?: Config | undefined;
  data?: { pairs: string } | undefined;
}

export type RunRequest = Omit<Requests['run']['request'], 'session'>;

export class Session {
  opened = $state.raw<Opened>();
  /** Rises whenever the parameters change: what was computed before is out of date. */
  revision = $state(0);
  readonly trainer = new Trainer(this);

  #open: { life: number; id: Promise<number> } | undefined;
  #learnt: Uint8Array | undefined;
  /** Takes the place of what lesson.json says, until the session begins anew. */
  #brought = $state.raw<Brought>();
  /** Parameters that training begins with, instead of those drawn from the seed. */
  #firstWeights: Uint8Array | undefined;
  #settling: Promise<void> = Promise.resolve();

  constructor(
    readonly name: string,
    readonly spec: SessionSpec,
    readonly bench: Bench,
  ) {
    $effect.root(() => this.#followSettings());
  }

  /** Settings that follow the lesson's state have changed, or the pairs: what was open or learnt begins anew with them. A run
   *  that is watched over needs not do so for another number of epochs. */
  #followSettings(): void {
    let before: { rest: string; epochs: Scalar | undefined } | undefined;
    $effect(() => {
      const { data } = this.spec;
      const { epochs, ...config } = this.bench.resolve(this.spec.config);
      const pairs = data === undefined ? '' : this.bench.files.edition(data);
      const now = { rest: JSON.stringify([config, pairs]), epochs };
      const last = before;
      before = now;
      if (!last || (now.rest === last.rest && epochs === last.epochs)) return;
      untrack(() => {
        const longer = now.rest === last.rest && epochs !== undefined;
        if (longer && this.trainer.goesOn) this.#settling = this.trainer.goOnWith({ epochs });
        else this.#beginAnew();
      });
    });
  }

  #beginAnew(): void {
    this.#firstWeights = undefined;
    this.#settling = this.trainer.reset();
  }

  /** What a change of settings set going has ended. */
  settled(): Promise<void> {
    return this.#settling;
  }

  /** Training begins with these parameters; the engine judges them when it opens. */
  async beginWith(bytes: Uint8Array | undefined): Promise<void> {
    this.#firstWeights = bytes;
    await this.trainer.reset();
  }

  async model(): Promise<Model> {
    const { models } = await this.bench.look.ready();
    const model = models.find((each) => each.name === this.spec.model);
    if (!model) throw new Error(`the engine has no model "${this.spec.model}"`);
    return model;
  }

  async run(request: RunRequest, signal?: AbortSignal): Promise<Reply<'run'>> {
    const session = await this.open();
    return this.bench.look.call('run', { ...request, session }, { signal });
  }

  /** A run to be looked at. The worker that trains alone has the parameters of earlier moments, and what the optimiser
   *  remembers: it computes such runs between two slices of training. */
  async trace(request: RunRequest, signal?: AbortSignal): Promise<Trace> {
    const update = request.update === true && this.trainer.phase !== 'start';
    if (request.at === undefined && !update)
      return new Trace(await this.run(request, signal), this.bench.look);
    return new Trace(await this.trainer.run(request, signal), this.bench.train);
  }

  /** Rises when a worker was restarted: its runs are gone. */
  get lives(): number {
    return this.bench.look.life + this.bench.train.life;
  }

  /** Not known before the engine has answered. */
  get kind(): Model['kind'] | undefined {
    return this.#described?.kind;
  }

  /** Whether the model has parameters that an optimiser moves. */
  get learns(): boolean {
    return (this.#described?.metrics.length ?? 0) > 0;
  }

  get #described(): Model | undefined {
    return this.bench.look.catalogue?.models.find(({ name }) => name === this.spec.model);
  }

  open(): Promise<number> {
    const { life } = this.bench.look;
    if (this.#open?.life !== life) {
      const id = this.#openIn(this.bench.look);
      this.#open = { life, id };
      id.catch(() => this.#failedToOpen(id));
    }
    return this.#open.id;
  }

  /** What `open` sends, for this worker or the other. */
  async opening(
    fresh = false,
  ): Promise<{ request: Requests['open']['request']; bytes?: Uint8Array }> {
    if (!fresh && this.#brought) return this.#openingOf(this.#brought);
    const { model, weights } = this.spec;
    const config = this.bench.resolve(this.spec.config);
    const bytes = fresh
      ? undefined
      : (this.#learnt ?? (weights ? await this.bench.files.weights(weights) : undefined));
    if (bytes) return { request: { model, config }, bytes };
    const data = await this.#data();
    return {
      request: { model, config, ...(data && { data }) },
      ...(this.#firstWeights && { bytes: this.#firstWeights }),
    };
  }

  async #data(): Promise<{ pairs: string; valid: string } | undefined> {
    const { data, without } = this.spec;
    if (data === undefined) return undefined;
    const { pairs, valid } = await this.bench.files.pairs(data);
    return { pairs: without === undefined ? pairs : leaveOut(pairs, without), valid };
  }

  /** Parameters from training, or from a file that holds nothing else, take the place of those that were there; the session
   *  stays usable, also where the engine refuses them. */
  async receive(bytes: Uint8Array): Promise<void> {
    if (this.#brought) await this.reopen(); // training goes on from the lesson's own model
    const { look } = this.bench;
    if (this.#open?.life === look.life && look.state !== 'crashed') {
      const session = await this.#open.id;
      this.opened = (await look.call('load', { session }, { bytes })).head;
    }
    this.#learnt = bytes;
    this.revision += 1;
  }

  /** A file with settings of its own takes the place of the model. The engine judges it first: what it refuses changes nothing. */
  async adopt(brought: Brought): Promise<void> {
    const { look } = this.bench;
    const { request, bytes } = this.#openingOf(brought);
    const { head } = await look.call('open', request, { bytes });
    const old = this.#open;
    this.#open = { life: look.life, id: Promise.resolve(head.session) };
    this.#brought = brought;
    this.#learnt = undefined;
    this.opened = head;
    this.revision += 1;
    await this.#close(old);
  }

  /** The parameters as they are, as a file. */
  async save(): Promise<Uint8Array> {
    const session = await this.open();
    const { bytes } = await this.bench.look.call('save', { session });
    if (!bytes) throw new Error('the engine saved nothing');
    return bytes;
  }

  /** Settings changed: what is open has them no more. */
  async reopen(): Promise<void> {
    const old = this.#open;
    this.#open = undefined;
    this.#learnt = undefined;
    this.#brought = undefined;
    await this.#close(old);
    this.revision += 1;
  }

  async #close(old: { life: number; id: Promise<number> } | undefined): Promise<void> {
    if (old?.life !== this.bench.look.life) return;
    const session = await old.id.catch(() => undefined);
    if (session !== undefined) await this.bench.look.call('close', { session });
  }

  #openingOf({ bytes, config = {}, data }: Brought): {
    request: Requests['open']['request'];
    bytes: Uint8Array;
  } {
    return { request: { model: this.spec.model, config, ...(data && { data }) }, bytes };
  }

  setting(name: string): Scalar | undefined {
    return this.opened?.config[name];
  }

  #failedToOpen(id: Promise<number>): void {
    if (this.#open?.id === id) this.#open = undefined; // so that the next try is a new one
    if (this.spec.weights !== undefined) this.bench.files.forgetWeights(this.spec.weights);
  }

  async #openIn(engine: Engine): Promise<number> {
    const { request, bytes } = await this.opening();
    const { head } = await engine.call('open', request, { bytes });
    this.opened = head;
    return head.session;
  }
}
