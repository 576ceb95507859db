// A search as a drawing: one column a step, one box a word, a line to the word that it follows.

import type { Branch, Translation } from '../../../shared/engine';

export interface Box {
  step: number; // its column
  at: number; // its place in the step, as its children name it
  row: number; // where it is drawn
  branch: Branch;
  path: string[]; // the words so far, its own included
  best: boolean; // on the way to the sequence that won
}

/** The words of a branch, found by going back from parent to parent. */
export function pathOf(tree: Branch[][], step: number, at: number): string[] {
  const words: string[] = [];
  for (let s = step, i = at; s >= 0; s -= 1) {
    const branch = tree[s]?.[i];
    if (!branch) break;
    words.unshift(branch.text);
    i = branch.parent;
  }
  return words;
}

/** Where the winner ended, and from there back to its first word. A translator's text goes without its end mark. */
function winners(tree: Branch[][], text: string): Set<string> {
  const way = new Set<string>();
  for (let step = tree.length - 1; step >= 0 && way.size === 0; step -= 1)
    for (const [at, branch] of tree[step]!.entries()) {
      const words = pathOf(tree, step, at);
      const said = [words.join(' '), ...(branch.ended ? [words.slice(0, -1).join(' ')] : [])];
      if (!branch.kept || !said.includes(text)) continue;
      for (let s = step, i = at; s >= 0; s -= 1) {
        way.add(`${s},${i}`);
        i = tree[s]![i]!.parent;
      }
      break;
    }
  return way;
}

export function boxes({ tree = [], text }: Translation, all: boolean): Box[] {
  const way = winners(tree, text);
  return tree.flatMap((step, s) => {
    let row = 0;
    return step.flatMap((branch, at): Box[] =>
      branch.kept || all
        ? [
            {
              step: s,
              at,
              row: row++,
              branch,
              path: pathOf(tree, s, at),
              best: way.has(`${s},${at}`),
            },
          ]
        : [],
    );
  });
}

/** The box that a box follows; none at the first step. */
export function parentOf(all: Box[], { step, branch }: Box): Box | undefined {
  return all.find((other) => other.step === step - 1 && other.at === branch.parent);
}
