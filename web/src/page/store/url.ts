// The lesson's state as a URL fragment: `#sentence=I'm+home.&stage.step=decoder.weights`.
// Only what differs from the default is written; what cannot be read is dropped and told.

import type { Scalar } from '../../shared/engine';
import { problem, type StateField } from '../../shared/lesson';

export type Fields = Record<string, StateField>;
export type Values = Record<string, Scalar>;

export interface Dropped {
  key: string;
  reason: 'unknown' | 'wrong';
}

const LONGEST_VALUE = 400; // a longer text stays in the tab: links should be short enough to send

// Characters that a fragment may hold as they are (RFC 3986) and that do not part keys and values.
const READABLE = /%(20|21|24|27|28|29|2A|2C|2F|3A|3B|3F|40)/gi;

function escape(text: string): string {
  return encodeURIComponent(text).replace(READABLE, (code) =>
    code === '%20' ? '+' : decodeURIComponent(code),
  );
}

function unescape(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

export function encode(values: Values, fields: Fields): string {
  return Object.entries(fields)
    .filter(([key, field]) => values[key] !== undefined && values[key] !== field.default)
    .map(([key]) => `${escape(key)}=${escape(String(values[key]))}`)
    .filter((pair) => pair.length <= LONGEST_VALUE)
    .join('&');
}

function read(text: string, field: StateField): Scalar | undefined {
  if (field.type === 'boolean')
    return text === 'true' ? true : text === 'false' ? false : undefined;
  if (field.type === 'text' || field.type === 'choice') return text;
  return text.trim() === '' ? undefined : Number(text);
}

/** A fragment without `=` is an ordinary anchor and says nothing about the state. */
export function decode(fragment: string, fields: Fields): { values: Values; dropped: Dropped[] } {
  const found: [string, Scalar][] = [];
  const dropped: Dropped[] = [];
  for (const pair of fragment.replace(/^#/, '').split('&')) {
    const at = pair.indexOf('=');
    if (at < 0) continue;
    const entry = readPair(pair.slice(0, at), pair.slice(at + 1), fields);
    if ('reason' in entry) dropped.push(entry);
    else found.push([entry.key, entry.value]);
  }
  // Whatever a key is called, it is a key and nothing else: `__proto__` too.
  return { values: Object.fromEntries(found), dropped };
}

function readPair(
  rawKey: string,
  rawValue: string,
  fields: Fields,
): Dropped | { key: string; value: Scalar } {
  try {
    const key = unescape(rawKey);
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!field) return { key, reason: 'unknown' };
    const value = read(unescape(rawValue), field);
    if (value === undefined || problem(field, value) !== undefined) return { key, reason: 'wrong' };
    return { key, value };
  } catch {
    return { key: rawKey, reason: 'wrong' }; // not valid percent encoding
  }
}
