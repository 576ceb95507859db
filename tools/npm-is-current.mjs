// npm-is-current FOLDER: exit code 0 if node_modules holds what package-lock.json asks for.
// npm writes node_modules/.package-lock.json as its last act, so an interrupted install fails here.
import { readFileSync } from 'node:fs';

const folder = process.argv[2];
const packages = (file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')).packages;

try {
  const there = packages('node_modules/.package-lock.json');
  const stale = Object.entries(packages('package-lock.json')).some(
    // An optional package may be for another system.
    ([path, wanted]) => path && !wanted.optional && there[path]?.version !== wanted.version,
  );
  process.exitCode = stale ? 1 : 0;
} catch {
  process.exitCode = 1;
}
