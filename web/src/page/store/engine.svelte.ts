// One worker with one WebAssembly module, as the page sees it.

import type { Catalogue, Gpu, Reply, Requests, Verb } from '../../shared/engine';
import {
  build,
  EngineError,
  PROTOCOL,
  type Answer,
  type StartAt,
  type Started,
  type Variant,
} from '../../shared/protocol';
import { asError } from './errors';
import { Line } from './line';
import { Link } from './link';
import { absolute, insistence } from './variant';

export type Addresses = Record<Variant, { js: string; wasm: string }>;

export interface CallOptions {
  bytes?: Uint8Array | undefined;
  signal?: AbortSignal | undefined;
}

export class Engine {
  state = $state<'idle' | 'starting' | 'ready' | 'crashed'>('idle');
  catalogue = $state.raw<Catalogue>();
  /** What was last told of the GPU, in the build that can use one. */
  gpu = $state.raw<Gpu>();
  /** Rises with each restart: what was opened in an earlier life of the worker is gone. */
  life = $state(1);

  #link: Promise<Link> | undefined;
  #asked: number | undefined; // after how many faults of the GPU
  #worker: Link | undefined; // the last one that was launched
  #line = new Line();

  constructor(
    readonly name: 'look' | 'train' | 'measure',
    private readonly addresses: Addresses,
    private readonly variants: () => Promise<Variant[]>,
    private readonly spawn: (name: string) => Worker,
    private readonly told: (head: object) => void = () => undefined, // what is done with each answer
  ) {}

  async ready(): Promise<Catalogue> {
    await this.#start();
    return this.catalogue!;
  }

  async call<V extends Verb>(
    verb: V,
    request: Requests[V]['request'],
    { bytes, signal }: CallOptions = {},
  ): Promise<Reply<V>> {
    const link = await this.#start();
    const answer = await this.#line.add(
      // comlink's types lose the tie between verb and reply; the worker's own types hold it.
      () => link.ask((remote) => remote.call(verb, request, bytes) as Promise<Answer<V>>),
      signal,
    );
    if ('reply' in answer) {
      this.told(answer.reply.head);
      this.#watch(verb, answer.reply);
      return answer.reply;
    }
    const { type, message, ...reason } = answer.failure;
    if (type === 'Crash') link.die(message);
    throw new EngineError(type, message, reason);
  }

  /** The GPU is asked after once it can have been needed, and whenever it has failed again. */
  #watch(verb: Verb, { head }: Reply<Verb>): void {
    if (verb === 'gpu') this.gpu = head as Gpu;
    else if (this.catalogue?.variant === 'gpu' && (verb === 'run' || verb === 'train')) {
      const faults = head.gpu_faults ?? 0;
      if (this.#asked === faults) return;
      this.#asked = faults;
      this.call('gpu', {}).catch(() => (this.#asked = undefined)); // whoever asked for something hears of a crash
    }
  }

  /** After a crash: a fresh worker, in which nothing is open yet. */
  restart(): void {
    this.#link = undefined;
    this.#line = new Line();
    this.state = 'idle';
    this.gpu = undefined;
    this.#asked = undefined;
    this.life += 1;
  }

  /** The worker is no longer needed; whoever still waits for it hears that it is gone. */
  end(): void {
    this.#worker?.die('the worker was ended');
  }

  #start(): Promise<Link> {
    this.#link ??= this.#launch();
    return this.#link;
  }

  async #launch(): Promise<Link> {
    this.state = 'starting';
    let reason = new EngineError('Crash', 'no build of the engine runs in this browser');
    for (const variant of await this.variants()) {
      const link = new Link(this.spawn(this.name), () => {
        if (this.state === 'ready') this.state = 'crashed';
      });
      this.#worker = link;
      try {
        this.catalogue = await this.#shakeHands(link, variant);
        this.state = 'ready';
        return link;
      } catch (error) {
        reason = crash(error);
        link.die(reason.message, reason.reason);
        if (reason.reason.code === 'version') break; // no other build of the engine is any better
      }
    }
    this.state = 'crashed';
    throw reason;
  }

  async #shakeHands(link: Link, variant: Variant): Promise<Catalogue> {
    const { js, wasm } = this.addresses[variant];
    const lock = `attention-lab.${this.name}.${performance.timeOrigin}.${performance.now()}`;
    const at: StartAt = {
      ...{ protocol: PROTOCOL, build, lock, js: absolute(js), wasm: absolute(wasm) },
      ...(variant === 'gpu' ? insistence(location.search) : {}),
    };
    const started = await link.ask<Started>((remote) => remote.start(at));
    if ('failure' in started) {
      const { type, message, ...why } = started.failure;
      throw new EngineError(type, message, why);
    }
    link.diesWith(lock);
    return started.catalogue;
  }
}

function crash(thrown: unknown): EngineError {
  const error = asError(thrown);
  const why = error instanceof EngineError ? error.reason : {};
  return new EngineError('Crash', error.message, why);
}
