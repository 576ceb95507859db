// Small typed parsers for data that people write: lesson.json, a block's options, the URL.
// A parser returns the typed value or throws a SchemaError that names the path.

export type Parser<T> = (value: unknown, path: string) => T;
export type Parsed<P> = P extends Parser<infer T> ? T : never;

export class SchemaError extends Error {
  override name = 'SchemaError';
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(`${path}: ${problem}`);
  }
}

function show(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 40 ? `${json.slice(0, 39)}…` : json;
}

function refuse(path: string, expected: string, value: unknown): never {
  throw new SchemaError(path, `expected ${expected}, got ${show(value)}`);
}

export const text: Parser<string> = (value, path) =>
  typeof value === 'string' ? value : refuse(path, 'a text', value);

export const flag: Parser<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : refuse(path, 'true or false', value);

export const number: Parser<number> = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) ? value : refuse(path, 'a number', value);

export const integer: Parser<number> = (value, path) =>
  Number.isInteger(value) ? (value as number) : refuse(path, 'an integer', value);

export const scalar: Parser<string | number | boolean> = (value, path) =>
  typeof value === 'string' || typeof value === 'boolean'
    ? value
    : typeof value === 'number'
      ? number(value, path)
      : refuse(path, 'a text, a number, true or false', value);

export function oneOf<const T extends string>(...choices: T[]): Parser<T> {
  return (value, path) =>
    choices.includes(value as T)
      ? (value as T)
      : refuse(path, `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`, value);
}

/** The first parser that accepts; if none does, what the last one says. */
export function either<A, B>(first: Parser<A>, second: Parser<B>): Parser<A | B> {
  return (value, path) => {
    try {
      return first(value, path);
    } catch {
      return second(value, path);
    }
  };
}

export function list<T>(item: Parser<T>): Parser<T[]> {
  return (value, path) =>
    Array.isArray(value)
      ? value.map((entry: unknown, i) => item(entry, `${path}[${i}]`))
      : refuse(path, 'a list', value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function dictionary<T>(item: Parser<T>): Parser<Record<string, T>> {
  return (value, path) => {
    if (!isRecord(value)) return refuse(path, 'an object', value);
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, item(entry, `${path}.${key}`)]),
    );
  };
}

export function optional<T>(parser: Parser<T>): Parser<T | undefined>;
export function optional<T>(parser: Parser<T>, fallback: T): Parser<T>;
export function optional<T>(parser: Parser<T>, fallback?: T): Parser<T | undefined> {
  return (value, path) => (value === undefined ? fallback : parser(value, path));
}

type Shape = Record<string, Parser<unknown>>;

/** An object with exactly these keys: a key that is not among them is most likely a slip of the pen. */
export function object<S extends Shape>(shape: S): Parser<{ [K in keyof S]: Parsed<S[K]> }> {
  return (value, path) => {
    if (!isRecord(value)) return refuse(path, 'an object', value);
    const stranger = Object.keys(value).find((key) => !Object.hasOwn(shape, key));
    if (stranger !== undefined)
      throw new SchemaError(
        path,
        `unknown key "${stranger}" (known: ${Object.keys(shape).join(', ')})`,
      );
    const entries = Object.entries(shape).map(([key, parser]) => [
      key,
      parser(value[key], `${path}.${key}`),
    ]);
    return Object.fromEntries(entries) as { [K in keyof S]: Parsed<S[K]> };
  };
}
