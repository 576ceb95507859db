// What the build puts beside the page (pages/assets.ts). Addresses are absolute, made from the place of
// the script that imports them, so the site works from any folder.
declare module 'virtual:assets' {
  /** The core, by variant: Emscripten's module (import it by this address) and its WebAssembly. */
  export const wasm: Record<'simd' | 'relaxed' | 'gpu', { js: string; wasm: string }>;
  /** Model files (safetensors) by the name that lesson.json uses. */
  export const weights: Record<string, string>;
  /** The parallel corpus, one `English TAB French` a line. */
  export const corpus: { train: string; valid: string };
}
