// What the stage shows and where it stands. The place lives in the lesson's state, and so in the URL; everything else
// follows from it and from the run.

import type { Config, Explained, Step } from '../../../shared/engine';
import { placeOf, type Target } from '../../inspect/trail.svelte';
import type { Place as MapPlace } from '../../parts/paint';
import type { Lab } from '../../store/lab';
import { LiveRun } from '../../store/live.svelte';
import type { RunRequest } from '../../store/sessions.svelte';
import type { Change } from '../../store/state.svelte';
import { inside, isStacked, readCell } from '../../store/trace';
import { requested, sameSpot, withEdit, writeEdits, type EditedCell, type Spot } from './edits';
import { Hiding } from './hiding.svelte';
import { Layout } from './layout.svelte';
import { Moments } from './moments.svelte';
import { NOW, Place, readFrom, writeFrom, type From } from './place';
import { Player, type Axis } from './play.svelte';
import type { Options } from './schema';
import { groups, parameterOf, passOf, stopAt, stops, updated, type Pass, type Stop } from './stops';

const LEAD = 4; // steps that an untouched stage takes by itself

export class Stage {
  readonly place: Place;
  readonly live: LiveRun;
  readonly layout: Layout;
  readonly moments: Moments;
  readonly player: Player;
  readonly hiding: Hiding | undefined;
  /** Where playing stops; without it at the end. */
  until: number | undefined;

  readonly session = $derived.by(() => this.lab.session(this.options.session));
  readonly trace = $derived.by(() => (this.hiding ? this.hiding.trace : this.live.trace));
  readonly steps = $derived.by(() => {
    const steps = this.trace?.steps ?? [];
    return this.hiding ? this.hiding.walked(steps) : steps;
  });
  readonly pass = $derived.by(() => (this.hiding?.endsHere ? 'forward' : this.place.pass));
  readonly gradient = $derived(this.pass === 'backward');
  readonly edits = $derived.by(() => this.place.edits);
  /** Where the backward pass starts: a number, the loss, or (undefined) not said yet. */
  readonly from = $derived.by((): From | 'loss' | undefined => {
    return readFrom(this.place.from) ?? this.options.from;
  });
  /** What gradients are of, as a symbol: the loss, or the number that was picked. */
  readonly of = $derived(this.from === 'loss' ? 'L' : 'y');
  readonly moment = $derived.by(() => this.moments.kept(this.place.moment));

  /** Computed once it was asked for, and from then on: the optimiser's nodes are many. */
  #updates = $state(false);

  readonly parameters = $derived(updated(this.steps));
  /** Whose update is followed. */
  readonly parameter = $derived.by(
    () => parameterOf(this.place.step, this.parameters) ?? this.#parameter ?? this.parameters[0],
  );
  #parameter = $state<string>();

