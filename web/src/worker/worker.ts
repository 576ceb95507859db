import { expose, transfer } from 'comlink';
import type { WorkerApi } from '../shared/protocol';
import { createApi } from './api';
import { loadModule } from './module';

const api = createApi(loadModule);

/** What the module copied out of its heap moves to the page without a second copy. */
const transferring: WorkerApi = {
  start: api.start,
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
