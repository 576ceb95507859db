// The trail through a run's numbers: a cell, the sum that made it, one of its operands, and so on down to the inputs and the
// weights. It may lead from one run into another that was compared with it.

import { untrack } from 'svelte';
import type { Explained } from '../../shared/engine';
import { asError, isAbort } from '../store/errors';
import type { Question, Trace } from '../store/trace';
import type { Ref } from './expression';
import { fullCell, isElsewhere, ownName, sources } from './sources';

export interface Target {
  trace: Trace;
  question: Question;
}

export interface Found {
  trace: Trace;
  explained: Explained;
}

export interface Ways {
  /** The run that this one was compared with. */
  other?: () => Trace | undefined;
  /** Hears where the trail went, and says whether the target has gone there too. */
  onmove?: (to: Found) => boolean;
}

const ASIDE = 'aside';

export class Trail {
  all = $state.raw<Found[]>([]);
  error = $state.raw<Error>();
  readonly last = $derived(this.all.at(-1));
  /** Where the open sum takes its numbers from. */
  readonly sources = $derived.by(() => {
    const { trace, explained } = this.last ?? {};
    if (!trace || !explained?.expr) return [];
    const all = [explained.expr, ...explained.where.map(({ expr }) => expr)];
    return sources(trace, all, this.ways.other?.());
  });

  #at = ''; // the target that the trail is in step with
  #run: Trace | undefined;
  #asking = new AbortController();

  /** `target` is read inside an effect: call this while a component is being set up. */
  constructor(
    private readonly target: () => Target | undefined,
    private readonly ways: Ways = {},
  ) {
    $effect(() => {
      const now = target();
      untrack(() => this.#keepUp(now));
    });
    $effect(() => () => this.#asking.abort());
  }

  /** An operand joins the trail. */
  async follow(ref: Ref): Promise<void> {
    if (this.last) this.#tell(await this.#open(this.#place(this.last.trace, ref), this.all));
  }

  /** Back to an earlier number of the trail. */
  back(index: number): void {
    this.#asking.abort();
    this.all = this.all.slice(0, index + 1);
    this.#tell(this.last);
  }

  /** A number beside the target, such as the sum of a row: it stays until the target is another. */
  async begin(aside: Target): Promise<void> {
    this.#at = ASIDE;
    await this.#open(aside, []);
  }

  /** The target once more, wherever the trail has gone. */
  home(): void {
    this.#at = '';
    this.#keepUp(this.target());
  }

  #keepUp(now: Target | undefined): void {
    const at = now ? keyOf(now.question) : '';
    const old = this.#run;
    const same = at === this.#at;
    if (same && now?.trace === old) return; // it moved because the trail did
    this.#at = at;
    this.#run = now?.trace;
    this.#asking.abort();
    this.error = undefined;
    if (!now) this.all = [];
    else if (same && old?.closed === true && this.all.length > 1) void this.#again(now, old);
    else void this.#open(now, []);
  }

  #place(trace: Trace, ref: Ref): Target {
    const other = this.ways.other?.();
    if (other && isElsewhere(ref.step))
      return { trace: other, question: { step: ownName(ref.step), cell: fullCell(ref) } };
    const { node, cell, gradient = false } = ref;
    return { trace, question: { node, cell, gradient } };
  }

  #tell(found: Found | undefined): void {
    if (!found || this.ways.onmove?.(found) !== true) return;
    const now = this.target();
    this.#at = now ? keyOf(now.question) : '';
  }

  async #open({ trace, question }: Target, before: Found[]): Promise<Found | undefined> {
    const signal = this.#ask();
    try {
      const explained = await trace.explain(question, { signal });
      if (signal.aborted) return undefined;
      this.error = undefined;
      const found = { trace, explained };
      this.all = [...before, found];
      return found;
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) this.error = asError(error);
      return undefined;
    }
  }

  /** The same numbers in a new run (a weight was edited, training went on). If the run is another one altogether, the trail
   *  begins anew. */
  async #again(now: Target, old: Trace): Promise<void> {
    const before = this.all;
    const signal = this.#ask();
    const one = async ({ trace: then, explained }: Found): Promise<Found> => {
      const trace = then === old ? now.trace : (this.ways.other?.() ?? now.trace);
      const { node, cell, gradient } = explained;
      return { trace, explained: await trace.explain({ node, cell, gradient }, { signal }) };
    };
    const all = await Promise.all(before.map(one)).catch(() => []);
    if (signal.aborted) return;
    const same = (found: Found, i: number): boolean =>
      found.explained.step === before[i]!.explained.step &&
      found.explained.op === before[i]!.explained.op;
    if (all.length > 0 && all.every(same)) this.all = all;
    else await this.#open(now, []);
  }

  /** The last question counts. */
  #ask(): AbortSignal {
    this.#asking.abort();
    this.#asking = new AbortController();
    return this.#asking.signal;
  }
}

function keyOf({ step, node, cell, gradient = false }: Question): string {
  return placeName({ step: step ?? `#${node}`, cell, gradient });
}

interface CellPlace {
  step: string;
  cell: number[];
  gradient: boolean;
}

/** Where a named cell stands in its step, turn first if a loop made it. */
export function placeOf({ step = '', time, cell, gradient }: Explained): CellPlace {
  return { step, cell: time === undefined ? cell : [time, ...cell], gradient };
}

/** `∂decoder.weights[2,0,0,1]` */
export function placeName({ step, cell, gradient }: CellPlace): string {
  return `${gradient ? '∂' : ''}${step}[${cell.join()}]`;
}
