// Which attention is looked at: use, layer, heads, queries. All of it stands in the lesson's state, and so in the URL.
// Averages and sums are derived by the engine.

import type { Step } from '../../../shared/engine';
import { grid, gridOf, veiledLike, type Grid } from '../../parts/grid';
import { OpenCell } from '../../inspect/opened.svelte';
import type { Lab } from '../../store/lab';
import { Derived } from '../../store/derived.svelte';
import type { Question as Derivable } from '../../store/derive';
import { asError } from '../../store/errors';
import { LiveRun } from '../../store/live.svelte';
import type { Values } from '../../store/url';
import {
  axisIndex,
  HEAD,
  KEY,
  layersOf,
  layoutBy,
  nearest,
  queryAxis,
  readPicked,
  sizeOf,
  usesOf,
} from './picked';
import type { Options, Use } from './schema';

/** Whose cell is open: of the map, of its sums, of the average over queries, of that one's sums. */
type Whose = 'map' | 'sum' | 'mean' | 'total';

type Asked = Omit<Derivable, 'step'>; // of the step at hand

export class Look {
  readonly live: LiveRun;
  readonly open: OpenCell;
  openError = $state.raw<Error>();

  readonly #heads: Derived;
  readonly #sums: Derived;
  readonly #queries: Derived;
  readonly #totals: Derived;
  #tries = $state(0);

