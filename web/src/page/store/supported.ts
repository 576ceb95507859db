// What this browser lacks for a build of the engine, told before a worker is started for nothing.

import { jspi, relaxedSimd } from 'wasm-feature-detect';
import type { Variant } from '../../shared/protocol';

export type Lack = 'relaxed' | 'webgpu' | 'adapter' | 'jspi';

/** In the order in which a reader would look for it. */
export async function lack(variant: Variant): Promise<Lack | undefined> {
  if (variant === 'simd') return undefined;
  if (!(await relaxedSimd())) return 'relaxed';
  if (variant === 'relaxed') return undefined;
  if (!navigator.gpu) return 'webgpu';
  if (!(await adapter())) return 'adapter';
  return (await jspi()) ? undefined : 'jspi';
}

/** Whether the only GPU is one that the processor imitates. */
export async function imitated(): Promise<boolean> {
  return (await adapter())?.info.isFallbackAdapter === true;
}

const adapter = () => navigator.gpu?.requestAdapter().catch(() => null) ?? Promise.resolve(null);