  readonly groups = $derived(groups(this.steps, this.pass, this.parameter));
  readonly stops = $derived.by(() => stops(this.steps, this.#doors(), this.parameter));
  readonly stepIndex = $derived.by(() => {
    const index = this.steps.findIndex((step) => step.name === this.place.step);
    const fits = (passOf(this.place.step) === 'update') === (this.pass === 'update');
    return index >= 0 && fits
      ? index
      : (this.stops.find(({ pass }) => pass === this.pass)?.step ?? 0);
  });
  readonly at = $derived.by(() => stopAt(this.stops, this.pass, this.stepIndex, this.place.time));
  readonly step = $derived<Step | undefined>(this.steps[this.stepIndex]);
  readonly time = $derived.by(() => {
    const { step } = this;
    return step && isStacked(step) ? Math.min(this.place.time, step.axes[0]!.size - 1) : undefined;
  });
  /** The open cell; a number alone in its step is always open. */
  readonly cell = $derived.by(() => {
    if (this.hiding?.conceals(this.step)) return undefined;
    const axes = this.step?.axes ?? [];
    const single = axes.every(({ size }) => size === 1);
    const cell = single ? axes.map(() => 0) : readCell(this.place.cell);
    return cell && this.step && inside(this.step.axes, cell) ? cell : undefined;
  });
  /** What the inspector opens. */
  readonly target = $derived.by((): Target | undefined => {
    const { trace, step, cell, gradient } = this;
    return trace && step && cell && { trace, question: { step: step.name, cell, gradient } };
  });

  constructor(
    private readonly lab: Lab,
    id: string,
    private readonly options: Options,
  ) {
    this.place = new Place(lab.state, id);
    this.layout = new Layout(this);
    this.moments = new Moments(() => this.session);
    this.player = new Player((axis) => this.#beat(axis));
    this.live = new LiveRun(() => ({ session: this.session, request: this.#request() }));
    const { hide } = options;
    if (hide) this.hiding = new Hiding(lab, id, hide, () => this.live.trace);
    this.#checkPlace();
  }

  get inputs(): Config {
    return this.lab.resolve(this.options.inputs);
  }

  #request(): RunRequest {
    const { from, moment, edits } = this;
    const update = (this.#updates || this.pass === 'update') && this.#canUpdate;
    return {
      inputs: this.inputs,
      want: update ? [...this.options.want, 'update.*'] : this.options.want,
      ...(from && { gradients: true }),
      ...(typeof from === 'object' && { from }),
      ...(update && { update }),
      ...(moment !== undefined && { at: moment }),
      ...(edits.length > 0 && { edits: requested(edits) }),
    };
  }

  /** An update follows from the loss alone, and what the optimiser remembered at an earlier moment is not kept. */
  get #canUpdate(): boolean {
    return this.session.learns && this.from === 'loss' && this.moment === undefined;
  }

  /** Passes that can be computed and have not been. */
  #doors(): Pass[] {
    if (this.hiding?.endsHere) return [];
    return this.#canUpdate ? ['backward', 'update'] : ['backward'];
  }

  /** A link may name a step or a cell that this run does not have; a shorter sentence may lose one. */
  #checkPlace(): void {
    let first = true;
    $effect(() => {
      if (!this.trace || this.live.busy) return;
      const told = first;
      first = false;
      const { step, cell, moment } = this.place;
      if (step !== '' && !this.trace.find(step)) this.place.drop('step', told);
      if (cell !== '' && !this.cell && !this.hiding?.endsHere) this.place.drop('cell', told);
      if (moment !== NOW && this.moment === undefined) this.place.drop('moment', told);
    });
    $effect(() => {
      if (this.live.error && this.edits.length > 0 && !this.trace) this.place.drop('edits', true);
    });
  }

  /** Once, when first seen: the last few steps before the one that the lesson begins with. */
  lead(): void {
    if (this.player.axis || !this.place.untouched) return;
    this.until = this.at;
    this.go(this.at - LEAD);
    this.player.axis = 'steps';
  }

  /** One on; at the end of the way playing stops, and what the lesson had open opens again. */
  #beat(axis: Axis): boolean {
    if (this.live.busy) return true; // the machine sets the pace
    if (axis === 'moments') return this.#nextMoment();
    const next = this.stops[this.at + 1]; // a door is for the reader to open
    if (this.at < (this.until ?? this.stops.length - 1) && next?.step !== undefined) {
      this.go(this.at + 1);
      return true;
    }
    if (this.until !== undefined) this.place.restore('cell');
    this.until = undefined;
    return false;
  }

  #nextMoment(): boolean {
    const next = this.moments.index(this.place.moment) + 1;
    if (next > this.moments.all.length) return false;
    this.goToMoment(this.moments.at(next));
    return true;
  }

  play(axis: Axis): void {
    this.until = undefined;
    const playing = this.player.axis === axis;
    this.player.stop();
    if (playing) return;
    if (axis === 'steps' && this.at >= this.stops.length - 1) this.go(0);
    if (axis === 'moments' && this.place.moment === NOW) this.goToMoment(this.moments.at(0));
    this.player.axis = axis;
  }

  /** The reader takes over from what moved by itself. */
  interrupt(): void {
    if (this.until === undefined) return;
    this.until = undefined;
    this.player.stop();
  }

  go(stop: number, change: Change = 'tune'): void {
    const to = this.stops[Math.max(0, Math.min(stop, this.stops.length - 1))];
    if (!to) return;
    if (to.step === undefined) return this.#enter(to.pass, change);
    this.#move(to, undefined, change);
  }

  /** To the first stop of a pass, which may have to be computed first. */
  goToPass(pass: Pass): void {
    this.player.stop();
    const first = this.stops.findIndex((stop) => stop.pass === pass);
    if (first >= 0) this.go(first, 'step');
  }

  #enter(pass: Pass, change: Change): void {
    const from = this.from === undefined ? writeFrom(this.#outcome()) : this.place.from;
    if (pass === 'update') this.#updates = true;
    this.place.set({ pass, step: '', cell: '', from }, change);
  }

  /** Where nothing is said and there is no loss, the backward pass starts from the largest number of the last step: for a
   *  translator the word that it was most sure of. */
  #outcome(): From {
    const step = this.steps.findLast((each) => passOf(each.name) === 'forward')!;
    const values = this.trace!.values(step);
    let at = values.reduce((best, value, i) => (value > values[best]! ? i : best), 0);
    const cell = step.axes.toReversed().map(({ size }) => {
      const index = at % size;
      at = (at - index) / size;
      return index;
    });
    return { step: step.name, cell: cell.toReversed() };
  }

