// A file of pairs as text: a line a pair, the source, a tab, the target.

/** Without the pairs of this source sentence: what a model is never shown. */
export function leaveOut(pairs: string, source: string): string {
  return pairs
    .split('\n')
    .filter((line) => line.split('\t')[0]?.trim() !== source)
    .join('\n');
}
