// The checks of `./run check`: each is one shell line, and counts as one test.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const version = (program) => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '';

/** tools/check-*.mjs: prints its failures and exits with 1. A new one edits nothing here. */
const own = (root) =>
  readdirSync(join(root, 'tools'))
    .filter((name) => /^check-.*\.mjs$/.test(name))
    .map((name) => ({ name: name.slice('check-'.length, -'.mjs'.length), line: `node tools/${name}` }));

const CPP = "$(find src tests/native tests/fuzz -name '*.hpp' -o -name '*.cpp')";

/** Tools that a machine may lack; set-up does not install them. */
function optional() {
  const list = [];
  // Another version breaks lines elsewhere: Debian 12's is the measure.
  if (/version 14\./.test(version('clang-format')))
    list.push({ name: 'C++ format', line: `clang-format --dry-run -Werror ${CPP}` });
  if (version('shellcheck')) list.push({ name: 'shell', line: 'shellcheck -x run .ci/run tools/*.sh' });
  return list;
}

export function checks(root) {
  const web = existsSync(join(root, 'web', 'package.json'))
    ? [
        { name: 'page: lint and format', line: 'npm run --silent --prefix web lint' },
        { name: 'page: types', line: 'npm run --silent --prefix web check' },
      ]
    : [];
  return [...own(root), ...optional(), ...web];
}
