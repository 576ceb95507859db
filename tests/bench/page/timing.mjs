// How the peers are timed: as our own core times itself (src/labs/matmul.cpp), in slices of doubling numbers of calls.

/** Calls of f a second, over at least `ms`; f may be asynchronous. */
export async function rate(ms, f) {
  const start = performance.now();
  let done = 0;
  for (let more = 1; ; more *= 2) {
    for (let i = 0; i < more; i += 1) {
      const pending = f();
      if (pending) await pending;
    }
    done += more;
    const passed = performance.now() - start;
    if (passed >= ms) return (1000 * done) / passed;
  }
}

/** Random numbers around 0, the same for the same n. */
export function numbers(n, scale = 1) {
  const out = new Float32Array(n);
  let state = 0x9e3779b9;
  for (let i = 0; i < n; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    out[i] = scale * ((state >>> 0) / 2147483648 - 1);
  }
  return out;
}
