// By hand: a training run in a tab that is hidden, shown and resized for ten minutes.
//
//     xvfb-run -a node tests/e2e/long-run.mjs [MINUTES]     (the site must be built)
//
// With a display, for a browser without one hides no tab, and by Puppeteer, which does not tell a page that it is seen.
//
// Prints a line a turn: is the tab seen, how far the run is at its beginning and end, and the memory of the tabs' processes.
// Fails if the run stands still, shown or hidden, if the page complains, or if the most memory of the last third of the time is
// more than a twentieth above that of the middle third: in the first the run still gathers the states that it keeps along its
// way, whose number is limited, and what waits to be collected goes up and down all the time.

import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serve } from '../../tools/serve.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { default: puppeteer } = await import(
  createRequire(`${ROOT}web/package.json`).resolve('puppeteer-core')
);
const MINUTES = Number(process.argv[2] ?? 10);
const TURN_MS = 15_000; // hidden, shown, narrow, wide, hidden …
const SOON_MS = 1_000; // a hidden tab draws nothing: what it did there is seen when it is shown again

const { port, close } = await serve({ root: `${ROOT}build/site`, port: 18300 });
const browser = await puppeteer.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
  headless: false,
});
const page = await browser.newPage();
const other = await browser.newPage();
const problems = [];
page.on('pageerror', (error) => problems.push(error.message));
page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));

await page.bringToFront(); // a block comes alive when it is seen
page.setDefaultTimeout(120_000);
await page.goto(
  `http://localhost:${port}/en/playground/#model=transformer&hidden_size=128&layers=4&epochs=1000`,
);
await page.waitForSelector('[data-block=course]');
await page.$eval('[data-block=course]', (block) => block.scrollIntoView());
const train = await page.waitForSelector('[data-block=course][data-alive=true] button.main');
await train.evaluate((button) => button.click());

/** Resident memory of this browser's renderers, in MiB: the tabs, their workers and what WebAssembly holds. */
function memory() {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const all = rows.map((row) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? []);
  const parents = new Map(all.map(([, pid, parent]) => [pid, parent]));
  const ours = (pid) =>
    pid !== undefined && (pid === String(process.pid) || ours(parents.get(pid)));
  const renderers = all.filter(
    ([, pid, , , args]) => args?.includes('--type=renderer') && ours(pid),
  );
  return Math.round(renderers.reduce((sum, [, , , kib]) => sum + Number(kib), 0) / 1024);
}
const epoch = () =>
  page.$eval('[data-block=course] [data-epoch]', (told) => Number(told.getAttribute('data-epoch')));
const seen = () => page.evaluate(() => document.visibilityState);
const SIZES = [
  { width: 1280, height: 900 },
  { width: 360, height: 780 },
];

const start = Date.now();
const lines = [];
for (let turn = 0; Date.now() - start < MINUTES * 60_000; ++turn) {
  await (turn % 2 === 0 ? other : page).bringToFront();
  if (turn % 2 === 1) await page.setViewport(SIZES[((turn - 1) / 2) % 2]);
  await sleep(SOON_MS);
  const soon = await epoch();
  await sleep(TURN_MS - SOON_MS);
  const line = {
    seconds: Math.round((Date.now() - start) / 1000),
    tab: await seen(),
    width: page.viewport()?.width,
    soon,
    epoch: await epoch(),
    mib: memory(),
  };
  lines.push(line);
  console.log(JSON.stringify(line));
}
await browser.close();
close();

const most = (from, to) =>
  Math.max(...lines.slice(lines.length * from, lines.length * to).map(({ mib }) => mib));
const grown = most(2 / 3, 1) / most(1 / 3, 2 / 3) - 1;
const shown = lines.filter(({ tab }) => tab === 'visible');
if (shown.some(({ soon, epoch }, i) => epoch <= soon || soon <= (shown[i - 1]?.epoch ?? -1) + 1))
  problems.push('the run stood still');
if (!lines.some(({ tab }) => tab === 'hidden')) problems.push('the tab was never hidden');
if (grown > 0.05) problems.push(`memory grew by ${Math.round(grown * 100)} %`);
console.log(
  problems.length > 0 ? problems.join('\n') : `no error; memory ${(grown * 100).toFixed(1)} %`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
