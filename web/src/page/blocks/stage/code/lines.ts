// How lines of code are told: by a fragment that stands in its file (or between `[anchor: …]` and `[anchor end]`)
// exactly once. pages/source-lines.ts looks it up while the site is built, and `./run check` fails on one that is gone.

/** File, fragment, and between which anchors it is to be looked for. */
export type Anchor = [file: string, fragment: string, anchor?: string];

export interface Lines {
  py: Anchor[]; // in tests/parity
  cpp: Anchor[]; // in src
}

export const py = (file: string) => (fragment: string, anchor?: string) =>
  [`${file}.py`, fragment, ...(anchor === undefined ? [] : [anchor])] as Anchor;
export const cpp = (file: string) => (fragment: string, anchor?: string) =>
  [`${file}.cpp`, fragment, ...(anchor === undefined ? [] : [anchor])] as Anchor;

export function lines(theirs: Anchor | Anchor[], ours: Anchor | Anchor[]): Lines {
  const list = (anchors: Anchor | Anchor[]): Anchor[] =>
    typeof anchors[0] === 'string' ? [anchors as Anchor] : (anchors as Anchor[]);
  return { py: list(theirs), cpp: list(ours) };
}

export type Table = Record<string, Lines>;

export function ofEach(names: string[], table: Table): Table {
  return Object.fromEntries(
    names.flatMap((name) =>
      Object.entries(table).map(([end, entry]) => [end === '' ? name : `${name}.${end}`, entry]),
    ),
  );
}
