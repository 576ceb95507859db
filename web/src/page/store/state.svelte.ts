// One store per lesson: declared once, mirrored in the URL's fragment.

import type { Scalar } from '../../shared/engine';
import { problem } from '../../shared/lesson';
import { decode, encode, type Dropped, type Fields, type Values } from './url';

/** `step`: a place to come back to. `tune`: typing, dragging, playing; must not flood the history. */
export type Change = 'step' | 'tune';

const QUIET_MS = 300; // browsers refuse a flood of history calls

export class LessonState {
  /** What the last link said that could not be used. */
  dropped = $state.raw<Dropped[]>([]);

  #values = $state<Values>({});
  #late: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly fields: Fields) {
    this.#values = this.#defaults();
    this.#readUrl();
    addEventListener('popstate', this.#readUrl);
    addEventListener('hashchange', this.#readUrl);
  }

  get(key: string): Scalar {
    const value = this.#values[key];
    if (value === undefined) throw new Error(`the lesson declares no state "${key}"`);
    return value;
  }

  text(key: string): string {
    return String(this.get(key));
  }

  number(key: string): number {
    return Number(this.get(key));
  }

  /** Returns what is wrong with the value, if it was refused. */
  set(key: string, value: Scalar, change: Change = 'step'): string | undefined {
    const field = this.fields[key];
    if (!field) throw new Error(`the lesson declares no state "${key}"`);
    const wrong = problem(field, value);
    if (wrong !== undefined || this.#values[key] === value) return wrong;
    if (change === 'step') this.#settle();
    this.#values[key] = value;
    this.#writeUrl(change);
    return undefined;
  }

  /** Several keys in one history entry. */
  assign(values: Values, change: Change = 'step'): void {
    if (change === 'step') this.#settle();
    for (const [key, value] of Object.entries(values)) this.set(key, value, 'tune');
    if (change === 'step') this.#writeUrl('step');
  }

  /** A value that reads well but means nothing here: back to the default, and the reader is told. */
  drop(key: string, told: boolean): void {
    const fallback = this.fields[key]?.default;
    if (fallback === undefined || this.#values[key] === fallback) return;
    this.#values[key] = fallback;
    if (told) this.dropped = [...this.dropped, { key, reason: 'wrong' }];
    this.#writeUrl('tune');
  }

  #defaults(): Values {
    return Object.fromEntries(
      Object.entries(this.fields).map(([key, field]) => [key, field.default]),
    );
  }

  #readUrl = (): void => {
    const anchor = location.hash !== '' && !location.hash.includes('=');
    if (anchor || location.hash === this.#fragment()) return;
    const { values, dropped } = decode(location.hash, this.fields);
    this.dropped = dropped;
    Object.assign(this.#values, this.#defaults(), values);
  };

  #fragment(): string {
    const text = encode(this.#values, this.fields);
    return text === '' ? '' : `#${text}`;
  }

  /** What was typed just before a step belongs to the entry that the step leaves. */
  #settle(): void {
    if (this.#late === undefined) return;
    clearTimeout(this.#late);
    this.#write('replaceState');
  }

  #writeUrl(change: Change): void {
    clearTimeout(this.#late);
    if (change === 'step') this.#write('pushState');
    else this.#late = setTimeout(() => this.#write('replaceState'), QUIET_MS);
  }

  #write(how: 'pushState' | 'replaceState'): void {
    this.#late = undefined;
    const fragment = this.#fragment();
    if (location.hash === fragment) return;
    history[how](history.state, '', fragment || location.pathname + location.search);
  }
}
