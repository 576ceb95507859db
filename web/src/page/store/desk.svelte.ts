// The learner's own pairs. They lie in the tab; of the corpus, which came with the page, the validation part is a file of
// its own.

import type { Scalar } from '../../shared/engine';
import { split, type Held, type Parts } from './split';

/** More than this is refused before it is read. The engine's own limit (`text/pairs.hpp`) says the same. */
export const MOST_BYTES = 32 * 1024 * 1024;

export interface OwnPairs {
  name: string; // of the file; '' for pasted ones
  text: string;
}

export class Desk {
  own = $state.raw<OwnPairs>();

  #puts = $state(0);

  constructor(
    private readonly corpus: () => Promise<Parts>,
    private readonly held: (values: Record<string, Scalar>) => Held,
  ) {}

  put(own: OwnPairs | undefined): void {
    if (own?.text === this.own?.text && own?.name === this.own?.name) return;
    this.own = own;
    this.#puts += 1;
  }

  /** Another one: other pairs, or other pairs held out. */
  get edition(): string {
    const { pairs, from } = this.held({});
    return this.own ? `${this.#puts}:${pairs}:${from}` : '';
  }

  /** The whole text, as it was given. */
  async text(): Promise<string> {
    return this.own?.text ?? (await this.corpus()).pairs;
  }

  /** `values`: of the lesson's state, where it is to be another one. */
  async parts(values: Record<string, Scalar> = {}): Promise<Parts> {
    return this.own ? split(this.own.text, this.held(values)) : this.corpus();
  }
}
