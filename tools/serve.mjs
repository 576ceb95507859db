#!/usr/bin/env node
// A static server for the built site, for this machine only.
//   node tools/serve.mjs [--root FOLDER] [--port N] [--no-isolation]
// --no-isolation leaves out COOP and COEP, as a plain static host does.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.tsv': 'text/tab-separated-values; charset=utf-8',
  '.wasm': 'application/wasm',
  '.safetensors': 'application/octet-stream',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
];
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
// Vite writes a hash of the content into the names of this folder: a name never changes its content.
const HASHED = /[/\\]assets[/\\][^/\\]*-[\w-]{8}\.\w+$/;
// Whatever of the two `localhost` means to a browser, it is this server that answers.
const HOSTS = ['127.0.0.1', '::1'];

const isFile = (path) => stat(path).then((found) => found.isFile(), () => false);

/** The file that an address means, or undefined: never one outside root, never a hidden one. */
export function fileOf(root, address) {
  let path;
  try {
    path = decodeURIComponent(address.split(/[?#]/, 1)[0]);
  } catch {
    return undefined;
  }
  if (path.includes('\0') || /(^|[/\\])\./.test(path)) return undefined;
  const file = resolve(join(root, path.endsWith('/') ? `${path}index.html` : path));
  return file.startsWith(root + sep) ? file : undefined;
}

/** A file that was compressed beforehand, where it lies beside and the client takes it. */
async function encoded(file, accepts = '') {
  for (const [name, suffix] of ENCODINGS)
    if (new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepts) && (await isFile(file + suffix)))
      return { body: file + suffix, encoding: { 'Content-Encoding': name } };
  return { body: file, encoding: {} };
}

async function answer(root, headers, request, response) {
  const end = (status, extra = {}, body = '') => response.writeHead(status, { ...headers, ...extra }).end(body);
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(405, { Allow: 'GET, HEAD' });
  const file = fileOf(root, request.url);
  // /zh/bahdanau is a folder: its address ends in a slash, or its relative links break.
  if (file && !extname(file) && (await isFile(join(file, 'index.html')))) {
    const { pathname, search } = new URL(request.url, 'http://localhost');
    return end(301, { Location: `${pathname.replace(/^\/+/, '/')}/${search}` });
  }
  if (!file || !(await isFile(file))) return notFound(root, end);

  const { body, encoding } = await encoded(file, request.headers['accept-encoding']);
  const { size, mtimeMs } = await stat(body);
  const tag = `"${createHash('sha1').update(`${body} ${size} ${mtimeMs}`).digest('hex').slice(0, 20)}"`;
  const about = {
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Cache-Control': HASHED.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: tag,
    Vary: 'Accept-Encoding',
    ...encoding,
  };
  if (request.headers['if-none-match'] === tag) return end(304, about);
  response.writeHead(200, { ...headers, ...about, 'Content-Length': size });
  if (request.method === 'HEAD') return response.end();
  createReadStream(body)
    .on('error', () => response.destroy())
    .pipe(response);
}

async function notFound(root, end) {
  const page = await readFile(join(root, '404.html')).catch(() => 'There is no such page.\n');
  const type = typeof page === 'string' ? 'text/plain; charset=utf-8' : TYPES['.html'];
  end(404, { 'Content-Type': type, 'Cache-Control': 'no-cache' }, page);
}

/** What tells how many bytes these servers have sent. */
function counted(servers) {
  const open = new Set();
  let before = 0; // over connections that have ended
  for (const server of servers)
    server.on('connection', (socket) => {
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
        before += socket.bytesWritten;
      });
    });
  return () => [...open].reduce((sum, socket) => sum + socket.bytesWritten, before);
}

const listen = (server, port, host) =>
  new Promise((done, failed) => {
    server.once('error', failed).listen(port, host, () => done(server.off('error', failed).address().port));
  });

/**
 * Listens on the first free port from `port` on (0: any). Resolves to the port, to what ends it, and to what tells how many
 * bytes went out so far, heads included.
 */
export async function serve({ root, port = 8080, isolation = true }) {
  const headers = { 'X-Content-Type-Options': 'nosniff', ...(isolation ? ISOLATION : {}) };
  const onRequest = (request, response) =>
    answer(root, headers, request, response).catch((error) => {
      console.error(`${request.method} ${request.url}: ${error.message}`);
      response.destroy();
    });
  for (;;) {
    const servers = HOSTS.map(() => createServer(onRequest));
    const sent = counted(servers);
    const close = () => servers.forEach((server) => server.close());
    try {
      port = await listen(servers[0], port, HOSTS[0]);
      await listen(servers[1], port, HOSTS[1]).catch((error) => {
        if (error.code === 'EADDRINUSE') throw error; // otherwise: a machine without IPv6
      });
      return { port, close, sent };
    } catch (error) {
      close();
      if (error.code !== 'EADDRINUSE' || port >= 65535) throw error;
      console.error(`Port ${port} is taken, trying ${port + 1}.`);
      port += 1;
    }
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      root: { type: 'string', default: fileURLToPath(new URL('../build/site', import.meta.url)) },
      port: { type: 'string', default: '8080' },
      'no-isolation': { type: 'boolean', default: false },
    },
  });
  const root = resolve(values.root);
  if (!(await isFile(join(root, 'index.html')))) throw new Error(`There is no index.html in ${root}: call ./run build.`);
  if (!/^\d{1,5}$/.test(values.port) || values.port > 65535) throw new Error(`"${values.port}" is no port.`);
  const { port } = await serve({ root, port: Number(values.port), isolation: !values['no-isolation'] });
  console.log(`http://localhost:${port}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
