// What plays: the steps, or the moments of training; one at a time.

export type Axis = 'steps' | 'moments';

export const SPEEDS = [0.5, 1, 2, 4];
const BEAT_MS = 900;

export class Player {
  axis = $state<Axis>();
  speed = $state(1);

  /** `beat` goes one on and says whether there is more; call this while a component is being set up. */
  constructor(beat: (axis: Axis) => boolean) {
    $effect(() => {
      const { axis } = this;
      if (!axis) return;
      const timer = setInterval(() => {
        if (!beat(axis)) this.axis = undefined;
      }, BEAT_MS / this.speed);
      return () => clearInterval(timer);
    });
  }

  stop(): void {
    this.axis = undefined;
  }
}