  constructor(
    private readonly lab: Lab,
    private readonly id: string,
    private readonly options: Options,
  ) {
    this.#open();
    this.live = new LiveRun(() => {
      const { attention } = this;
      if (attention.length === 0) return undefined;
      const want = attention.map(({ step }) => step);
      return { session: this.session, request: { inputs: lab.resolve(options.inputs), want } };
    });
    this.#heads = this.#derived(() => (this.heads.length > 1 ? this.#ofHeads() : undefined));
    this.#sums = this.#derived(() => ({
      sum: KEY,
      ...(this.heads.length > 1 && this.#ofHeads()),
    }));
    this.#queries = this.#derived(() => this.#ofQueries());
    this.#totals = this.#derived(() => {
      const question = this.#ofQueries();
      return question && { ...question, sum: KEY };
    });
    this.#checkPlace();
    this.open = new OpenCell(
      lab.state,
      `${id}.open`,
      () =>
        ({
          map: this.map,
          sum: this.sums,
          mean: this.mean,
          total: this.totals,
        }) satisfies Record<Whose, Grid | undefined>,
    );
  }

  readonly session = $derived.by(() => this.lab.session(this.options.session));
  readonly attention = $derived.by(() => this.session.opened?.attention ?? []);
  /** The model is open, and has no attention. */
  readonly none = $derived.by(
    () => this.session.opened !== undefined && this.attention.length === 0,
  );
  readonly trace = $derived.by(() => this.live.trace);
  readonly error = $derived.by(
    () =>
      this.openError ??
      this.live.error ??
      this.#heads.error ??
      this.#sums.error ??
      this.#queries.error ??
      this.#totals.error,
  );

  readonly uses = $derived(usesOf(this.attention));
  readonly at = $derived.by(() =>
    nearest(this.attention, this.#text('use') as Use, this.#number('layer')),
  );
  readonly layers = $derived(this.at ? layersOf(this.attention, this.at.use) : []);
  readonly step = $derived.by<Step | undefined>(() => this.at && this.trace?.find(this.at.step));
  readonly rowAxis = $derived(this.step && queryAxis(this.step));
  readonly headCount = $derived(this.step ? sizeOf(this.step, HEAD) : 1);
  readonly heads = $derived.by(() => {
    const picked = readPicked(this.#text('heads'), this.headCount);
    return picked && picked.length > 0 ? picked : [0];
  });
  readonly queries = $derived.by(() => {
    const size = this.step && this.rowAxis ? sizeOf(this.step, this.rowAxis) : 0;
    return readPicked(this.#text('queries'), size) ?? [];
  });

  /** The first head that is chosen, by itself. */
  readonly first = $derived.by<Grid | undefined>(() => {
    const { step, trace } = this;
    if (!step || !trace) return undefined;
    return gridOf(trace, step, layoutBy(step, this.rowAxis, KEY, this.heads[0]));
  });

  /** One head, or the average of those that are chosen. */
  readonly map = $derived.by<Grid | undefined>(() => {
    if (this.heads.length === 1 || !this.first) return this.first;
    const mean = this.#laid(this.#heads, this.rowAxis, KEY);
    return mean && veiledLike(mean, this.first);
  });

  readonly sums = $derived.by(() => this.#laid(this.#sums, this.rowAxis, undefined, this.heads[0]));

  /** The average of the chosen queries: a row for each chosen head. */
  readonly mean = $derived.by(() => this.#withHeads(this.#laid(this.#queries, HEAD, KEY)));
  readonly totals = $derived.by(() => this.#laid(this.#totals, HEAD, undefined));

  choose(use: string, layer: number): void {
    this.#set({ use, layer, queries: '', open: '' });
  }

  chooseHeads(heads: number[]): void {
    this.#set({ heads: heads.join(','), open: '' });
  }

  toggleQuery(query: number): void {
    const rest = this.queries.filter((other) => other !== query);
    const now = rest.length < this.queries.length ? rest : [...rest, query].sort((a, b) => a - b);
    this.chooseQueries(now);
  }

  chooseQueries(queries: number[]): void {
    this.#set({ queries: queries.join(','), open: '' });
  }

  again(): void {
    this.#tries += 1;
    this.live.again();
  }

  #ofHeads(): Asked {
    return { select: { [HEAD]: this.heads }, mean: HEAD };
  }

  #ofQueries(): Asked | undefined {
    const { queries, rowAxis, step } = this;
    if (queries.length === 0 || rowAxis === undefined || !step) return undefined;
    const select = { [rowAxis]: queries };
    const headed = axisIndex(step, HEAD) !== undefined;
    return { select: headed ? { ...select, [HEAD]: this.heads } : select, mean: rowAxis };
  }

  #derived(question: () => Asked | undefined): Derived {
    return new Derived(() => {
      const { trace, step } = this;
      const asked = question();
      return trace && step && asked ? { trace, what: { step: step.name, ...asked } } : undefined;
    });
  }

  #laid(
    derived: Derived,
    rows: string | undefined,
    cols: string | undefined,
    head?: number,
  ): Grid | undefined {
    const { found } = derived;
    if (!found || found.trace !== this.trace || found.what.step !== this.step?.name)
      return undefined;
    const { step, trace } = found;
    const at = head === undefined || sizeOf(step, HEAD) === 1 ? 0 : head;
    return grid(step, trace.values(step), layoutBy(step, rows, cols, at));
  }

  /** Rows that are heads say which: the axis counts only the chosen ones. */
  #withHeads(map: Grid | undefined): Grid | undefined {
    if (map?.rows.axis === undefined) return map;
    const labels = this.heads.map((head) => this.lab.words.say('attention.head', { n: head + 1 }));
    return { ...map, rows: { ...map.rows, labels }, again: () => this.#withHeads(map)! };
  }

  /** Opens the model: only then is it known which steps to ask for. */
  #open(): void {
    $effect(() => {
      const { session } = this;
      void [session.bench.look.life, this.#tries];
      this.openError = undefined;
      session.open().catch((error: unknown) => (this.openError = asError(error)));
    });
  }

  /** A link may name what this run does not have; a shorter sentence may lose a query. */
  #checkPlace(): void {
    let first = true;
    $effect(() => {
      const { step, at } = this;
      if (!step || !at || this.live.busy) return;
      const told = first;
      first = false;
      const { state } = this.lab;
      const queries = sizeOf(step, this.rowAxis ?? 'query');
      if (this.#text('use') !== at.use) state.drop(`${this.id}.use`, told);
      if (this.#number('layer') !== at.layer) state.drop(`${this.id}.layer`, told);
      if (!readPicked(this.#text('heads'), this.headCount)) state.drop(`${this.id}.heads`, told);
      if (!readPicked(this.#text('queries'), queries)) state.drop(`${this.id}.queries`, told);
    });
  }

  #set(values: Values): void {
    const named = Object.entries(values).map(([key, value]) => [`${this.id}.${key}`, value]);
    this.lab.state.assign(Object.fromEntries(named) as Values);
  }

  #text(key: string): string {
    return this.lab.state.text(`${this.id}.${key}`);
  }

  #number(key: string): number {
    return this.lab.state.number(`${this.id}.${key}`);
  }
}
