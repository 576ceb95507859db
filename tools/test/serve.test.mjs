import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fileOf, serve } from '../serve.mjs';

const outer = mkdtempSync(join(tmpdir(), 'serve-'));
const root = join(outer, 'site');
let server;

before(async () => {
  mkdirSync(join(root, 'zh', 'bahdanau'), { recursive: true });
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(outer, 'secret.txt'), 'secret');
  writeFileSync(join(root, 'index.html'), 'home');
  writeFileSync(join(root, 'zh', 'bahdanau', 'index.html'), 'lesson');
  writeFileSync(join(root, 'assets', 'attn-Ab_1-xYz.wasm'), 'wasm');
  writeFileSync(join(root, 'assets', 'attn-Ab_1-xYz.wasm.gz'), gzipSync('wasm'));
  server = await serve({ root, port: 0 });
});
after(() => {
  server.close();
  rmSync(outer, { recursive: true });
});

/** Sends the path as it stands; fetch would tidy it first. */
const get = (path, { port = server.port, method = 'GET', headers = {} } = {}) =>
  new Promise((resolve, reject) =>
    request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end(),
  );

test('serve: a page comes isolated and is asked for again', async () => {
  const { status, headers, body } = await get('/');
  assert.equal(status, 200);
  assert.equal(String(body), 'home');
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.equal(headers['cross-origin-embedder-policy'], 'require-corp');
  assert.equal(headers['cache-control'], 'no-cache');
  assert.equal((await get('/', { headers: { 'If-None-Match': headers.etag } })).status, 304);
});

test('serve: a hashed asset has its type, is kept for good, and comes compressed where that is accepted', async () => {
  const plain = await get('/assets/attn-Ab_1-xYz.wasm');
  assert.equal(plain.headers['content-type'], 'application/wasm');
  assert.match(plain.headers['cache-control'], /immutable/);
  assert.equal(String(plain.body), 'wasm');
  const packed = await get('/assets/attn-Ab_1-xYz.wasm', { headers: { 'Accept-Encoding': 'br;q=0, gzip' } });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(packed.headers['content-type'], 'application/wasm');
  assert.equal(String(gunzipSync(packed.body)), 'wasm');
});

test('serve: a folder without its slash is sent to the one with it, with its query', async () => {
  const { status, headers } = await get('/zh/bahdanau?engine=simd');
  assert.equal(status, 301);
  assert.equal(headers.location, '/zh/bahdanau/?engine=simd');
});

for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/.hidden', '/%00', '/%', '/none'])
  test(`serve: ${path} is not found`, async () => assert.equal((await get(path)).status, 404));

test('serve: a folder beside the root with the same beginning is outside', () => {
  assert.equal(fileOf('/srv/site', '/x/../../site2/a'), undefined);
  assert.equal(fileOf('/srv/site', '/a.js'), '/srv/site/a.js');
});

test('serve: only GET and HEAD are answered', async () => {
  assert.equal((await get('/', { method: 'POST' })).status, 405);
  const head = await get('/', { method: 'HEAD' });
  assert.equal(head.headers['content-length'], '4');
  assert.equal(head.body.length, 0);
});

test('serve: takes the next port where one is taken, and can leave the isolation out', async () => {
  const second = await serve({ root, port: server.port, isolation: false });
  assert.ok(second.port > server.port);
  const { headers } = await get('/', { port: second.port });
  assert.equal(headers['cross-origin-opener-policy'], undefined);
  second.close();
});
