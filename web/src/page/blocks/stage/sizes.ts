// The sizes under the symbols of a formula: `n × d` until there is a run, `6 × 16` with one.

import type { Operand, Step } from '../../../shared/engine';

/** `query` is an axis of the step, `0.feature` one of its first operand, `0.1.feature` one of that one's second. */
export function sizeOf(step: Step, ref: string): number | undefined {
  const parts = ref.split('.');
  const name = parts.pop();
  let at: Pick<Operand, 'axes' | 'operands'> | undefined = step;
  for (const part of parts) at = at?.operands?.[Number(part)];
  return at?.axes.find((axis) => axis.name === name)?.size;
}

const LETTER = 'letter';

/** Puts the numbers where pages/formulas.ts has left `data-size`; a size that the step does not tell keeps its letter. */
export function showSizes(formula: HTMLElement, step: Step | undefined): void {
  for (const place of formula.querySelectorAll<HTMLElement>('[data-size]')) {
    place.dataset[LETTER] ??= place.textContent;
    const size = step && sizeOf(step, place.dataset['size']!);
    let inner: Element = place; // KaTeX's own element, which has the size and the font
    while (inner.firstElementChild) inner = inner.firstElementChild;
    const text = size === undefined ? place.dataset[LETTER] : String(size);
    if (inner.textContent !== text) inner.textContent = text;
    inner.classList.toggle('mathnormal', size === undefined);
  }
}
