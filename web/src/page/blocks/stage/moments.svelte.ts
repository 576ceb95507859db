// The axis of training time: moments at which the parameters were kept, and now.

import type { Session } from '../../store/sessions.svelte';
import { NOW } from './place';

export class Moments {
  /** Epochs, rising; the parameters as they are come after the last of them. */
  readonly all = $derived.by(() => this.session().trainer.progress?.moments ?? []);

  constructor(private readonly session: () => Session) {}

  /** As training goes on, moments are thinned: the nearest that is kept stands for one that is gone. */
  kept(moment: number): number | undefined {
    if (moment === NOW || this.all.length === 0) return undefined;
    return this.all.reduce((best, each) =>
      Math.abs(each - moment) < Math.abs(best - moment) ? each : best,
    );
  }

  /** Positions on the slider: 0 … all.length, the last is now. */
  index(moment: number): number {
    const kept = this.kept(moment);
    return kept === undefined ? this.all.length : this.all.indexOf(kept);
  }

  at(index: number): number {
    return this.all[index] ?? NOW;
  }
}
