// A training that one can learn something from: after each epoch it is asked about pairs that it was never shown, it may
// stop by itself, and the browser keeps what it needs to go on after a refresh.

import { flushSync } from 'svelte';
import type { Progress, Scalar } from '../../shared/engine';
import type { SessionSpec } from '../../shared/lesson';
import type { Desk } from './desk.svelte';
import { asError } from './errors';
import type { Session } from './sessions.svelte';
import type { Checked, Kept, Payload, Shelf } from './shelf.svelte';
import type { LessonState } from './state.svelte';

const KEEP_MS = 3000; // how often a run is kept while it goes on …
const REST = 20; // … and how many times longer than keeping takes it is left alone
const METRIC = 'loss_per_token'; // what early stopping looks at

export interface Habits {
  every: number; // epochs between two looks at the held-out pairs
  patience: number; // looks without a better loss, then it stops; 0: never
}

export interface Surroundings {
  desk: Desk;
  shelf: Shelf;
  state: LessonState;
  habits: () => Habits;
}

export class Course {
  checked = $state.raw<Checked[]>([]);
  /** The look with the lowest loss. */
  best = $state.raw<Checked>();
  stopped = $state(false); // by itself
  usesBest = $state(false);
  error = $state.raw<Error>(); // of looking; the run goes on
  keepError = $state.raw<Error>(); // of keeping; the run goes on
  keptAt = $state<number>(); // the epoch that the browser has

  #epoch = 0;
  #bestWeights: Uint8Array | undefined;
  #patientFrom = 0; // looks before it was told to go on all the same do not count
  #id: string | undefined;
  #pairsKept = false;
  #keepAt = 0; // not before
  #valid: { edition: string; text: Promise<string> } | undefined;

  constructor(
    readonly session: Session,
    private readonly around: Surroundings,
  ) {
    session.trainer.watch = {
      after: (progress) => this.#after(progress),
      rests: () => this.#keepByItself(true),
      begins: () => this.#begin(),
    };
  }

  /** The last look at the held-out pairs. */
  get last(): Checked | undefined {
    return this.checked.at(-1);
  }

  /** The parameters of the epoch that did best take the place of the last ones; training goes on from the last all the same. */
  async useBest(): Promise<void> {
    if (!this.#bestWeights) return;
    await this.session.receive(this.#bestWeights);
    this.usesBest = true;
  }

  get canUseBest(): boolean {
    return this.#bestWeights !== undefined && this.best !== this.last && !this.usesBest;
  }

  #begin(): void {
    this.checked = [];
    this.best = undefined;
    this.stopped = this.usesBest = false;
    this.error = this.keepError = undefined;
    this.keptAt = undefined;
    this.#epoch = 0;
    this.#bestWeights = undefined;
    this.#patientFrom = 0;
    this.#id = undefined; // what was kept stays on the shelf
    this.#pairsKept = false;
    this.#keepAt = 0;
  }

  async #after(progress: Progress): Promise<boolean> {
    if (this.stopped) this.#patientFrom = this.checked.length;
    this.stopped = this.usesBest = false;
    if (progress.epoch === this.#epoch) return false;
    this.#epoch = progress.epoch;
    const { every } = this.around.habits();
    if (progress.epoch % every === 0 || progress.state === 'done') await this.#look(progress.epoch);
    await this.#keepByItself(false);
    return this.#enough();
  }

  // ---- held-out pairs

  async #look(epoch: number): Promise<void> {
    if (this.error) return;
    try {
      const pairs = await this.#heldOut();
      if (pairs === '') return;
      const { head } = await this.session.trainer.run({ inputs: { evaluate: 'pairs', pairs } });
      await this.session.bench.train.call('close', { run: head.run });
      const now: Checked = { epoch, metrics: head.metrics ?? {} };
      this.checked = [...this.checked, now];
      if (this.#better(now)) await this.#remember(now);
    } catch (error) {
      this.error = asError(error);
    }
  }

  #heldOut(): Promise<string> {
    const { desk } = this.around;
    if (this.#valid?.edition !== desk.edition)
      this.#valid = { edition: desk.edition, text: desk.parts().then(({ valid }) => valid) };
    return this.#valid.text;
  }

  #better(now: Checked): boolean {
    return !this.best || (now.metrics[METRIC] ?? NaN) < (this.best.metrics[METRIC] ?? NaN);
  }

