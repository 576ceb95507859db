import { describe, expect, it } from 'vitest';
import type { Requests, Verb } from '../../web/src/shared/engine';
import { build, EngineError, PROTOCOL } from '../../web/src/shared/protocol';
import { createApi } from '../../web/src/worker/api';
import { caller, type Call } from '../../web/src/worker/module';
import { serial } from '../../web/src/worker/serial';

const at = { protocol: PROTOCOL, build, lock: '', js: 'attn.mjs', wasm: 'attn.wasm' };
const catalogue = { version: '0', variant: 'simd', models: [] };

/** A native engine that answers each verb with what the test says. */
function native(answers: Partial<Record<Verb, object | Error>>) {
  return {
    call(verb: string): { head: string } {
      const answer = { describe: catalogue, ...answers }[verb as Verb] ?? {};
      if (answer instanceof Error) throw answer;
      return { head: JSON.stringify(answer) };
    },
  };
}

const api = (answers: Partial<Record<Verb, object | Error>>) =>
  createApi(() => Promise.resolve(caller(native(answers))));

describe('the queue', () => {
  it('runs one job at a time, in order, also after one that fails', async () => {
    const queue = serial();
    const log: string[] = [];
    const job =
      (name: string, ms: number, fails = false) =>
      () =>
        new Promise<string>((resolve, reject) => {
          log.push(`${name} begins`);
          setTimeout(() => {
            log.push(`${name} ends`);
            if (fails) reject(new Error(name));
            else resolve(name);
          }, ms);
        });
    const all = await Promise.allSettled([
      queue(job('a', 8)),
      queue(job('b', 1, true)),
      queue(job('c', 1)),
    ]);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });
});

describe('the worker', () => {
  it('starts with the catalogue, and refuses a page of another protocol or another build', async () => {
    expect(await api({}).start(at)).toEqual({ catalogue });
    for (const old of [{ protocol: PROTOCOL - 1 }, { build: 'another' }]) {
      const page = { ...at, ...old };
      const worker = api({});
      expect(await worker.start(page)).toMatchObject({
        failure: {
          type: 'Crash',
          code: 'version',
          values: { page: `${page.protocol}.${page.build}`, engine: `${PROTOCOL}.${build}` },
        },
      });
      expect(await worker.call('describe', {})).toMatchObject({ failure: { type: 'Crash' } });
    }
  });

  it('hands an error over with its type and stays usable', async () => {
    const worker = api({
      open: {
        error: { type: 'ConfigError', message: 'hidden_size: 1 … 4096' },
      },
    });
    await worker.start(at);
    expect(await worker.call('open', { model: 'bahdanau' })).toEqual({
      failure: { type: 'ConfigError', message: 'hidden_size: 1 … 4096' },
    });
    expect(await worker.call('describe', {})).toEqual({
      reply: { head: catalogue },
    });
  });

  it('tells a trap apart, and answers no more after it', async () => {
    const worker = api({ run: new WebAssembly.RuntimeError('unreachable') });
    await worker.start(at);
    expect(await worker.call('run', { session: 1 })).toEqual({
      failure: { type: 'Crash', message: 'RuntimeError: unreachable' },
    });
    expect(await worker.call('describe', {})).toEqual({
      failure: { type: 'Crash', message: 'the engine is not running' },
    });
  });

  it('says why a module did not load', async () => {
    const worker = createApi(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await worker.start(at)).toEqual({
      failure: { type: 'Crash', message: 'TypeError: Failed to fetch' },
    });
  });

  it('awaits an engine that answers later', async () => {
    const data = Float32Array.of(1, 2);
    const slow = {
      call: () => Promise.resolve({ head: '{"run":1,"steps":[]}', data }),
    };
    const call: Call = caller(slow);
    expect(await call('run', { session: 1 } as Requests['run']['request'])).toEqual({
      head: { run: 1, steps: [] },
      data,
    });
    await expect(
      caller(native({ save: { error: { type: 'DataError', message: 'no' } } }))('save', {
        session: 1,
      }),
    ).rejects.toEqual(new EngineError('DataError', 'no'));
  });
});
