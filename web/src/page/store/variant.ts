import { jspi, relaxedSimd } from 'wasm-feature-detect';
import type { StartAt, Variant } from '../../shared/protocol';

// Milliseconds that a browser may take to say whether it has a GPU; a page does not wait longer for its engine.
const PATIENCE = 1000;

const asked = (search: string): string | null => new URLSearchParams(search).get('engine');

/** Which builds to try, best first. `?engine=simd`, `relaxed` or `gpu` insists, the last as far as the browser goes along. */
export async function variants(search: string): Promise<Variant[]> {
  const wanted = asked(search);
  if (wanted === 'simd' || wanted === 'relaxed') return [wanted];
  if (!(await relaxedSimd())) return ['simd'];
  const gpu = (await jspi()) && (wanted === 'gpu' || (await hardware()));
  return gpu ? ['gpu', 'relaxed', 'simd'] : ['relaxed', 'simd'];
}

/** What the worker is told of the GPU when it starts. */
export function insistence(search: string): Pick<StartAt, 'gpu'> {
  return asked(search) === 'gpu' ? { gpu: 'insist' } : {};
}

let found: Promise<boolean> | undefined;

/** Whether there is a GPU that is no software; asked once. */
function hardware(): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE, false));
  return (found ??= Promise.race([findHardware(), late]));
}

async function findHardware(): Promise<boolean> {
  try {
    const adapter = await navigator.gpu?.requestAdapter();
    return Boolean(adapter) && !adapter!.info.isFallbackAdapter;
  } catch {
    return false;
  }
}

/** A worker's base is its own file, so it gets whole addresses. */
export function absolute(url: string): string {
  return new URL(url, document.baseURI).href;
}
