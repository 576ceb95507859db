// How long a training would take here: a few of its real steps, made in the worker that trains, and what the engine makes
// of the time they took.

import type { Config, Opened, Progress, Scalar } from '../../../shared/engine';
import { asError } from '../../store/errors';
import type { Lab } from '../../store/lab';
import type { Session } from '../../store/sessions.svelte';

const STEPS = 4;
const PATIENCE_S = 2; // a step that takes long says enough alone
const SETTLE_MS = 500; // a knob that is being turned is not yet meant

export interface Estimated {
  opened: Opened;
  steps: number;
  progress: Progress;
}

/** The settings that the session would have, were the lesson's state this one. */
function configWith(session: Session, lab: Lab, values: Record<string, Scalar>): Config {
  const changed = Object.entries(session.spec.config).map(([field, bound]) => {
    const value = typeof bound === 'object' ? values[bound.state] : undefined;
    return [field, value ?? bound] as const;
  });
  return lab.resolve(Object.fromEntries(changed));
}

export async function estimate(
  session: Session,
  lab: Lab,
  values: Record<string, Scalar> = {},
): Promise<Estimated> {
  const { train, desk } = lab;
  const config = configWith(session, lab, values);
  const { model } = session.spec;
  const data = await desk.parts(values);
  const { head: opened } = await train.call('open', { model, config, data });
  try {
    let steps = 0;
    let progress: Progress | undefined;
    while (steps < STEPS && (progress?.seconds ?? 0) < PATIENCE_S) {
      ({ head: progress } = await train.call('train', { session: opened.session, budget_ms: 0 }));
      steps += 1;
      if (progress.state !== 'training') break;
    }
    return { opened, steps, progress: progress! };
  } finally {
    if (train.state === 'ready') await train.call('close', { session: opened.session });
  }
}

/** Follows what it is asked about; the last answer stays until the next is there. */
export class Estimate {
  found = $state.raw<Estimated>();
  error = $state.raw<Error>();
  busy = $state(false);

  #tries = $state(0);

  /** `wanted` is read inside an effect; what it returns changes with the recipe. */
  constructor(lab: Lab, wanted: () => { session: Session; key: string } | undefined) {
    const key = $derived(wanted()?.key);
    $effect(() => {
      void [key, this.#tries, lab.train.life];
      const now = wanted();
      this.busy = now !== undefined;
      if (!now) return;
      let stale = false;
      const late = setTimeout(() => {
        estimate(now.session, lab).then(
          (found) => stale || this.#settle(found, undefined),
          (error: unknown) => stale || this.#settle(undefined, asError(error)),
        );
      }, SETTLE_MS);
      return () => {
        stale = true;
        clearTimeout(late);
      };
    });
  }

  again(): void {
    this.#tries += 1;
  }

  #settle(found: Estimated | undefined, error: Error | undefined): void {
    this.found = found;
    this.error = error;
    this.busy = false;
  }
}
