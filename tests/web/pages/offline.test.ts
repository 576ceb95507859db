import { describe, expect, it } from 'vitest';
import { siteFiles } from '../../../web/pages/offline';

const file = (path: string): [string, string] => [path, `sha256-${path}`];

describe('the list of what a visitor keeps', () => {
  const all = [
    '',
    'assets/attn.js',
    'assets/r.wasm',
    'assets/s.wasm',
    'assets/g.json',
    'zh/x/',
  ].map(file);
  const origins = {
    engines: new Map([
      ['assets/attn.js', ['simd', 'relaxed']], // equal for both, so it is one file
      ['assets/r.wasm', ['relaxed']],
      ['assets/s.wasm', ['simd']],
    ]),
    later: new Set(['assets/g.json']),
  };

  it('has each engine whole, the rest once, and what few need for later', () => {
    const { files, engines, later } = siteFiles(all, origins);
    expect(files).toEqual(['', 'zh/x/'].map(file));
    expect(engines).toEqual({
      simd: ['assets/attn.js', 'assets/s.wasm'].map(file),
      relaxed: ['assets/attn.js', 'assets/r.wasm'].map(file),
    });
    expect(later).toEqual(['assets/g.json']);
  });

  it('is another build when one file is another', () => {
    const other = all.map(([path, digest]): [string, string] => [
      path,
      path === 'zh/x/' ? 'sha256-new' : digest,
    ]);
    expect(siteFiles(other, origins).build).not.toBe(siteFiles(all, origins).build);
    expect(siteFiles(all, origins).build).toBe(siteFiles(all, origins).build);
  });
});
