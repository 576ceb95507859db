// For each model a script in PyTorch to take home, with its place for what the page has shown (pages/pytorch.ts makes them).
declare module 'virtual:pytorch' {
  export const scripts: Record<string, string>;
}
