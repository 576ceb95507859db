import { describe, expect, it } from 'vitest';
import { fileName, isCheckpoint } from '../../web/src/page/blocks/shelf/files';
import { textOf, wholeLines } from '../../web/src/page/blocks/pairs/read';
import { learntAt, shares, stageOf } from '../../web/src/page/blocks/course/stage';
import { bindings } from '../../web/src/page/store/course.svelte';
import { split } from '../../web/src/page/store/split';

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('pairs held out', () => {
  const text = Array.from({ length: 20 }, (_, i) => `s${i}\tt${i}`).join('\n');

  it('come from the end, as many as asked for', () => {
    const { pairs, valid } = split(text, { pairs: 5, from: 'end' });
    expect(lines(valid)).toEqual(['s15\tt15', 's16\tt16', 's17\tt17', 's18\tt18', 's19\tt19']);
    expect(lines(pairs)).toHaveLength(15);
  });

  it('come from everywhere, and no line is lost', () => {
    const { pairs, valid } = split(text, { pairs: 5, from: 'spread' });
    expect(lines(valid)).toEqual(['s3\tt3', 's7\tt7', 's11\tt11', 's15\tt15', 's19\tt19']);
    expect([...lines(pairs), ...lines(valid)].sort()).toEqual(lines(text).sort());
  });

  it('take all translations of a source with them', () => {
    const twice = Array.from({ length: 30 }, (_, i) => `s${i % 10}\tt${i}`).join('\n');
    const { pairs, valid } = split(twice, { pairs: 6, from: 'spread' });
    const sources = (part: string): Set<string> =>
      new Set(lines(part).map((line) => line.split('\t')[0]!));
    expect(lines(valid).length).toBeGreaterThanOrEqual(6);
    for (const source of sources(valid)) expect(sources(pairs)).not.toContain(source);
  });

  it('never are all of them', () => {
    for (const from of ['spread', 'end'] as const) {
      expect(lines(split('a\tb', { pairs: 9, from }).pairs)).toHaveLength(1);
      expect(lines(split('a\tb\nc\td', { pairs: 9, from }).pairs).length).toBeGreaterThan(0);
      expect(split('', { pairs: 9, from })).toEqual({ pairs: '', valid: '' });
    }
    expect(lines(split('a\tb\na\tc\na\td', { pairs: 1, from: 'spread' }).pairs)).toHaveLength(3);
  });

  it('leave lines that are no pairs where they are', () => {
    const { pairs, valid } = split('no pair\na\tb\n\tx\nc\td', { pairs: 1, from: 'end' });
    expect(valid).toBe('c\td');
    expect(pairs).toBe('no pair\na\tb\n\tx');
  });
});

describe('a file as text', () => {
  const bytes = (...parts: (string | number)[]): Uint8Array =>
    Uint8Array.from(
      parts.flatMap((part) =>
        typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)],
      ),
    );

  it('is UTF-8', () => {
    expect(textOf(bytes('Go.\tVa !\né'))).toEqual({ text: 'Go.\tVa !\né', unreadable: [] });
  });

  it('may be UTF-16, as some editors save it', () => {
    expect(textOf(Uint8Array.of(0xff, 0xfe, 0x61, 0, 9, 0, 0xe9, 0)).text).toBe('a\té');
    expect(textOf(Uint8Array.of(0xfe, 0xff, 0, 0x61, 0, 9)).text).toBe('a\t');
  });

  it('has lines that are neither emptied and named; the others keep their numbers', () => {
    const { text, unreadable } = textOf(bytes('a\tb\nc\t', 0xe9, '\nd\te'));
    expect(text.split('\n')).toEqual(['a\tb', '', 'd\te']);
    expect(unreadable).toEqual([2]);
  });

  it('is cut behind a whole line', () => {
    expect(new TextDecoder().decode(wholeLines(bytes('a\tb\nc\td')))).toBe('a\tb');
  });
});

describe('what it has learnt, in words', () => {
  const look = (epoch: number, metrics: Record<string, number>) => ({ epoch, metrics });
  const at = (end: number, punctuation: number, frequent: number, other: number) => ({
    'right.end': end,
    'right.punctuation': punctuation,
    'right.frequent': frequent,
    'right.other': other,
    'of.end': 10,
  });

  it('follows from the shares that the engine counted', () => {
    const stages = [
      at(0.2, 0.3, 0, 0),
      at(0.4, 0.95, 0.1, 0),
      at(0.95, 0.95, 0.3, 0.1),
      at(1, 1, 0.6, 0.2),
      at(1, 1, 0.9, 0.6),
    ].map((metrics) => stageOf([look(1, metrics)], undefined));
    expect(stages).toEqual([
      'course.stage.nothing',
      'course.stage.punctuation',
      'course.stage.ends',
      'course.stage.frequent',
      'course.stage.words',
    ]);
  });

  it('notices that it learns by heart', () => {
    const checked = Array.from({ length: 8 }, (_, i) => look(i + 1, at(1, 1, 1, 1)));
    expect(stageOf(checked, checked[1])).toBe('course.stage.heart');
    expect(stageOf(checked, checked[5])).toBe('course.stage.words');
  });

  it('says since when, and nothing of what was not counted', () => {
    const checked = [look(2, at(0.5, 0.91, 0, 0)), look(4, at(0.95, 0.99, 0, 0))];
    expect(learntAt(checked, 'punctuation')).toBe(2);
    expect(learntAt(checked, 'end')).toBe(4);
    expect(learntAt(checked, 'other')).toBeUndefined();
    expect(shares(checked[0]!)[0]).toEqual({ kind: 'end', right: 0.5, of: 10 });
    expect(shares(look(1, { bleu: 0.1 }))).toEqual([]);
    expect(stageOf([look(1, { bleu: 0.1 })], undefined)).toBeUndefined();
  });
});

describe('a recipe from a config', () => {
  it('sets what the settings follow; a switch for several is on where all are', () => {
    const spec = {
      model: 'bahdanau',
      config: {
        hidden_size: { state: 'hidden' },
        book_mask: { state: 'book' },
        book_loss: { state: 'book' },
        layers: 2,
      },
    };
    const config = { hidden_size: 8, book_mask: true, book_loss: false, layers: 2, clip: 1 };
    expect(bindings(spec, config)).toEqual({ hidden: 8, book: false });
    expect(bindings(spec, { ...config, book_loss: true })).toEqual({ hidden: 8, book: true });
  });
});

describe('files', () => {
  const withHeader = (header: object): Uint8Array => {
    const text = new TextEncoder().encode(JSON.stringify(header));
    const out = new Uint8Array(8 + text.length);
    new DataView(out.buffer).setBigUint64(0, BigInt(text.length), true);
    out.set(text, 8);
    return out;
  };

  it('are told apart by what they say of themselves', () => {
    expect(isCheckpoint(withHeader({ __metadata__: { checkpoint: '1' } }))).toBe(true);
    expect(isCheckpoint(withHeader({ __metadata__: { model: 'bahdanau' } }))).toBe(false);
    expect(isCheckpoint(new Uint8Array(3))).toBe(false);
    expect(isCheckpoint(new Uint8Array(64).fill(255))).toBe(false);
  });

  it('have names that any file system takes', () => {
    expect(fileName('我的模型 1', 'x')).toBe('我的模型-1');
    expect(fileName('../../etc/<b>', 'x')).toBe('etc-b');
    expect(fileName('???', 'bahdanau')).toBe('bahdanau');
  });
});
