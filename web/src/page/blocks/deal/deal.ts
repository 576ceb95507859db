// Which row gets which length, and what a wrong one does. Pure.

/** `3,2,3` as a length for each row; nothing where it is none of those that may be dealt. */
export function readDealt(text: string, rows: number, among: number[]): number[] | undefined {
  if (!/^\d+(,\d+)*$/.test(text)) return undefined;
  const dealt = text.split(',').map(Number);
  return dealt.length === rows && dealt.every((length) => among.includes(length))
    ? dealt
    : undefined;
}

export const each = (lengths: Iterable<number>): number[] =>
  [...new Set(lengths)].sort((a, b) => b - a);

export type Harm = 'seen' | 'hidden';

/** Too long a length lets padding be seen, too short a one hides a word. */
export function harm(dealt: number, right: number): Harm | undefined {
  if (dealt === right) return undefined;
  return dealt > right ? 'seen' : 'hidden';
}
