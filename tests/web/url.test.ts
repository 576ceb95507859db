import { describe, expect, it } from 'vitest';
import { decode, encode, type Fields } from '../../web/src/page/store/url';

const fields: Fields = {
  sentence: { type: 'text', default: "I'm home.", max: 60 },
  seed: { type: 'integer', default: 1, min: 0, max: 999 },
  width: { type: 'number', default: 0.5, min: 0, max: 10 },
  mask: { type: 'boolean', default: true },
  model: { type: 'choice', default: 'trained', choices: ['trained', 'fresh'] },
  'stage.cell': { type: 'text', default: '', max: 20 },
};

describe('the URL fragment', () => {
  it('says nothing while everything is as declared', () => {
    const values = Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [key, field.default]),
    );
    expect(encode(values, fields)).toBe('');
  });

  it('stays readable', () => {
    expect(encode({ sentence: "Who's there?", 'stage.cell': '2,0,1' }, fields)).toBe(
      "sentence=Who's+there?&stage.cell=2,0,1",
    );
  });

  it.each([
    { sentence: 'a+b & c=d #1 100%', seed: 7 },
    { sentence: '<img src=x onerror=alert(1)>', model: 'fresh' },
    { sentence: '😀 你好\u0000', width: 1e-7 },
    { mask: false, width: 10 },
  ])('brings %j back', (values) => {
    const read = decode(`#${encode(values as never, fields)}`, fields);
    expect(read.values).toEqual(values);
    expect(read.dropped).toEqual([]);
  });

  it('drops what it does not know and what is wrong, and tells both', () => {
    const read = decode('#seed=1.5&seeed=3&width=11&mask=yes&model=mine&sentence=%E0%A4', fields);
    expect(read.values).toEqual({});
    expect(read.dropped).toEqual([
      { key: 'seed', reason: 'wrong' },
      { key: 'seeed', reason: 'unknown' },
      { key: 'width', reason: 'wrong' },
      { key: 'mask', reason: 'wrong' },
      { key: 'model', reason: 'wrong' },
      { key: 'sentence', reason: 'wrong' },
    ]);
  });

  it('refuses a number that is no number', () => {
    for (const value of ['', ' ', 'NaN', 'Infinity', '0x', '1e999'])
      expect(decode(`#width=${value}`, fields).dropped).toEqual([
        { key: 'width', reason: 'wrong' },
      ]);
  });

  it('knows no key of the object prototype', () => {
    expect(decode('#constructor=1&__proto__=2', fields).dropped.map(({ key }) => key)).toEqual([
      'constructor',
      '__proto__',
    ]);
  });

  it('leaves an ordinary anchor alone', () => {
    expect(decode('#average-title', fields)).toEqual({
      values: {},
      dropped: [],
    });
  });

  it('keeps a long text out of the link', () => {
    const long: Fields = { note: { type: 'text', default: '', max: 5000 } };
    expect(encode({ note: 'word '.repeat(500) }, long)).toBe('');
  });
});
