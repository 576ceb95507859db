// Ways of computing the same, measured in turn: a worker of its own for each build of the engine, only as long as this takes.

import type { Config, Gpu, GpuReason, Metrics } from '../../../shared/engine';
import type { Engine } from '../../store/engine.svelte';
import { asError } from '../../store/errors';
import { Line } from '../../store/line';
import { lack, type Lack } from '../../store/supported';
import { middle, type Mark } from './marks';
import type { Options, Way } from './schema';

/** A slice as long as this says enough by itself … */
const LONG_MS = 400;
/** … and after two as long as this, for the machine may have been busy once, or one that is hopeless, a way goes no further. */
const TOO_LONG_MS = 1500;
const HOPELESS_MS = 5000;

export type End =
  | { why: Lack | 'long' }
  | { why: 'gpu'; reason: GpuReason | 'absent' }
  | { why: 'failed'; error: Error };

export interface Lane {
  way: Way;
  marks: Mark[];
  end?: End; // why there is nothing more
}

export interface Asked {
  model: string;
  config: (way: Way, value: number) => Config;
  /** Of the run that is not timed, if there is one for this value. */
  also?: (way: Way, value: number) => Config | undefined;
}

type Engines = Partial<Record<Way['engine'], Engine>>;

/** One block measures at a time: two at once would only measure each other. */
const turns = new Line();

export class Measuring {
  lanes = $state.raw<Lane[]>([]);
  phase = $state<'idle' | 'waiting' | 'running' | 'done'>('idle');
  now = $state(0); // values done
  /** What the worker with the GPU told of it. */
  gpu = $state.raw<Gpu>();
  /** What the lanes were measured with. */
  asked = $state.raw<Asked>();

  #stop: AbortController | undefined;

  constructor(
    private readonly options: Pick<Options, 'ways' | 'over' | 'metric' | 'rounds'>,
    private readonly another: (variant: Way['engine']) => Engine,
  ) {
    this.lanes = this.#empty();
  }

  get busy(): boolean {
    return this.phase === 'waiting' || this.phase === 'running';
  }

  stop(): void {
    this.#stop?.abort();
    if (this.busy) this.phase = this.lanes.some(({ marks }) => marks.length > 0) ? 'done' : 'idle';
  }

  async start(asked: Asked): Promise<void> {
    this.stop();
    const stop = new AbortController();
    this.#stop = stop;
    this.asked = asked;
    this.lanes = this.#empty();
    this.now = 0;
    this.phase = 'waiting';
    await turns.add(() => this.#measure(asked, stop.signal), stop.signal).catch(() => undefined); // stopped while it waited
    if (this.#stop === stop && !stop.signal.aborted) this.phase = 'done';
  }

  #empty(): Lane[] {
    return this.options.ways.map((way) => ({ way, marks: [] }));
  }

  async #measure(asked: Asked, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.phase = 'running';
    const engines: Engines = {};
    const end = (): void => Object.values(engines).forEach((engine) => engine.end());
    signal.addEventListener('abort', end, { once: true });
    try {
      await this.#launch(engines);
      for (const [at, value] of this.options.over.values.entries()) {
        if (signal.aborted) return;
        await this.#value(engines, asked, { at, value }, signal);
        if (!signal.aborted) this.now = at + 1;
      }
    } finally {
      end();
    }
  }

  /** All of them are there before the first slice, so that no one's start falls into another's time. */
  async #launch(engines: Engines): Promise<void> {
    for (const [i, { engine: variant }] of this.options.ways.entries()) {
      const missing = await lack(variant);
      if (missing) {
        this.#end(i, { why: missing });
        continue;
      }
      if (engines[variant]) continue;
      const engine = (engines[variant] = this.another(variant));
      await (variant === 'gpu' ? this.#askGpu(i, engine) : engine.ready()).catch(() => undefined); // whoever measures with it hears of it
    }
  }

  /** Here the GPU computes whatever it is given, also where it never wins, and a software adapter will do: it is told of. */
  async #askGpu(i: number, engine: Engine): Promise<void> {
    const request = { choice: 'gpu', fallback: true, start: true } as const;
    const { head } = await engine.call('gpu', request);
    this.gpu = head;
    const { state, reason } = head;
    if (state !== 'on') this.#end(i, { why: 'gpu', reason: reason ?? 'absent' });
  }

  /** Short slices in turn: what slows the machine down for a while slows all ways alike. */
  async #value(
    engines: Engines,
    asked: Asked,
    { at, value }: { at: number; value: number },
    signal: AbortSignal,
  ): Promise<void> {
    const runs = this.lanes.map((): Metrics[] => []);
    const enough = this.lanes.map(() => false);
    const quickest = this.lanes.map(() => Infinity);
    for (let round = 0; round < this.options.rounds; round++)
      for (const [i, { way, end }] of this.lanes.entries()) {
        if (end || enough[i]) continue;
        const begun = performance.now();
        const metrics = await this.#run(
          engines[way.engine]!,
          asked.model,
          asked.config(way, value),
        ).catch((error: unknown) => this.#failed(i, error, signal));
        if (signal.aborted) return;
        if (!metrics) continue;
        runs[i]!.push(metrics);
        const took = performance.now() - begun;
        quickest[i] = Math.min(quickest[i]!, took);
        const again = took > TOO_LONG_MS && took < HOPELESS_MS && round === 0;
        if (took > LONG_MS && !again) enough[i] = true;
        if (quickest[i] > TOO_LONG_MS && !again) this.#end(i, { why: 'long' });
      }
    for (const [i, { way }] of this.lanes.entries()) {
      const timed = middle(runs[i]!, this.options.metric);
      if (!timed) continue;
      const config = asked.also?.(way, value);
      const more =
        config &&
        (await this.#run(engines[way.engine]!, asked.model, config).catch(() => undefined)); // an engine that has died is heard of by the next slice
      if (signal.aborted) return;
      const lane = this.lanes[i]!;
      const mark = { at, value, metrics: { ...more, ...timed } };
      this.lanes = this.lanes.with(i, { ...lane, marks: [...lane.marks, mark] });
    }
  }

  async #run(engine: Engine, model: string, config: Config): Promise<Metrics> {
    const { session } = (await engine.call('open', { model, config })).head;
    const ran = await engine.call('run', { session, want: [] });
    await engine.call('close', { session });
    return ran.head.metrics ?? {};
  }

  #failed(i: number, error: unknown, signal: AbortSignal): undefined {
    if (!signal.aborted) this.#end(i, { why: 'failed', error: asError(error) });
  }

  #end(i: number, end: End): void {
    this.lanes = this.lanes.with(i, { ...this.lanes[i]!, end });
  }
}
