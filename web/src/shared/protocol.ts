// What the page and a worker say to each other around the engine's verbs.

import type { Catalogue, ErrorType, Reason, Reply, Requests, Verb } from './engine.ts';

declare const BUILD: string; // put in when the site is built (pages/build-id.ts)

/** Which build of the page's code this is: page and worker say it to each other. */
export const build = BUILD;

/** Raised whenever this file or the verbs change in a way that an older half would misread. */
export const PROTOCOL = 1;

export type Variant = 'simd' | 'relaxed' | 'gpu';

/** `Crash`: the module trapped or ran out of memory, and answers no more. */
export interface Failure extends Reason {
  type: ErrorType | 'Crash';
  message: string; // in English
}

export type Answer<V extends Verb> = { reply: Reply<V> } | { failure: Failure };
export type Started = { catalogue: Catalogue } | { failure: Failure };

export interface StartAt {
  protocol: number;
  build: string;
  lock: string; // the worker holds it as long as it lives
  js: string; // absolute addresses: a worker's base is its own file
  wasm: string;
  /** The visitor insists on the GPU: every product goes there, and a software adapter is good enough. */
  gpu?: 'insist';
}

export interface WorkerApi {
  start: (at: StartAt) => Promise<Started>;
  call: (
    verb: Verb,
    request: Requests[Verb]['request'],
    bytes?: Uint8Array,
  ) => Promise<Answer<Verb>>;
}

export class EngineError extends Error {
  constructor(
    readonly type: Failure['type'],
    message: string,
    readonly reason: Reason = {},
  ) {
    super(message);
    this.name = type;
  }
}
