// What a model learns from, and what it is only asked about. Lines of text, not yet read: which of them are pairs, the
// engine says; a line that can be none stays where it is, so that it is named.

export interface Held {
  pairs: number; // held out, about
  from: 'spread' | 'end'; // here and there, or the last ones
}

export interface Parts {
  pairs: string;
  valid: string;
}

const isPair = (line: string): boolean => /^[^\t]*\S[^\t]*\t.*\S/.test(line);

/** With `spread`, all lines of one source go together: what is asked must not have been learnt in other words. */
export function split(text: string, { pairs: wanted, from }: Held): Parts {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const places = lines.flatMap((line, i) => (isPair(line) ? [i] : []));
  const most = Math.min(wanted, places.length - 1); // something must be left to learn from
  if (most <= 0) return { pairs: text, valid: '' };
  const out = new Set(from === 'end' ? places.slice(-most) : spread(lines, places, most));
  return {
    pairs: lines.filter((_, i) => !out.has(i)).join('\n'),
    valid: lines.filter((_, i) => out.has(i)).join('\n'),
  };
}

/** Every so many sources one, until enough lines are together; never all of them. */
function spread(lines: string[], places: number[], wanted: number): number[] {
  const groups = new Map<string, number[]>();
  for (const i of places) {
    const source = lines[i]!.slice(0, lines[i]!.indexOf('\t')).trim().toLowerCase();
    groups.set(source, [...(groups.get(source) ?? []), i]);
  }
  const all = [...groups.values()];
  const every = Math.max(2, Math.floor(places.length / wanted));
  const chosen: number[] = [];
  for (let g = every - 1; g < all.length && chosen.length < wanted; g += every)
    if (chosen.length + all[g]!.length < places.length) chosen.push(...all[g]!);
  return chosen;
}
