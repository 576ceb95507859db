// Addresses of the goldens that the proof page compares with, by model (pages/proof-page.ts).
declare module 'virtual:proof' {
  export const files: Record<string, string>;
  export const configs: { plain: string };
  export const steps: Record<string, string>;
  export const training: Record<string, string>;
}
