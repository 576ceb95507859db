// What this browser lacks for a build of the engine, told before a worker is started for nothing.

import { jspi, relaxedSimd } from 'wasm-feature-detect';

export type Lack = 'relaxed' | 'webgpu' | 'adapter' | 'jspi';

interface Gpu {
  requestAdapter: () => Promise<object | null>;
}

/** In the order in which a reader would look for it. */
export async function lack(variant: 'simd' | 'relaxed' | 'gpu'): Promise<Lack | undefined> {
  if (variant === 'simd') return undefined;
  if (!(await relaxedSimd())) return 'relaxed';
  if (variant === 'relaxed') return undefined;
  const { gpu } = navigator as { gpu?: Gpu };
  if (!gpu) return 'webgpu';
  if (!(await gpu.requestAdapter().catch(() => null))) return 'adapter';
  return (await jspi()) ? undefined : 'jspi';
}
