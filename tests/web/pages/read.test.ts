import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSource, readSources, weightsInLessons } from '../../../web/pages/read.ts';

const FRONT = '---\ntitle: T\nquestion: Q?\nsummary: S.\n---\n';

function lessons(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'lessons-'));
  for (const [path, text] of Object.entries({
    'glossary.json': '[]',
    ...files,
  })) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const complete = (folder: string, json = '{}') => ({
  [`${folder}/lesson.json`]: json,
  [`${folder}/zh.md`]: `${FRONT}正文`,
  [`${folder}/en.md`]: `${FRONT}Text`,
});

describe('lessons on the disk', () => {
  it('come in the order of their numbers', () => {
    const { lessons: found, problems } = readSources(
      lessons({ ...complete('50-b'), ...complete('20-a') }),
    );
    expect(problems).toEqual([]);
    expect(found.map(({ slug }) => slug)).toEqual(['a', 'b']);
  });

  const faults: [string, Record<string, string>, string][] = [
    [
      'a twin is missing',
      { '10-x/lesson.json': '{}', '10-x/zh.md': FRONT },
      'lessons/10-x/en.md is missing',
    ],
    ['lesson.json is broken', complete('10-x', '{'), 'lessons/10-x/lesson.json: '],
    [
      'a state has a wrong default',
      complete('10-x', '{"state":{"n":{"type":"integer","default":0.5}}}'),
      'n.default: not an integer',
    ],
    [
      'a folder has a wrong name',
      complete('intro'),
      "lessons/intro: a lesson's folder is named NN-slug",
    ],
    [
      'a term lacks a language',
      {
        'glossary.json': '[{"id":"a","zh":"甲","en":"a","definition":{"zh":"…"}}]',
      },
      '"a" needs zh, en and both definitions',
    ],
  ];
  it.each(faults)('are refused if %s', (_, files, reason) => {
    expect(readSources(lessons(files)).problems.join('\n')).toContain(reason);
  });

  it('name the weights they need', () => {
    const json = '{"sessions":{"s":{"model":"m","weights":"bahdanau"},"t":{"model":"m"}}}';
    expect(weightsInLessons(lessons(complete('10-x', json)))).toEqual(['bahdanau']);
  });
});

describe('front matter', () => {
  it('is blanked, so that line numbers hold', () => {
    const { markdown, question } = readSource('zh.md', `${FRONT}Text`);
    expect(question).toBe('Q?');
    expect(markdown.split('\n')[5]).toBe('Text');
  });

  it('must be complete, and holds nothing else', () => {
    expect(() => readSource('zh.md', 'Text')).toThrow('zh.md:1: begins with front matter');
    expect(() => readSource('zh.md', '---\ntitle: T\n---\n')).toThrow('lacks "question"');
    expect(() => readSource('zh.md', FRONT.replace('title', 'x: y\ntitle'))).toThrow('unknown "x"');
  });
});