  goToStep(step: number): void {
    this.player.stop();
    this.go(stopAt(this.stops, this.pass, step, this.place.time), 'step');
  }

  goToTime(time: number): void {
    this.#move({ pass: this.pass, step: this.stepIndex, time }, undefined, 'step');
  }

  goToMoment(moment: number): void {
    const leaves = this.pass === 'update' && moment !== NOW;
    this.place.set({ moment, ...(leaves && { pass: 'backward', step: '', cell: '' }) }, 'tune');
  }

  follow(parameter: string): void {
    this.#parameter = parameter;
    const value = this.steps.findIndex(({ name }) => name === `update.${parameter}.gradient`);
    this.#move({ pass: 'update', step: value }, undefined, 'step');
  }

  /** A cell of any step of the run; for a stacked step the turn comes first. */
  open(name: string, cell: number[], gradient = false): void {
    const index = this.steps.findIndex((step) => step.name === name);
    const step = this.steps[index];
    if (!step || !inside(step.axes, cell)) return;
    this.player.stop();
    this.layout.fixAll(step, cell);
    const pass = gradient ? 'backward' : passOf(name);
    this.#move({ pass, step: index, ...(isStacked(step) && { time: cell[0]! }) }, cell, 'step');
  }

  /** To a number of the trail; false where the stage does not show its step. */
  goTo(explained: Explained): boolean {
    const { step, cell, gradient } = placeOf(explained);
    if (!this.steps.some(({ name }) => name === step)) return false;
    this.open(step, cell, gradient);
    return true;
  }

  pick(at: MapPlace): void {
    const { grid } = this.layout;
    if (grid) this.open(grid.step.name, grid.cell(at.row, at.col), this.gradient);
  }

  leaveCell(): void {
    this.place.set({ cell: '' }, 'tune');
  }

  get hasLoss(): boolean {
    return this.options.from === 'loss';
  }

  startFromHere(): void {
    const { step, cell } = this;
    if (step && cell) this.startFrom({ step: step.name, cell });
  }

  startFrom(from: From | undefined): void {
    this.place.set(
      { from: from ? writeFrom(from) : '', pass: 'backward', step: '', cell: '' },
      'step',
    );
  }

  /** The open number as an edit would name it. */
  readonly spot = $derived.by((): Spot | undefined => {
    const { step, cell, time } = this;
    if (!step || !cell || this.pass !== 'forward') return undefined;
    return { step: step.name, time, cell: time === undefined ? cell : cell.slice(1) };
  });

  edit(edit: EditedCell): void {
    this.place.set({ edits: writeEdits(withEdit(this.edits, edit)) }, 'step');
  }

  undo(spot: Spot): void {
    const edits = this.edits.filter((each) => !sameSpot(each, spot));
    this.place.set({ edits: writeEdits(edits) }, 'step');
  }

  undoAll(): void {
    this.place.set({ edits: '' }, 'step');
  }

  #move(to: Stop, cell: number[] | undefined, change: Change): void {
    const name = this.steps[to.step ?? -1]?.name;
    if (name === undefined) return;
    const { time = this.place.time, pass } = to;
    this.place.set({ step: name, time, pass, cell: cell?.join(',') ?? '' }, change);
  }
}
