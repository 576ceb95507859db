// A curve that a hand draws: one height for each place, as a short text for the URL.

/** Nothing where the text is no list of `n` heights. */
export function readDrawn(text: string, n: number): number[] | undefined {
  if (!/^-?[\d.]+(?:,-?[\d.]+)*$/.test(text)) return undefined;
  const heights = text.split(',').map(Number);
  return heights.length === n && heights.every(Number.isFinite) ? heights : undefined;
}

export function writeDrawn(heights: number[]): string {
  return heights.map((height) => String(Number(height.toFixed(2)))).join(',');
}

export interface Touch {
  place: number; // index
  height: number;
}

/** The hand went from one place to another faster than it was asked: what lies between is on a straight line. */
export function stroke(heights: number[], from: Touch, to: Touch): number[] {
  const steps = Math.abs(to.place - from.place);
  const back = to.place < from.place;
  return heights.map((height, i) => {
    const done = back ? from.place - i : i - from.place;
    if (done < 0 || done > steps) return height;
    return steps === 0 ? to.height : from.height + ((to.height - from.height) * done) / steps;
  });
}

export function clamp(height: number, [low, high]: [number, number]): number {
  return Math.max(low, Math.min(high, height));
}
