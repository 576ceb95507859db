import { afterEach, describe, expect, it, vi } from 'vitest';

const has = { jspi: true, relaxed: true };
vi.mock('wasm-feature-detect', () => ({
  jspi: () => Promise.resolve(has.jspi),
  relaxedSimd: () => Promise.resolve(has.relaxed),
}));

type Adapter = { info: { isFallbackAdapter?: boolean } } | null;
type Request = () => Promise<Adapter>;

/** A browser, which is asked for its GPU once: each begins anew. */
async function variants(search: string, request?: Request, lacks: Partial<typeof has> = {}) {
  Object.assign(has, { jspi: true, relaxed: true }, lacks);
  vi.stubGlobal('navigator', request ? { gpu: { requestAdapter: request } } : {});
  vi.resetModules();
  const module = await import('../../web/src/page/store/variant');
  return module.variants(search);
}

const card: Request = () => Promise.resolve({ info: { isFallbackAdapter: false } });
const software: Request = () => Promise.resolve({ info: { isFallbackAdapter: true } });
const WASM = ['relaxed', 'simd'];

afterEach(() => vi.unstubAllGlobals());

describe('the build of the engine', () => {
  it('is the one that may wait for a GPU where there is a card', async () => {
    expect(await variants('', card)).toEqual(['gpu', ...WASM]);
    expect(await variants('', () => Promise.resolve({ info: {} }))).toEqual(['gpu', ...WASM]);
  });

  it('is WebAssembly alone with a software adapter, none, no WebGPU, or one that fails', async () => {
    expect(await variants('', software)).toEqual(WASM);
    expect(await variants('', () => Promise.resolve(null))).toEqual(WASM);
    expect(await variants('')).toEqual(WASM);
    expect(await variants('', () => Promise.reject(new Error('blocked')))).toEqual(WASM);
  });

  it('does not wait for a browser that does not say whether it has a GPU', async () => {
    vi.useFakeTimers();
    const asked = variants('', () => new Promise<Adapter>(() => undefined));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await asked).toEqual(WASM);
    vi.useRealTimers();
  });

  it('cannot wait for a GPU without JSPI, and needs no relaxed SIMD', async () => {
    expect(await variants('', card, { jspi: false })).toEqual(WASM);
    expect(await variants('?engine=gpu', card, { jspi: false })).toEqual(WASM);
    expect(await variants('', card, { relaxed: false })).toEqual(['simd']);
  });

  it('is what the address insists on', async () => {
    expect(await variants('?engine=simd', card)).toEqual(['simd']);
    expect(await variants('?engine=relaxed', card)).toEqual(['relaxed']);
    expect(await variants('?engine=gpu', software)).toEqual(['gpu', ...WASM]);
  });
});
