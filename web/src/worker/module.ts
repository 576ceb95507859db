// The one file that knows the WebAssembly module. No view of its heap leaves it.

import type { Reply, Requests, Verb } from '../shared/engine';
import { EngineError, type Failure, type StartAt } from '../shared/protocol';

interface NativeReply {
  head: string;
  data?: Float32Array;
  bytes?: Uint8Array;
}

/** The variant `gpu` answers by a promise, for products wait for the GPU (JSPI): every call is awaited. */
interface NativeEngine {
  call(verb: string, request: string, bytes?: Uint8Array): NativeReply | Promise<NativeReply>;
}

interface Module {
  Engine: new () => NativeEngine;
}

type Factory = (options: { locateFile: () => string }) => Promise<Module>;

type Head<V extends Verb> = Requests[V]['reply'] | { error: Failure };

export type Call = <V extends Verb>(
  verb: V,
  request: Requests[V]['request'],
  bytes?: Uint8Array,
) => Promise<Reply<V>>;

export async function loadModule(at: StartAt): Promise<Call> {
  const { default: factory } = (await import(/* @vite-ignore */ at.js)) as { default: Factory };
  const module = await factory({ locateFile: () => at.wasm });
  return caller(new module.Engine());
}

export function caller(engine: NativeEngine): Call {
  return async <V extends Verb>(
    verb: V,
    request: Requests[V]['request'],
    bytes?: Uint8Array,
  ): Promise<Reply<V>> => {
    const native = await engine.call(verb, JSON.stringify(request), bytes);
    const head = JSON.parse(native.head) as Head<V>;
    if ('error' in head) {
      const { type, message, ...reason } = head.error;
      throw new EngineError(type, message, reason);
    }
    return {
      head,
      ...(native.data && { data: native.data }),
      ...(native.bytes && { bytes: native.bytes }),
    };
  };
}
