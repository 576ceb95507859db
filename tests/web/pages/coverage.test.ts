import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { coverageProblems, provenBy } from '../../../web/pages/coverage';

let repo = '';
afterEach(() => rmSync(repo, { recursive: true, force: true }));

function repository(files: Record<string, string>): string {
  repo = mkdtempSync(join(tmpdir(), 'coverage-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), content);
  }
  return repo;
}

const row = (more: object = {}): string =>
  JSON.stringify({
    'CUE-2': { lesson: 'cues', says: 'Weights are equal.', test: 'a.spec.ts', ...more },
  });

describe('coverage', () => {
  it('reads what a test proves from the head of its title', () => {
    const source =
      "test('CUE-2, Q1: a', …); test(`NW-10: b ${x}`, …); await test.step(\n 'SC-1: c'); test('no Q2: d')";
    expect([...provenBy(source)]).toEqual(['CUE-2', 'Q1', 'NW-10', 'SC-1']);
  });

  it('is content where each row has its test', () => {
    repository({ 'lessons/coverage.json': row(), 'a.spec.ts': "test('CUE-2: equal', () => {})" });
    expect(coverageProblems(repo, ['cues'])).toEqual([]);
  });

  it('names the row that has none, and what is wrong in the list itself', () => {
    repository({
      'lessons/coverage.json': row({ lesson: 'gone', says: '' }),
      'a.spec.ts': "test('CUE-20: x')",
    });
    expect(coverageProblems(repo, ['cues'])).toEqual([
      'lessons/coverage.json: CUE-2: there is no lesson "gone"',
      'lessons/coverage.json: CUE-2 says nothing',
      'lessons/coverage.json: CUE-2: no test in a.spec.ts has "CUE-2" at the head of its title',
    ]);
    repository({ 'lessons/coverage.json': '{"X-1": {"lesson": "cues"}}' });
    expect(coverageProblems(repo, ['cues'])[0]).toContain('lessons/coverage.json.X-1.says');
  });

  it('is missed where the list is missing', () => {
    expect(coverageProblems(repository({}), [])).toEqual(['lessons/coverage.json is missing']);
  });
});
