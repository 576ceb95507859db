import { describe, expect, it } from 'vitest';
import { Line } from '../../web/src/page/store/line';
import { nothingKnown, refuse, unknown } from '../../web/src/page/blocks/translate/sentence';
import type { Token, Translation } from '../../web/src/shared/engine';

describe('the line before a worker', () => {
  it('lets one request in at a time', async () => {
    const line = new Line();
    let inside = 0;
    let most = 0;
    const job = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inside--;
    };
    await Promise.all([line.add(job), line.add(job), line.add(job)]);
    expect(most).toBe(1);
  });

  it('takes out a request that nobody wants any more, but never one that has begun', async () => {
    const line = new Line();
    const log: string[] = [];
    const first = new AbortController();
    const second = new AbortController();
    const begun = line.add(async () => {
      await Promise.resolve();
      log.push('first');
    }, first.signal);
    const waiting = line.add(() => Promise.resolve(log.push('second')), second.signal);
    first.abort();
    second.abort();
    await begun;
    await expect(waiting).rejects.toThrow('no longer wanted');
    await line.add(() => Promise.resolve(log.push('third')));
    expect(log).toEqual(['first', 'third']);
  });

  it('refuses at once what is aborted already', async () => {
    await expect(new Line().add(() => Promise.resolve(1), AbortSignal.abort())).rejects.toThrow();
  });
});

const token = (text: string, known = true): Token => ({ text, known, id: 1 });
const read = (...source: Token[]): Translation => ({
  source: [...source, token('<eos>')],
  cut: 0,
  target: [],
  text: '',
  ended: true,
});

describe('a sentence', () => {
  it('is refused when there is nothing in it, or far too much', () => {
    expect(refuse(' \u00a0\t', 99)).toBe('empty');
    expect(refuse('a'.repeat(100), 99)).toBe('long');
    expect(refuse('😀', 99)).toBeUndefined();
    expect(refuse('word '.repeat(500), 4000)).toBeUndefined();
  });

  it('has unknown words, or nothing but', () => {
    expect(unknown(read(token('xyzzy', false), token('.')))).toEqual(['xyzzy']);
    expect(nothingKnown(read(token('xyzzy', false), token('.')))).toBe(true);
    expect(nothingKnown(read(token('go'), token('xyzzy', false)))).toBe(false);
    expect(nothingKnown(read(token('😀', false)))).toBe(true);
    expect(nothingKnown(read(token('!')))).toBe(false);
  });
});
