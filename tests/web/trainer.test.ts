import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Progress, Requests, Verb } from '../../web/src/shared/engine';
import { EngineError } from '../../web/src/shared/protocol';
import type { Engine } from '../../web/src/page/store/engine.svelte';
import { Session } from '../../web/src/page/store/sessions.svelte';

const EPOCHS = 4;
const BATCHES = 2;

/** An engine in which each slice is one batch; `fail` and `end` let a test say how it goes on. */
class Fake {
  state = 'ready';
  life = 1;
  log: string[] = [];
  fail: Error | undefined;
  diverge = false;
  refuse: Error | undefined; // of a checkpoint
  #next = 1;
  #batch = new Map<number, number>();

  ready = () => Promise.resolve(undefined);

  call = async (verb: Verb, request: Requests[Verb]['request']) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    const { session = 0 } = request as { session?: number };
    this.log.push(verb === 'open' ? `open ${this.#next}` : `${verb} ${session}`);
    if (verb === 'open') return { head: { session: this.#next++, config: {}, parameters: 1 } };
    if (verb === 'train') return { head: this.#train(session) };
    if (verb === 'save')
      return { head: { size: 1 }, bytes: Uint8Array.of(this.#batch.get(session)!) };
    if (verb === 'load' && this.refuse) throw this.refuse;
    if (verb === 'load') return { head: { progress: { state: 'training', epoch: 1 } } };
    return { head: {} };
  };

  #train(session: number): Progress {
    if (this.fail) throw this.fail;
    const done = (this.#batch.get(session) ?? 0) + 1;
    this.#batch.set(session, done);
    const epoch = Math.floor(done / BATCHES);
    return {
      state: this.diverge ? 'diverged' : epoch === EPOCHS ? 'done' : 'training',
      epoch,
      epochs: EPOCHS,
      batch: done % BATCHES,
      batches: BATCHES,
      history: [],
      tokens_per_s: 0,
      tokens: 0,
      seconds: 0,
      moments: [],
      ...(this.diverge && { message: 'the loss is no longer a finite number' }),
    };
  }
}

function setUp() {
  const look = new Fake();
  const train = new Fake();
  const session = new Session(
    'own',
    { model: 'bahdanau', config: {}, data: 'corpus' },
    {
      look: look as unknown as Engine,
      train: train as unknown as Engine,
      files: {
        weights: () => Promise.reject(new Error('none')),
        forgetWeights: () => undefined,
        pairs: () => Promise.resolve({ pairs: 'Go.\tVa !', valid: '' }),
        edition: () => '',
      },
      resolve: () => ({}),
    },
  );
  return { look, train, session, trainer: session.trainer };
}

const slices = (fake: Fake): number => fake.log.filter((entry) => entry.startsWith('train')).length;

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => setTimeout(frame));
  vi.stubGlobal('document', { hidden: false });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('training', () => {
  it('goes slice by slice to the end, and hands its parameters on', async () => {
    const { look, train, session, trainer } = setUp();
    await session.open();
    await trainer.play();
    expect(trainer.phase).toBe('done');
    expect(slices(train)).toBe(EPOCHS * BATCHES);
    expect(look.log.at(-1)).toBe('load 1');
    expect(session.revision).toBeGreaterThan(0);
  });

  it('stops at a pause and goes on from there, in the same session', async () => {
    const { train, trainer } = setUp();
    void trainer.play();
    await vi.waitUntil(() => slices(train) >= 2, { interval: 0 });
    await trainer.pause();
    const at = slices(train);
    expect(trainer.phase).toBe('paused');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(slices(train)).toBe(at);
    await trainer.play();
    expect(slices(train)).toBe(EPOCHS * BATCHES);
    expect(train.log.filter((entry) => entry.startsWith('open'))).toHaveLength(1);
  });

  it('opens one session for all who ask at the same time', async () => {
    const { train, trainer } = setUp();
    const looked = trainer.run({ inputs: {} });
    await Promise.all([looked, trainer.play(), trainer.run({ inputs: {} })]);
    expect(train.log.filter((entry) => entry.startsWith('open'))).toEqual(['open 1']);
    expect(trainer.phase).toBe('done');
  });

  it('takes one epoch at a time', async () => {
    const { train, trainer } = setUp();
    await trainer.stepEpoch();
    expect([trainer.phase, slices(train)]).toEqual(['paused', BATCHES]);
    await trainer.stepEpoch();
    expect(slices(train)).toBe(2 * BATCHES);
  });

  it('goes back to the same start: the old session is closed and a new one opened', async () => {
    const { train, trainer } = setUp();
    await trainer.stepEpoch();
    await trainer.reset();
    expect(trainer.phase).toBe('start');
    expect(trainer.progress).toBeUndefined();
    await trainer.stepEpoch();
    expect(train.log.filter((entry) => /open|close/.test(entry))).toEqual([
      'open 1',
      'close 1',
      'open 2',
    ]);
  });

  it('ends when it diverges, with the reason', async () => {
    const { train, trainer } = setUp();
    train.diverge = true;
    await trainer.play();
    await vi.waitUntil(() => trainer.progress);
    expect(trainer.phase).toBe('diverged');
    expect(trainer.progress?.message).toContain('no longer a finite number');
  });

  it('keeps the run after an error, and says when the engine itself has stopped', async () => {
    const { train, trainer } = setUp();
    train.fail = new EngineError('ConfigError', 'budget_ms');
    await trainer.play();
    expect([trainer.phase, trainer.error?.message]).toEqual(['paused', 'budget_ms']);
    train.fail = new EngineError('Crash', 'unreachable');
    await trainer.play();
    expect(trainer.phase).toBe('failed');
    train.fail = undefined;
    train.life += 1;
    await trainer.reset();
    await trainer.stepEpoch();
    expect(trainer.phase).toBe('paused');
    expect(trainer.error).toBeUndefined();
  });

  it('shows a watcher each epoch, rests where the watcher has had enough, and begins anew with it', async () => {
    const { trainer } = setUp();
    const log: string[] = [];
    trainer.watch = {
      after: ({ epoch, batch }) => {
        if (batch === 0) log.push(`epoch ${epoch}`);
        return Promise.resolve(epoch === 2);
      },
      rests: () => Promise.resolve(void log.push('rests')),
      begins: () => void log.push('begins'),
    };
    await trainer.play();
    expect(trainer.phase).toBe('paused');
    await trainer.reset();
    expect(log).toEqual(['epoch 1', 'epoch 2', 'rests', 'begins']);
  });

  it('goes on from two files; what the engine refuses leaves the run as it was', async () => {
    const { train, trainer } = setUp();
    await trainer.stepEpoch();
    const halted = (await trainer.halted())!;
    train.refuse = new EngineError('DataError', 'made with other pairs');
    await expect(trainer.resume(halted)).rejects.toThrow('other pairs');
    expect([trainer.phase, train.log.at(-1)]).toEqual(['paused', 'close 2']);
    train.refuse = undefined;
    await trainer.resume(halted);
    expect(train.log.slice(-3)).toEqual(['open 3', 'load 3', 'close 1']);
    await trainer.stepEpoch();
    expect(train.log).toContain('train 3');
  });

  it('goes on in a hidden tab, where it hands on only what it has in the end', async () => {
    vi.stubGlobal('document', { hidden: true });
    const { look, train, session, trainer } = setUp();
    await session.open();
    await trainer.play();
    expect(slices(train)).toBe(EPOCHS * BATCHES);
    expect(look.log.filter((entry) => entry.startsWith('load'))).toEqual(['load 1']);
  });
});
