// What a screen reader is told of something that changes all the time: the newest sentence, but never sooner than some seconds
// after the last one.

const PAUSE_MS = 10_000;

/** `told` follows what `say` gives; an empty sentence is told at once, and the first one too. */
export class Calm {
  told = $state('');
  #last = -Infinity;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly say: () => string,
    private readonly pause = PAUSE_MS,
  ) {
    $effect(() => this.#hear(this.say()));
    $effect(() => () => clearTimeout(this.#waiting));
  }

  #hear(sentence: string): void {
    clearTimeout(this.#waiting);
    const rest = this.#last + this.pause - performance.now();
    if (sentence === '' || rest <= 0) this.#tell(sentence);
    else this.#waiting = setTimeout(() => this.#tell(this.say()), rest);
  }

  #tell(sentence: string): void {
    if (sentence !== '') this.#last = performance.now();
    this.told = sentence;
  }
}
