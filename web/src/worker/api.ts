// The worker's contract: start once, then verbs, one in the module at a time.

import {
  build,
  EngineError,
  PROTOCOL,
  type Answer,
  type Failure,
  type StartAt,
  type Started,
  type WorkerApi,
} from '../shared/protocol';
import type { Verb } from '../shared/engine';
import type { Call } from './module';
import { serial } from './serial';

function failure(error: unknown): Failure {
  if (error instanceof EngineError)
    return { type: error.type, message: error.message, ...error.reason };
  // Whatever else comes out of the module (a trap, no memory, a broken download) ends it.
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { type: 'Crash', message };
}

/** An old half from a cache: refused, not misread. */
function otherVersion(at: StartAt): Failure {
  const values = { page: `${at.protocol}.${at.build}`, engine: `${PROTOCOL}.${build}` };
  const message = `page version ${values.page}, engine version ${values.engine}`;
  return { type: 'Crash', message, code: 'version', values };
}

export function createApi(load: (at: StartAt) => Promise<Call>): WorkerApi {
  const queue = serial();
  let call: Call | undefined;

  async function start(at: StartAt): Promise<Started> {
    if (at.protocol !== PROTOCOL || at.build !== build) return { failure: otherVersion(at) };
    try {
      call = await load(at);
      if (at.gpu === 'insist') await call('gpu', { choice: 'gpu', fallback: true });
      return { catalogue: (await call('describe', {})).head };
    } catch (error) {
      return { failure: failure(error) };
    }
  }

  async function answer(
    verb: Verb,
    request: Parameters<WorkerApi['call']>[1],
    bytes?: Uint8Array,
  ): Promise<Answer<Verb>> {
    if (!call) return { failure: { type: 'Crash', message: 'the engine is not running' } };
    try {
      return { reply: await call(verb, request, bytes) };
    } catch (error) {
      const failed = failure(error);
      if (failed.type === 'Crash') call = undefined;
      return { failure: failed };
    }
  }

  return {
    start: (at) => queue(() => start(at)),
    call: (verb, request, bytes) => queue(() => answer(verb, request, bytes)),
  };
}
