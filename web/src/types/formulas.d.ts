// The stage's formulas as KaTeX's HTML, by the key of stage/steps.ts (pages/formulas.ts makes them).
declare module 'virtual:formulas' {
  export const html: Record<string, string>;
}
