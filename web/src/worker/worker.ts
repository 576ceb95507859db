import { expose, transfer } from 'comlink';
import type { WorkerApi } from '../shared/protocol';
import { createApi } from './api';
import { loadModule } from './module';

const api = createApi(loadModule);

/** Until the worker ends, however it ends: whoever waits for the lock hears of it. */
function hold(lock: string): Promise<void> {
  return new Promise((held) => {
    if (!('locks' in navigator)) return held();
    navigator.locks
      .request(lock, { ifAvailable: true }, (mine) => {
        held();
        return mine ? new Promise<never>(() => undefined) : undefined;
      })
      .catch(() => held()); // forbidden here
  });
}

/** What the module copied out of its heap moves to the page without a second copy. */
const transferring: WorkerApi = {
  async start(at) {
    await hold(at.lock);
    return api.start(at);
  },
  async call(...request) {
    const answer = await api.call(...request);
    if (!('reply' in answer)) return answer;
    const { data, bytes } = answer.reply;
    return transfer(
      answer,
      [data, bytes].flatMap((array) => (array ? [array.buffer as ArrayBuffer] : [])),
    );
  },
};

expose(transferring);
