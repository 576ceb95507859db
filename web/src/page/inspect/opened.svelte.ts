// The cell that is open beside a map. It stands in the lesson's state, and so in the URL.

import type { LessonState } from '../store/state.svelte';
import type { Values } from '../store/url';
import { place, type Grid } from '../parts/grid';
import { openedOf, readOpen, writeOpen } from './opening';
import type { Place } from '../parts/paint';

/** What can be open, by the names that a link has for it; absent while it is not there yet. */
export type Maps = Partial<Record<string, Grid>>;

export class OpenCell {
  readonly opened = $derived.by(() => readOpen(this.state.text(this.key)));
  readonly question = $derived.by(() => openedOf(this.opened, this.maps()));

  /** Call this while a component is being set up. */
  constructor(
    private readonly state: LessonState,
    private readonly key: string,
    private readonly maps: () => Maps,
  ) {
    let first = true;
    $effect(() => {
      const maps = this.maps();
      const text = this.state.text(this.key);
      if (Object.values(maps).every((map) => map === undefined)) return;
      const told = first; // of a link; a shorter sentence may lose a cell without a word
      first = false;
      const { opened } = this;
      const lost = opened && Object.hasOwn(maps, opened.whose) && maps[opened.whose];
      if (
        text !== '' &&
        (!opened || !Object.hasOwn(maps, opened.whose) || (lost && !this.question))
      )
        this.state.drop(this.key, told);
    });
  }

  /** Where in one of the maps it stands. */
  at(whose: string, map: Grid): Place | undefined {
    return this.opened?.whose === whose ? place(map, this.opened.cell) : undefined;
  }

  show(whose: string, cell: number[], more: Values = {}): void {
    this.state.assign({ [this.key]: writeOpen(whose, cell), ...more });
  }

  close(): void {
    this.state.set(this.key, '');
  }
}
