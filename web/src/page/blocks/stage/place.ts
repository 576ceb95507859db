// Where the stage stands: the part of it that lives in the lesson's state, and so in the URL.

import type { Scalar } from '../../../shared/engine';
import type { Change, LessonState } from '../../store/state.svelte';
import { readCell } from '../../store/trace';
import type { Fields } from '../../store/url';
import { readEdits, type EditedCell } from './edits';
import { PASSES, type Pass } from './stops';

/** Which turn of the loop; `moment`: an epoch of the training, NOW for the parameters as they are. */
export interface PlaceValues {
  step: string; // '' is the first of its pass
  time: number;
  cell: string; // '2,0,0,1'; '' is none
  pass: Pass;
  moment: number;
  from: string; // where the backward pass starts: 'decoder.probabilities:5,0,17'; '' is the usual place
  edits: string;
}

export const NOW = -1;

export function placeFields(id: string, start: Partial<PlaceValues>): Fields {
  return {
    [`${id}.step`]: { type: 'text', default: start.step ?? '', max: 120 },
    [`${id}.time`]: { type: 'integer', default: start.time ?? 0, min: 0, max: 9999 },
    [`${id}.cell`]: { type: 'text', default: start.cell ?? '', max: 40 },
    [`${id}.pass`]: { type: 'choice', default: start.pass ?? 'forward', choices: [...PASSES] },
    [`${id}.moment`]: { type: 'number', default: NOW, min: NOW, max: 1e6 },
    [`${id}.from`]: { type: 'text', default: '', max: 160 },
    [`${id}.edits`]: { type: 'text', default: '', max: 400 },
  };
}

export interface From {
  step: string;
  cell: number[];
}

/** `step:cell`; a single number's cell is empty. */
export function readFrom(text: string): From | undefined {
  const match = /^([\w.]+):(\d+(?:,\d+)*)?$/.exec(text);
  return match ? { step: match[1]!, cell: readCell(match[2] ?? '') ?? [] } : undefined;
}

export function writeFrom({ step, cell }: From): string {
  return `${step}:${cell.join(',')}`;
}

export class Place {
  constructor(
    private readonly state: LessonState,
    private readonly id: string,
  ) {}

  get step(): string {
    return this.#text('step');
  }

  get time(): number {
    return this.state.number(`${this.id}.time`);
  }

  get cell(): string {
    return this.#text('cell');
  }

  get pass(): Pass {
    return this.#text('pass') as Pass; // a choice of PASSES
  }

  get moment(): number {
    return this.state.number(`${this.id}.moment`);
  }

  get from(): string {
    return this.#text('from');
  }

  get edits(): EditedCell[] {
    return readEdits(this.#text('edits')) ?? [];
  }

  set(values: Partial<PlaceValues>, change: Change): void {
    const named = Object.entries(values).map(([key, value]) => [`${this.id}.${key}`, value]);
    this.state.assign(Object.fromEntries(named) as Record<string, Scalar>, change);
  }

  /** Back to what the lesson says, and the reader is told that a link asked for something else. */
  drop(key: keyof PlaceValues, told: boolean): void {
    this.state.drop(`${this.id}.${key}`, told);
  }

  restore(key: keyof PlaceValues): void {
    const name = `${this.id}.${key}`;
    this.state.set(name, this.state.fields[name]!.default, 'tune');
  }

  get untouched(): boolean {
    return (['step', 'time', 'cell', 'pass'] as const).every((key) => {
      const name = `${this.id}.${key}`;
      return this.state.get(name) === this.state.fields[name]?.default;
    });
  }

  #text(key: keyof PlaceValues): string {
    return this.state.text(`${this.id}.${key}`);
  }
}
