import { relaxedSimd } from 'wasm-feature-detect';
import type { Variant } from '../../shared/protocol';

/** Which builds to try, best first. `?engine=simd` or `?engine=relaxed` insists. */
export async function variants(search: string): Promise<Variant[]> {
  const wanted = new URLSearchParams(search).get('engine');
  if (wanted === 'simd' || wanted === 'relaxed') return [wanted];
  return (await relaxedSimd()) ? ['relaxed', 'simd'] : ['simd'];
}

/** A worker's base is its own file, so it gets whole addresses. */
export function absolute(url: string): string {
  return new URL(url, document.baseURI).href;
}
