import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assetFiles, missingSentence, moduleSource } from '../../../web/pages/assets.ts';

const FILES = [
  'build/wasm-simd/attn.mjs',
  'build/wasm-simd/attn.wasm',
  'build/wasm-relaxed/attn.mjs',
  'build/wasm-relaxed/attn.wasm',
  'build/wasm-gpu/attn.mjs',
  'build/wasm-gpu/attn.wasm',
  'build/weights/bahdanau.safetensors',
  'lessons/corpus/eng-fra.tsv',
  'lessons/corpus/eng-fra.valid.tsv',
];

function repo(files: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'repo-'));
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return root;
}

describe('what the site needs from outside', () => {
  it('is complete', () => {
    const root = repo(FILES);
    expect(missingSentence(root, assetFiles(root, ['bahdanau']))).toBeUndefined();
  });

  it('is named in a sentence when it is missing', () => {
    const root = repo(FILES.filter((file) => !file.includes('weights')));
    expect(missingSentence(root, assetFiles(root, ['bahdanau']))).toBe(
      'the site needs build/weights/bahdanau.safetensors: run ./run build, which makes them',
    );
  });

  it('becomes a module of addresses', () => {
    const root = repo(FILES);
    const source = moduleSource(assetFiles(root, ['bahdanau']));
    expect(source).toContain(`from "${root}/build/wasm-simd/attn.wasm?url&no-inline";`);
    expect(source).toContain('export const wasm = {"simd": {"js": file0, "wasm": file1},');
    expect(source).toContain('export const weights = {"bahdanau": file6};');
    expect(source).toContain('export const corpus = {"train": file7, "valid": file8};');
  });
});
