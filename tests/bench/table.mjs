// Rows of the bench: how one is made from what was measured, and how they are shown.

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/**
 * A row where more is better. `ratio` is ours ÷ the best peer, null without one; `pass` holds it to `at_least`.
 * `more` may add what else is worth telling.
 */
export function row(name, unit, ours, peers, limits, more = {}) {
  const best = Math.max(...Object.values(peers));
  const ratio = Number.isFinite(best) ? ours / best : null;
  return { name, unit, ours, peers, ratio, ...limits, pass: ratio === null ? null : ratio >= limits.at_least, ...more };
}

const small = (x) => x !== 0 && Math.abs(x) < 0.01;
const number = (x) => (x === null ? '' : small(x) ? x.toExponential(1) : Math.abs(x) >= 1000 ? x.toFixed(0) : Math.abs(x) >= 100 ? x.toFixed(1) : x.toFixed(2));

function cells(result) {
  const peers = Object.entries(result.peers).map(([name, value]) => `${name} ${number(value)}`);
  const verdict = result.pass === null ? '' : result.pass ? 'yes' : 'NO';
  return [result.name, number(result.ours), result.unit, peers.join(', '), number(result.ratio), number(result.at_least), number(result.aim ?? null), verdict];
}

/** The rows as a table of Markdown, which is also easy on the eye. */
export function table(results) {
  const lines = [['row', 'ours', 'unit', 'peers', 'ratio', 'at least', 'aim', 'reached'], ...results.map(cells)];
  const widths = lines[0].map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  const shown = lines.map((line) => `| ${line.map((text, i) => text.padEnd(widths[i])).join(' | ')} |`);
  shown.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return shown.join('\n');
}
