// By hand: a training run in a tab that is hidden, shown and resized for ten minutes.
//
//     xvfb-run -a node tests/e2e/long-run.mjs [MINUTES]     (the site must be built)
//
// With a display, for a browser without one hides no tab.
//
// Prints a line a minute: is the tab seen, how far the run is, and the memory of the tab's process. Fails if the run stands
// still, the page complains, or the memory after the first minute grows by more than a twentieth.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../../tools/serve.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { chromium } = createRequire(`${ROOT}web/package.json`)('@playwright/test');
const MINUTES = Number(process.argv[2] ?? 10);
const TURN_MS = 15_000; // hidden, shown, narrow, wide, hidden …

const { port, close } = await serve({ root: `${ROOT}build/site`, port: 18300 });
// With a profile of its own: only so are its pages tabs of one window, of which one hides the others.
const profile = mkdtempSync(join(tmpdir(), 'attn-long-run-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
  headless: false,
});
const page = await context.newPage();
const other = await context.newPage();
const problems = [];
page.on('pageerror', (error) => problems.push(error.message));
page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
// Playwright tells each page that it is seen; this one shall know when it is not.
const devtools = await context.newCDPSession(page);
await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: false });

await page.goto(`http://localhost:${port}/en/playground/#model=transformer&epochs=1000`);
const course = page.locator('[data-block=course]');
await course.scrollIntoViewIfNeeded();
await course.and(page.locator('[data-alive=true]')).waitFor();
await course.locator('button.main').first().click();

/** Resident memory of this browser's renderers, in MiB: the tabs, their workers and what WebAssembly holds. */
function memory() {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' }).trim().split('\n');
  const all = rows.map((row) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? []);
  const parents = new Map(all.map(([, pid, parent]) => [pid, parent]));
  const ours = (pid) => pid !== undefined && (pid === String(process.pid) || ours(parents.get(pid)));
  const renderers = all.filter(([, pid, , , args]) => args?.includes('--type=renderer') && ours(pid));
  return Math.round(renderers.reduce((sum, [, , , kib]) => sum + Number(kib), 0) / 1024);
}
const epoch = async () => Number(await course.locator('[data-epoch]').getAttribute('data-epoch'));
const seen = () => page.evaluate(() => document.visibilityState);
const SIZES = [{ width: 1280, height: 900 }, { width: 360, height: 780 }];

const start = Date.now();
const lines = [];
for (let turn = 0; Date.now() - start < MINUTES * 60_000; ++turn) {
  await (turn % 2 === 0 ? other : page).bringToFront();
  if (turn % 2 === 1) await page.setViewportSize(SIZES[((turn - 1) / 2) % 2]);
  await page.waitForTimeout(TURN_MS);
  const line = {
    seconds: Math.round((Date.now() - start) / 1000),
    tab: await seen(),
    width: page.viewportSize()?.width,
    epoch: await epoch(),
    mib: memory(),
  };
  lines.push(line);
  console.log(JSON.stringify(line));
}
await context.close();
close();
rmSync(profile, { recursive: true, force: true });

const settled = lines.filter(({ seconds }) => seconds >= 60);
const grown = settled.at(-1).mib / settled[0].mib - 1;
if (settled.some(({ epoch }, i) => i > 0 && epoch <= settled[i - 1].epoch)) problems.push('the run stood still');
if (!lines.some(({ tab }) => tab === 'hidden')) problems.push('the tab was never hidden');
if (grown > 0.05) problems.push(`memory grew by ${Math.round(grown * 100)} %`);
console.log(problems.length > 0 ? problems.join('\n') : `no error; memory ${(grown * 100).toFixed(1)} %`);
process.exitCode = problems.length > 0 ? 1 : 0;