  /** The parameters themselves only where it may stop behind them. */
  async #remember(now: Checked): Promise<void> {
    this.best = now;
    this.#bestWeights = undefined;
    if (this.around.habits().patience > 0) this.#bestWeights = await this.session.trainer.weights();
  }

  #enough(): boolean {
    const { patience } = this.around.habits();
    if (patience === 0 || !this.best) return false;
    const from = Math.max(this.checked.indexOf(this.best) + 1, this.#patientFrom);
    this.stopped = this.checked.length - from >= patience;
    return this.stopped;
  }

  // ---- keeping

  /** A browser that keeps nothing is told about once; the run goes on. */
  async #keepByItself(resting: boolean): Promise<void> {
    const begun = performance.now();
    if (this.#epoch === 0 || this.keepError || (begun < this.#keepAt && !resting)) return;
    try {
      this.#id ??= crypto.randomUUID();
      await this.#keep(this.#id, '', !this.#pairsKept);
      this.#pairsKept = true;
      this.keptAt = this.#epoch;
    } catch (error) {
      this.keepError = asError(error);
    }
    const took = performance.now() - begun;
    this.#keepAt = begun + Math.max(KEEP_MS, REST * took);
  }

  /** Under a name it stays until the learner deletes it. */
  async save(name: string): Promise<void> {
    await this.#keep(crypto.randomUUID(), name, true);
    this.keepError = undefined;
    await navigator.storage?.persist?.().catch(() => false); // asked for once something is dear to someone
  }

  async #keep(id: string, name: string, withPairs: boolean): Promise<void> {
    const halted = await this.session.trainer.halted();
    const weights = this.usesBest || !halted ? await this.session.save() : halted.weights;
    const checkpoint = this.usesBest ? undefined : halted?.checkpoint;
    const payload: Payload = { weights, checkpoint, checked: this.checked };
    const { own } = this.around.desk;
    await this.around.shelf.keep(
      this.#entry(id, name, payload),
      payload,
      withPairs ? own : undefined,
    );
  }

  #entry(id: string, name: string, { weights, checkpoint, checked }: Payload): Kept {
    const { session } = this;
    const { own } = this.around.desk;
    return {
      ...{ id, name, kept: Date.now(), session: session.name, model: session.spec.model },
      recipe: recipeOf(this.around.state),
      pairs: own?.name ?? '',
      own: own !== undefined,
      epoch: this.usesBest ? (this.best?.epoch ?? 0) : this.#epoch,
      epochs: session.trainer.progress?.epochs ?? 0,
      metrics: (this.usesBest ? this.best : checked.at(-1))?.metrics ?? {},
      bytes: weights.length + (checkpoint?.length ?? 0) + (own?.text.length ?? 0),
      goesOn: checkpoint !== undefined,
    };
  }

  /** Back from the shelf: recipe, pairs, parameters and, if it can go on, the run. */
  async restore(entry: Kept): Promise<void> {
    const { own, ...payload } = await this.around.shelf.fetch(entry.id);
    await this.session.trainer.pause();
    flushSync(() => {
      this.around.desk.put(own);
      this.around.state.assign(known(entry.recipe, this.around.state));
    });
    await this.session.settled();
    const { weights, checkpoint } = payload;
    if (!checkpoint) return this.session.beginWith(weights);
    await this.session.trainer.resume({ weights, checkpoint }, this.#epochs());
    this.#goOn(payload.checked, entry.epoch);
    if (entry.name !== '') return;
    this.#id = entry.id;
    this.#pairsKept = true;
    this.keptAt = entry.epoch;
  }

  #epochs(): { epochs: number } | Record<string, never> {
    const { epochs } = this.session.bench.resolve(this.session.spec.config);
    return typeof epochs === 'number' ? { epochs } : {};
  }

  #goOn(checked: Checked[], epoch: number): void {
    this.checked = checked;
    this.#epoch = epoch;
    this.best = undefined;
    for (const each of checked) if (this.#better(each)) this.best = each;
  }

  /** A file of weights, alone or with its checkpoint. Its recipe comes with it, as far as the lesson has knobs for it. */
  async takeIn(weights: Uint8Array, checkpoint?: Uint8Array): Promise<void> {
    const { session, around } = this;
    const { look } = session.bench;
    const { model } = session.spec;
    const { head } = await look.call('open', { model }, { bytes: weights });
    await look.call('close', { session: head.session });
    await session.trainer.pause();
    flushSync(() => around.state.assign(known(bindings(session.spec, head.config), around.state)));
    await session.settled();
    if (!checkpoint) return session.beginWith(weights);
    await session.trainer.resume({ weights, checkpoint }, this.#epochs());
    this.#goOn([], session.trainer.progress?.epoch ?? 0);
  }
}

/** What of the lesson's state belongs to the recipe: no block's own place. */
export function recipeOf(state: LessonState): Record<string, Scalar> {
  const keys = Object.keys(state.fields).filter((key) => !key.includes('.'));
  return Object.fromEntries(keys.map((key) => [key, state.get(key)]));
}

function known(values: Record<string, Scalar>, state: LessonState): Record<string, Scalar> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key in state.fields));
}

/** The other way round: what the state would have to be for the session to have this config. A state that several settings
 *  follow is true where all of them are. */
export function bindings(
  spec: SessionSpec,
  config: Record<string, Scalar>,
): Record<string, Scalar> {
  const values: Record<string, Scalar> = {};
  for (const [field, bound] of Object.entries(spec.config)) {
    const now = config[field];
    if (typeof bound !== 'object' || now === undefined) continue;
    const before = values[bound.state];
    values[bound.state] = typeof before === 'boolean' ? before && now === true : now;
  }
  return values;
}
