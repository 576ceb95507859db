#!/usr/bin/env node
// Trains the weights that ship with the site (recipes: tools/weights.json) into build/weights/NAME.safetensors.
// The `simd` variant gives the same bytes on every machine, so what the same core, corpus and
// recipe gave before is taken from the user's cache.
// ATTN_KEEP_WEIGHTS=1: a file that is there stays, whatever made it (for work on the page).

import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const SLICE_MS = 500;
const KEPT = 12; // cached files a name

const { values: options } = parseArgs({
  options: {
    root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    cache: { type: 'string', default: join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'attention-lab') },
  },
});
const at = (...path) => join(options.root, ...path);
const CACHE = join(options.cache, 'weights');

const corpus = Object.fromEntries(
  Object.entries({ pairs: 'eng-fra.tsv', valid: 'eng-fra.valid.tsv' }).map(([part, name]) => [
    part,
    readFileSync(at('lessons', 'corpus', name), 'utf8'),
  ]),
);

function keyOf(recipe) {
  const hash = createHash('sha256');
  for (const part of [readFileSync(at('build', 'wasm-simd', 'attn.wasm')), JSON.stringify([corpus, recipe])])
    hash.update(`${part.length} `).update(part);
  return hash.digest('hex').slice(0, 24);
}

/** A file appears whole or not at all. */
function write(path, bytes) {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${randomUUID()}`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, path);
}

/** The engine's verbs (web/src/shared/engine.ts) on a module of its own. */
async function startEngine() {
  const { default: factory } = await import(at('build', 'wasm-simd', 'attn.mjs'));
  const engine = new (await factory()).Engine();
  return async (verb, request, bytes) => {
    const reply = await engine.call(verb, JSON.stringify(request), bytes);
    const head = JSON.parse(reply.head);
    if (head.error) throw new Error(`${verb}: ${head.error.message}`);
    return { ...head, bytes: reply.bytes };
  };
}

let shown = 0; // when a log last got a line

function show(name, progress, start) {
  const { epoch, epochs, history } = progress;
  const losses = Object.entries(history.at(-1) ?? {}).filter(([key]) => key !== 'epoch');
  const text = losses.map(([key, value]) => `${key} ${Number(value).toFixed(4)}`).join(', ');
  const seconds = Math.round((Date.now() - start) / 1000);
  const line = `    ${name}: epoch ${epoch} of ${epochs}, ${text} (${seconds} s)`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
  else if (progress.state !== 'training' || Date.now() - shown > 10e3) {
    console.error(line);
    shown = Date.now();
  }
}

async function train(name, { model, config }) {
  const start = Date.now();
  const call = await startEngine();
  const { session } = await call('open', { model, config, data: corpus });
  let progress;
  do {
    progress = await call('train', { session, budget_ms: SLICE_MS });
    show(name, progress, start);
  } while (progress.state === 'training');
  if (process.stderr.isTTY) process.stderr.write('\n');
  if (progress.state !== 'done') throw new Error(`${name}: training ${progress.state}: ${progress.message ?? ''}`);
  return (await call('save', { session, what: 'model' })).bytes;
}

function prune(name) {
  const files = readdirSync(CACHE)
    .filter((file) => file.startsWith(`${name}-`))
    .map((file) => ({ path: join(CACHE, file), time: statSync(join(CACHE, file)).mtimeMs }))
    .sort((a, b) => b.time - a.time);
  for (const { path } of files.slice(KEPT)) rmSync(path, { force: true });
}

async function provide(name, recipe) {
  const target = at('build', 'weights', `${name}.safetensors`);
  if (process.env.ATTN_KEEP_WEIGHTS && existsSync(target)) return;
  const cached = join(CACHE, `${name}-${keyOf(recipe)}.safetensors`);
  if (!existsSync(cached)) {
    write(cached, await train(name, recipe));
    prune(name);
  }
  const bytes = readFileSync(cached);
  if (!existsSync(target) || !readFileSync(target).equals(bytes)) write(target, bytes);
}

for (const [name, recipe] of Object.entries(JSON.parse(readFileSync(at('tools', 'weights.json'), 'utf8'))))
  await provide(name, recipe).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
