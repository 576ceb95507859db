import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { archive, release } from '../release.mjs';

const outer = mkdtempSync(join(tmpdir(), 'release-'));
after(() => rmSync(outer, { recursive: true }));

/** The same site, made in another order, at another time, for other eyes. */
function site(name, order, time, mode = 0o644) {
  const root = join(outer, name);
  const files = { 'index.html': 'home', 'zh/index.html': '主页', 'assets/a.js': 'x'.repeat(513), empty: '' };
  for (const path of order(Object.keys(files))) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), files[path], { mode });
    utimesSync(join(root, path), time, time);
  }
  return root;
}

const shell = (line, cwd) => spawnSync('bash', ['-c', line], { cwd, encoding: 'utf8' });

test('release: the same site is packed into the same bytes, wherever and whenever', () => {
  const one = release(site('one', (all) => all, 1e9), join(outer, 'first'), '1.2.3');
  const two = release(site('two', (all) => all.reverse(), 1.7e9, 0o700), join(outer, 'second'), '1.2.3');
  assert.equal(one.name, 'attention-lab-1.2.3.tar.gz');
  assert.equal(one.digest, two.digest);
  assert.deepEqual(
    readFileSync(join(outer, 'first', one.name)),
    readFileSync(join(outer, 'second', two.name)),
  );
});

test('release: tar unpacks it, and both lists of digests hold', () => {
  const out = join(outer, 'out');
  release(site('three', (all) => all, 1e9), out, '1.2.3');
  const sums = shell('sha256sum -c attention-lab-1.2.3.tar.gz.sha256 && tar xzf *.tar.gz && cd attention-lab-1.2.3 && sha256sum -c SHA256SUMS', out);
  assert.equal(sums.status, 0, sums.stderr);
  assert.equal(sums.stdout.match(/: OK/g).length, 5);
  assert.equal(readFileSync(join(out, 'attention-lab-1.2.3', 'zh', 'index.html'), 'utf8'), '主页');
});

test('release: without a site it says what to do; a name too long for the format is refused', () => {
  assert.throws(() => release(join(outer, 'nothing'), outer, '1'), /call \.\/run build/);
  assert.throws(() => archive([['x'.repeat(101), Buffer.alloc(0)]]), /longer/);
});
