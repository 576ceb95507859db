// The lines of PyTorch and of the core that made a step, by the key of stage/code/ (pages/source-lines.ts makes them).
declare module 'virtual:code' {
  /** `html`: coloured by our own build from our own sources. */
  export const lines: { file: string; line: number; html: string }[];
  export const code: Record<string, { py: number[]; cpp: number[] }>;
}
