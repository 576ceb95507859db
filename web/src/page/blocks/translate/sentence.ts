// What can be said of a sentence before the model sees it. How it is cut into tokens is the model's affair.

import type { Translation } from '../../../shared/engine';

export type Refused = 'empty' | 'long';

/** `longest`: characters that the lesson's state takes. */
export function refuse(sentence: string, longest: number): Refused | undefined {
  if (!/\S/u.test(sentence)) return 'empty';
  return sentence.length > longest ? 'long' : undefined;
}

/** Words that the model has no entry for, as it reads them. */
export function unknown(translation: Translation): string[] {
  return translation.source.filter((token) => !token.known).map((token) => token.text);
}

/** Nothing but unknown words and marks: there is nothing for the model to go by. */
export function nothingKnown(translation: Translation): boolean {
  const words = translation.source.filter(
    ({ text }) => /[\p{L}\p{N}]/u.test(text) && !/^<\w+>$/.test(text),
  );
  const hasWords = words.length > 0;
  return hasWords ? words.every((token) => !token.known) : unknown(translation).length > 0;
}
