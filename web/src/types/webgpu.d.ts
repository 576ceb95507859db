// What the page asks of WebGPU before it chooses an engine: TypeScript has no types of it yet.
interface Navigator {
  readonly gpu?: {
    requestAdapter(): Promise<{ readonly info: { readonly isFallbackAdapter?: boolean } } | null>;
  };
}
