import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../web/src/shared/protocol';
import { sayLabels } from '../../web/src/page/store/labels';
import { Words } from '../../web/src/page/store/words';
import en from '../../web/src/words/en.json';
import zh from '../../web/src/words/zh.json';

const TABLES = { zh: zh as Record<string, string>, en: en as Record<string, string> };
const SRC = join(import.meta.dirname, '../../src');
const source = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.cpp'))
  .map((name) => readFileSync(join(SRC, name), 'utf8'))
  .join('\n');
const formulas = readFileSync(join(SRC, 'text/formula_reader.cpp'), 'utf8');
const found = (pattern: RegExp, text = source): string[] =>
  [...text.matchAll(pattern)].map(([, code]) => code!);
// A formula may end too early wherever something is expected, but for what may stand at its end.
const expected = found(/\bexpected\("(\w+)"/g, formulas);
const codes = [
  ...found(/refused<\w+>\(\s*"([\w.-]+)"/g),
  ...found(/\{"code", "(\w+)"\}/g),
  ...found(/"((?:field|line|diverged)\.\w+)"/g),
  ...[...found(/\brefuse\("(\w+)"/g, formulas), ...expected].map((code) => `formula.${code}`),
  ...expected.filter((code) => code !== 'operator').map((code) => `formula.${code}.end`),
];

describe('a refusal of the engine', () => {
  it('has words in both languages, whichever has a code, and no words are left over', () => {
    expect(new Set(codes).size).toBeGreaterThan(20);
    for (const table of Object.values(TABLES))
      expect(
        Object.keys(table)
          .filter((key) => key.startsWith('refused.'))
          .toSorted(),
      ).toEqual([...new Set(codes)].map((code) => `refused.${code}`).toSorted());
  });

  it('names the same values in both, and none that the engine does not give', () => {
    for (const code of new Set(codes)) {
      const [mine, other] = Object.values(TABLES).map((table) =>
        [...table[`refused.${code}`]!.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted(),
      );
      expect(mine).toEqual(other);
      for (const name of mine!)
        expect(source).toMatch(new RegExp(`\\{"${name}", |values\\["${name}"\\]`));
    }
  });

  it('is said in the page’s language, with the page’s word for a setting', () => {
    const error = new EngineError(
      'ConfigError',
      'inputs of cues: red_cup is true or false, not 3',
      {
        code: 'field.boolean',
        values: { what: 'inputs of cues', field: 'red_cup', given: '3' },
      },
    );
    expect(new Words('zh', TABLES.zh).refusal(error)).toEqual({
      text: '红杯子 只能是 true 或 false，不能是 3。',
      lang: 'zh',
    });
    expect(new Words('en', TABLES.en).refusal(error).text).toBe('red cup is true or false, not 3.');
  });

  it('says what it names in that language, too', () => {
    const values = { line: '7', why: 'not UTF-8', why_code: 'line.utf8' };
    const error = new EngineError('DataError', 'no line …', { code: 'pairs.none', values });
    expect(new Words('zh', TABLES.zh).refusal(error).text).toBe(
      '文件里没有一行是一对句子。第 7 行：不是 UTF-8 编码',
    );
    const long = {
      ...values,
      why: '1001 tokens …',
      why_code: 'line.long',
      tokens: '1001',
      most: '1000',
    };
    expect(
      new Words('zh', TABLES.zh).reason('', { code: 'pairs.none', values: long }).text,
    ).toContain('有 1001 个词元；一句最多 1000 个');
  });

  it('without a code, or with one of a newer engine, stays as it came, in English', () => {
    const words = new Words('zh', TABLES.zh);
    const plain = { text: 'softmax: no keys', lang: 'en' };
    expect(words.refusal(new EngineError('ShapeError', plain.text))).toEqual(plain);
    expect(words.refusal(new EngineError('ShapeError', plain.text, { code: 'new' }))).toEqual(
      plain,
    );
  });
});

describe('labels', () => {
  it('that are names are said in the page’s language, those that are text are left', () => {
    const key = { name: 'key', size: 2, labels: ['cup', 'book'], named: true as const };
    const token = { name: 'key', size: 2, labels: ['cup', 'book'] };
    const words = new Words('zh', TABLES.zh);
    sayLabels({ steps: [{ axes: [key, token] }] }, words);
    expect(key.labels).toEqual(['杯子', '书']);
    expect(token.labels).toEqual(['cup', 'book']);
    sayLabels({ axes: [key] }, words); // said already
    expect(key.labels).toEqual(['杯子', '书']);
    sayLabels({}, words);
  });
});
