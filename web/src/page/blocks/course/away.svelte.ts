// What a run did while nobody was looking: in a hidden tab it goes on, and nothing is drawn.

export class Away {
  /** The epochs between leaving and coming back. */
  made = $state.raw<{ from: number; to: number }>();

  #left: number | undefined;

  constructor(epoch: () => number | undefined) {
    $effect(() => {
      const turn = (): void => {
        if (document.hidden) this.#left = epoch();
        else if (this.#left !== undefined) {
          // What has been drawn is old: the frames that drawing waits for come after this.
          requestAnimationFrame(() => requestAnimationFrame(() => this.#back(epoch())));
        }
      };
      document.addEventListener('visibilitychange', turn);
      return () => document.removeEventListener('visibilitychange', turn);
    });
  }

  #back(to: number | undefined): void {
    const from = this.#left;
    this.#left = undefined;
    this.made = from !== undefined && to !== undefined && to > from ? { from, to } : undefined;
  }
}
