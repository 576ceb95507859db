// The keys of the page, as the help sheet (`?`) lists them. A kind of block names its groups in its schema
// (`export const keys`); a key's words are `keys.<group>` and `keys.<group>.<row>`.

export const KEYS = {
  page: {
    move: ['Tab', '⇧ Tab'],
    press: ['Enter', 'Space'],
    close: ['Esc'],
    help: ['?'],
  },
  block: {
    embed: ['E'],
  },
  stage: {
    step: ['←', '→'],
    ends: ['Home', 'End'],
  },
  map: {
    move: ['←', '→', '↑', '↓'],
    ends: ['Home', 'End'],
    column: ['Page Up', 'Page Down'],
    open: ['Enter'],
    sum: ['→'],
    size: ['+', '−'],
  },
  curve: {
    move: ['←', '→'],
    far: ['Page Up', 'Page Down'],
    ends: ['Home', 'End'],
  },
  draw: {
    move: ['←', '→'],
    lift: ['↑', '↓'],
    far: ['Page Up', 'Page Down'],
  },
  seeds: {
    move: ['←', '→'],
    adopt: ['Enter'],
  },
  slider: {
    move: ['←', '→'],
    far: ['Page Up', 'Page Down'],
    ends: ['Home', 'End'],
  },
  sort: {
    take: ['Enter'],
    put: ['1', '2', '3', '…'],
    drop: ['Esc'],
  },
  cells: {
    walk: ['←', '→', '↑', '↓'],
    open: ['Enter'],
  },
  boxes: {
    walk: ['←', '→', '↑', '↓'],
    ends: ['Home', 'End'],
  },
  field: {
    take: ['Enter'],
  },
} as const satisfies Record<string, Record<string, string[]>>;

export type KeyGroup = keyof typeof KEYS;
