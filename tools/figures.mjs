// Figures that suites count while they run, summed at the end of ./run test. A suite says `figure: NAME = N` on a line of its own,
// in whatever language and through whatever runner; a name comes from one kind of test and is the same each time.

const LINE = /^[#\s]*figure: (.+?) = (\d+)\s*$/gm;

export function figuresIn(output) {
  const sums = new Map();
  for (const [, name, n] of output.replace(/\x1b\[[\d;]*m/g, '').matchAll(LINE)) sums.set(name, (sums.get(name) ?? 0) + Number(n));
  return sums;
}

export const figure = (name, n) => console.log(`figure: ${name} = ${n}`);

/** `pages of lessons opened in Firefox: 10` … */
export const said = (sums) => [...sums].map(([name, n]) => `${name}: ${n.toLocaleString('en')}`);
