// Numbers as text. The engine computes them; here they only get their digits.

const MINUS = '−';

/** `−0.652`, `1.2e−5`: enough to read in a cell or in a sum. */
export function short(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return special(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.5 * 10 ** -digits || size >= 1e5)) return power(value, 1);
  return sign(value.toFixed(size >= 1000 ? 0 : size >= 100 ? Math.min(digits, 1) : digits));
}

/** Whole numbers that are no measurements (a count, a factor 2, the end of a scale) stay whole. */
export function figure(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e5) return sign(String(value));
  const text = short(value);
  return text.includes('e') ? power(value, 3) : text;
}

/** Numbers of one kind are told in one way: as whole ones where all of them are. */
export function alike(values: number[]): (value: number) => string {
  const whole = values.every(Number.isInteger);
  return (value) => (whole ? figure(value) : short(value));
}

/** As many digits as float32 holds. */
export function exact(value: number): string {
  return Number.isFinite(value) ? sign(String(Number(value.toPrecision(7)))) : special(value);
}

export function percent(value: number): string {
  return `${(value * 100).toFixed(value < 0.0995 ? 1 : 0)}%`;
}

export function seconds(s: number): string {
  return s < 60 ? `${s.toFixed(1)} s` : `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
}

/** A time in milliseconds, in the unit in which it is easy to read. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return special(ms);
  const [unit, per] = UNITS.find(([, least]) => ms >= least) ?? UNITS.at(-1)!;
  return `${Number((ms / per).toPrecision(3))} ${unit}`;
}

const UNITS: [string, number][] = [
  ['s', 1000],
  ['ms', 1],
  ['µs', 1e-3],
  ['ns', 1e-6],
];

function power(value: number, digits: number): string {
  return sign(value.toExponential(digits).replace('e+', 'e'));
}

function sign(text: string): string {
  const plain = /^-0\.?0*$/.test(text) ? text.slice(1) : text; // no "−0.000"
  return plain.replaceAll('-', MINUS);
}

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : `${MINUS}∞`;
}
