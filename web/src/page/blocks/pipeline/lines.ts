// A line of the corpus as a learner should see it.

export interface Line {
  source: string;
  target: string;
}

/** Lines with exactly one tab; the reader of the engine skips others too. */
export function linesOf(file: string): Line[] {
  return file.split('\n').flatMap((line) => {
    const [source, target, ...more] = line.split('\t');
    return source && target && more.length === 0 ? [{ source, target }] : [];
  });
}

/** Spaces that do not look different but are: no-break, and the narrow one that stands before French marks. */
export function visible(text: string): { text: string; special: boolean }[] {
  return text
    .split(/([\u00a0\u202f])/)
    .filter((part) => part !== '')
    .map((part) => ({ text: part, special: /[\u00a0\u202f]/.test(part) }));
}
