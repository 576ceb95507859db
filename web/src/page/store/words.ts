// The page's own words. A lesson's sentences live in its zh.md and en.md.

import type { Lang } from '../../shared/lesson';
import type { Reason } from '../../shared/engine';
import type { EngineError } from '../../shared/protocol';
import type zh from '../../words/zh.json';
import { lastPart, lookups, updated } from './names';

export type WordKey = keyof typeof zh;
export type Table = Record<string, string>;

export interface Told {
  text: string;
  lang: Lang;
}

const tables = import.meta.glob<Table>('../../words/*.json', { import: 'default' });

export class Words {
  constructor(
    readonly lang: Lang,
    private readonly table: Table,
  ) {}

  static async load(lang: Lang): Promise<Words> {
    const load = tables[`../../words/${lang}.json`];
    if (!load) throw new Error(`no words for "${lang}"`);
    return new Words(lang, await load());
  }

  /** `{name}` in the words is filled in from `values`. */
  say(key: WordKey, values: Record<string, string | number> = {}): string {
    const words = this.table[key] ?? key;
    return words.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  }

  /** Why the engine refused, where the page has words for it; else as the engine says it, in English. */
  refusal({ message, reason }: Pick<EngineError, 'message' | 'reason'>): Told {
    return this.reason(message, reason);
  }

  reason(english: string, { code, values = {} }: Reason): Told {
    const words = this.table[`refused.${code}`];
    if (code === undefined || words === undefined) return { text: english, lang: 'en' };
    const { field, why, why_code, ...rest } = values;
    const said = {
      ...values,
      ...(field !== undefined && { field: this.setting(field) }),
      ...(why !== undefined && { why: this.#because(why, why_code, rest) }),
    };
    return { text: this.say(`refused.${code}` as WordKey, said), lang: this.lang };
  }

  /** A reason that another one names: in this language where it has a code that is known. */
  #because(english: string, code: string | undefined, values: Record<string, string>): string {
    return this.reason(english, code === undefined ? {} : { code, values }).text;
  }

  setting(name: string): string {
    return this.name([`setting.${name}`], name);
  }

  /** The sentence as text and the names of what is to be filled in, for words that are marked up. */
  pieces(key: WordKey): (string | { name: string })[] {
    return (this.table[key] ?? key)
      .split(/\{(\w+)\}/)
      .map((part, i) => (i % 2 === 1 ? { name: part } : part));
  }

  /** Words for a name that comes from the engine; the first of the keys that has any. */
  name(keys: string[], fallback: string): string {
    const key = keys.find((each) => this.table[each] !== undefined);
    return key === undefined ? fallback : this.table[key]!;
  }

  /** `encoder.0.attention.weights` → the words for `encoder.attention.weights`, else for `weights`.
   *  Of a parameter, too, and of what the optimiser makes of it. */
  step(name: string): string {
    const change = updated(name);
    const words = this.#byEnding('step', lookups(name)) ?? lastPart(name);
    return change?.of === undefined
      ? words
      : this.say('step.of', { what: words, of: this.step(change.of) });
  }

  /** A sentence on what the step does, where there is one; `op` and `model` where one name has two meanings. */
  about(name: string, op = '', model = ''): string | undefined {
    return this.#byEnding('about', lookups(name, op, model === '' ? [] : [model]));
  }

  #byEnding(area: string, keys: string[]): string | undefined {
    return keys.map((key) => this.table[`${area}.${key}`]).find((words) => words !== undefined);
  }

  /** `decoder.1` → “decoder · layer 2”; within the decoder only “layer 2”. */
  module(name: string, within = ''): string {
    const parts = name.split('.').filter((part, i) => i > 0 || part !== within);
    return parts
      .map((part) =>
        /^\d+$/.test(part)
          ? this.say('module.numbered', { n: Number(part) + 1 })
          : this.name([`module.${part}`], part),
      )
      .join(' · ');
  }

  axis(name: string): string {
    return this.name([`axis.${name}`], name);
  }
}
