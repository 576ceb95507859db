#!/usr/bin/env node
// Packs the built site into build/attention-lab-VERSION.tar.gz, the same bytes from the same site whenever and wherever it is
// packed: names in order, one date, no owner. In the archive SHA256SUMS lists every file; beside it lies its own digest.
//   node tools/release.mjs [--site FOLDER] [--out FOLDER]

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BLOCK = 512;
const DATE = 315532800; // 1980-01-01, the first that every archive format knows

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
const octal = (value, width) => `${value.toString(8).padStart(width - 1, '0')}\0`;

/** A header of the format that POSIX calls ustar. */
function header(name, size) {
  const block = Buffer.alloc(BLOCK);
  const put = (text, at) => block.write(text, at, 'utf8');
  if (Buffer.byteLength(name) > 100) throw new Error(`${name}: longer than a name in an archive may be`);
  put(name, 0);
  put(octal(0o644, 8), 100);
  put(octal(0, 8), 108); // owner and group
  put(octal(0, 8), 116);
  put(octal(size, 12), 124);
  put(octal(DATE, 12), 136);
  put(' '.repeat(8), 148); // the sum counts its own place as blanks
  put('0', 156); // a file
  put('ustar\0' + '00', 257);
  const sum = block.reduce((all, byte) => all + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);

/** Of [name, bytes], in the order of the names. */
export function archive(files) {
  const blocks = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, bytes]) => [header(name, bytes.length), padded(bytes)]);
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  packed[9] = 255; // which system packed it: none
  return packed;
}

export function release(site, out, version) {
  if (!existsSync(join(site, 'index.html'))) throw new Error(`There is no site in ${site}: call ./run build.`);
  const files = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(site.length + 1))
    .sort()
    .map((path) => [path, readFileSync(join(site, path))]);
  const sums = files.map(([path, bytes]) => `${digest(bytes)}  ${path}\n`).join('');
  const name = `attention-lab-${version}`;
  const all = [...files, ['SHA256SUMS', Buffer.from(sums)]].map(([path, bytes]) => [`${name}/${path}`, bytes]);
  const packed = archive(all);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, `${name}.tar.gz`), packed);
  writeFileSync(join(out, `${name}.tar.gz.sha256`), `${digest(packed)}  ${name}.tar.gz\n`);
  return { name: `${name}.tar.gz`, digest: digest(packed), size: packed.length, files: all.length };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      site: { type: 'string', default: join(ROOT, 'build', 'site') },
      out: { type: 'string', default: join(ROOT, 'build') },
    },
  });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'web', 'package.json'), 'utf8'));
  try {
    const made = release(values.site.replace(/\/$/, ''), values.out, version);
    console.log(`${made.name}: ${made.files} files, ${made.size} bytes, sha256 ${made.digest}`);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
