// The words of the page's own parts, by language.

import type { Lang } from '../src/shared/lesson.ts';
import en from '../src/words/en.json' with { type: 'json' };
import zh from '../src/words/zh.json' with { type: 'json' };

export type Words = Record<string, string>;
export const WORDS: Record<Lang, Words> = { zh, en };

export type Say = (key: string, values?: Record<string, string | number>) => string;

/** `say('shell.read', {done: 2, all: 5})`; a key without words fails the build. */
export function speaker(lang: Lang): Say {
  return (key, values = {}) => {
    const sentence = WORDS[lang][key];
    if (sentence === undefined) throw new Error(`web/src/words/${lang}.json: "${key}" is missing`);
    return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}
