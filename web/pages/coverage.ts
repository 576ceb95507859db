// lessons/coverage.json: each row of the chapter and each learner's question that the lessons answer, with the browser test
// that proves it. A test names what it proves at the head of its title: `CUE-2, Q1: …`.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dictionary, object, SchemaError, text, type Parsed } from '../src/shared/schema.ts';

const entry = object({
  lesson: text, // the lesson's address
  says: text, // what it says, in a sentence
  test: text, // the file, from the repository's root
});
type Entry = Parsed<typeof entry>;

const ID = /^(OV|CUE|NW|SC|BAH|MH|SA|PE|TR|MI|PR)-\d+$|^Q\d+$/;

/** `CUE-2, Q1: recolouring …` → CUE-2 and Q1. */
export function provenBy(source: string): Set<string> {
  const titles = [...source.matchAll(/\btest(?:\.step)?\(\s*(['"`])([^]*?)\1/g)].map(
    ([, , title]) => title!,
  );
  const heads = titles.flatMap(
    (title) => /^([A-Z]+-?\d+(?:[, ]+[A-Z]+-?\d+)*):/.exec(title)?.[1] ?? [],
  );
  return new Set(heads.flatMap((head) => head.split(/[, ]+/)));
}

export function coverageProblems(repo: string, slugs: string[]): string[] {
  const path = 'lessons/coverage.json';
  if (!existsSync(join(repo, path))) return [`${path} is missing`];
  let all: Record<string, Entry>;
  try {
    all = dictionary(entry)(JSON.parse(readFileSync(join(repo, path), 'utf8')), path);
  } catch (error) {
    if (error instanceof SchemaError || error instanceof SyntaxError) return [error.message];
    throw error;
  }
  const proven = new Map<string, Set<string>>();
  const testsOf = (file: string): Set<string> => {
    const at = join(repo, file);
    const found =
      proven.get(file) ?? (existsSync(at) ? provenBy(readFileSync(at, 'utf8')) : new Set());
    proven.set(file, found);
    return found;
  };
  return Object.entries(all).flatMap(([id, { lesson, says, test }]) => [
    ...(ID.test(id) ? [] : [`${path}: "${id}" is no row and no question`]),
    ...(slugs.includes(lesson) ? [] : [`${path}: ${id}: there is no lesson "${lesson}"`]),
    ...(says.trim() === '' ? [`${path}: ${id} says nothing`] : []),
    ...(testsOf(test).has(id)
      ? []
      : [`${path}: ${id}: no test in ${test} has "${id}" at the head of its title`]),
  ]);
}
