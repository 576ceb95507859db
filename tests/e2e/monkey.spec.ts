// Random actions over all lessons: nothing is thrown, nothing is complained of, and the heap stays flat. Seeded: the same seed does
// the same things, as far as the page answers in the same time. A short run is part of the tests; a long one by hand:
//   ACTIONS=10000 SEED=7 npx playwright test ../tests/e2e/monkey.spec.ts

import type { CDPSession, Page } from '@playwright/test';
import { readdirSync } from 'node:fs';
import { expect, LANGS, ROOT, test } from './lab';

const SLUGS = readdirSync(`${ROOT}lessons`).flatMap((name) => /^\d\d-(.+)$/.exec(name)?.[1] ?? []);
const ACTIONS = Number(process.env['ACTIONS'] ?? 300);
const SEED = Number(process.env['SEED'] ?? 20261130);
const EACH = Math.ceil(ACTIONS / SLUGS.length);
const LONG = EACH >= 100; // enough to see a heap grow

/** mulberry32: small, seeded, good enough to press buttons with. */
class Dice {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  below(n: number): number {
    return Math.floor(this.next() * n);
  }
  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }
}

const TEXTS = [
  ...['', ' ', "I'm home.", 'Go.', 'a', '0', '1', '-1', '0.5', '1e9', 'NaN', '999999999999'],
  ...[
    '<img src=x onerror=alert(1)>',
    '</script>',
    "'; --",
    '%00',
    '日本語',
    'ça ﷽ 👩‍👩‍👧‍👦',
    'x'.repeat(300),
  ],
  ...['Are you ready to go now?', '1,2,3', '[2,3]', '../..', '?embed=', '#a=b&c=d'],
];
const KEYS = [
  ...['Tab', 'Shift+Tab', 'Enter', 'Space', 'Escape', 'ArrowLeft', 'ArrowRight', 'ArrowUp'],
  ...['ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', '?', '+', '-', '1', '2'],
];
/** What leads to another page, or to a dialog of the browser, is left alone. */
const TARGETS =
  'main button, main input:not([type=file]), main select, main summary, main [tabindex="0"], main [role=gridcell], main a[href^="#"], #theme, #help-open, dialog[open] button';

interface Target {
  x: number;
  y: number;
  kind: 'press' | 'text' | 'choose' | 'range';
}

/** One of the things that can be used, somewhere on the page, brought into view. */
function pickTarget(page: Page, at: number): Promise<Target | undefined> {
  return page.evaluate(
    ([targets, at]) => {
      const open = document.querySelector('dialog[open]');
      const all = [...document.querySelectorAll<HTMLElement>(targets)].filter(
        (each) => (!open || open.contains(each)) && each.getClientRects().length > 0,
      );
      const chosen = all[Math.floor(at * all.length)];
      if (!chosen) return undefined;
      chosen.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width, height } = chosen.getBoundingClientRect();
      const kind = chosen.matches('input[type=range], [role=slider]')
        ? ('range' as const)
        : chosen.matches('input:not([type=checkbox], [type=radio]), textarea')
          ? ('text' as const)
          : chosen.matches('select')
            ? ('choose' as const)
            : ('press' as const);
      if (kind === 'choose') chosen.focus(); // its list would be a window of the system
      return { x: left + width / 2, y: top + height / 2, kind };
    },
    [TARGETS, at] as const,
  );
}

async function use(page: Page, dice: Dice): Promise<void> {
  const target = await pickTarget(page, dice.next());
  if (!target) return;
  const { x, y, kind } = target;
  if (kind === 'choose')
    return page.keyboard.press(dice.of(['ArrowDown', 'ArrowUp', 'End', 'Home']));
  await page.mouse.move(x, y);
  await page.mouse.click(x, y);
  if (kind === 'range') await page.keyboard.press(dice.of(KEYS.slice(5, 13)));
  if (kind === 'text') {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(dice.of(TEXTS));
    if (dice.next() < 0.7) await page.keyboard.press('Enter');
  }
}

async function drag(page: Page, dice: Dice): Promise<void> {
  const target = await pickTarget(page, dice.next());
  if (!target || target.kind === 'choose') return;
  await page.mouse.move(target.x, target.y);
  await page.mouse.down();
  await page.mouse.move(target.x + dice.below(200) - 100, target.y + dice.below(80) - 40, {
    steps: 4,
  });
  await page.mouse.up();
}

async function resize(page: Page, dice: Dice): Promise<void> {
  const [width, height] = dice.of([
    [360, 740],
    [740, 360],
    [1024, 768],
    [1440, 1000],
  ] as const);
  await page.setViewportSize({ width, height });
}

/** Runs in the page. */
function backWithinPage(): void {
  const { navigation } = window as unknown as {
    navigation: { currentEntry: { index: number } | null; entries(): { sameDocument: boolean }[] };
  };
  const at = navigation.currentEntry?.index ?? 0;
  if (navigation.entries()[at - 1]?.sameDocument) history.back();
}

async function act(page: Page, dice: Dice): Promise<void> {
  const luck = dice.next();
  if (luck < 0.55) return use(page, dice);
  if (luck < 0.72) return page.keyboard.press(dice.of(KEYS));
  if (luck < 0.82) return drag(page, dice);
  if (luck < 0.92) return page.mouse.wheel(0, dice.below(3000) - 1200);
  if (luck < 0.94) return resize(page, dice);
  if (luck < 0.97) return page.evaluate(backWithinPage);
  return page.emulateMedia({ colorScheme: dice.of(['dark', 'light'] as const) });
}

/** Runs in a worker, before its engine comes: the memory of whatever is instantiated can be asked for. */
function watchMemory(): void {
  const kept: WebAssembly.Memory[] = [];
  Object.assign(globalThis, { kept });
  const keep = (instance: WebAssembly.Instance): void => {
    for (const each of Object.values(instance.exports))
      if (each instanceof WebAssembly.Memory) kept.push(each);
  };
  const { instantiate, instantiateStreaming } = WebAssembly;
  const watched =
    (make: (...all: never[]) => Promise<WebAssembly.WebAssemblyInstantiatedSource>) =>
    async (...all: never[]) => {
      const source = await make(...all);
      keep(source.instance);
      return source;
    };
  Object.assign(WebAssembly, {
    instantiate: watched(instantiate as never),
    instantiateStreaming: watched(instantiateStreaming as never),
  });
}

interface Held {
  bytes: number; // of the page's JavaScript, after its rubbish has been collected
  nodes: number;
  engines: number[]; // bytes of WebAssembly memory, one number an engine that still lives
}

async function held(page: Page, session: CDPSession): Promise<Held> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  const engines = await Promise.all(
    page.workers().map((worker) =>
      worker.evaluate(() => {
        const { kept } = globalThis as unknown as { kept?: WebAssembly.Memory[] };
        return kept?.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
      }),
    ),
  );
  return { bytes: usedSize, nodes, engines: engines.flatMap((each) => each || []) };
}

const MIB = 1024 * 1024;
const mib = (bytes: number): string => (bytes / MIB).toFixed(1);
const told = ({ bytes, nodes, engines }: Held): string =>
  `${mib(bytes)} MiB, ${nodes} nodes, engines ${engines.map(mib).join(' + ')} MiB`;

// All that a lesson holds with every block alive was 6 to 17 MiB and 3,000 to 19,000 nodes. A short run stays below twice that; a long
// one grows by no more than that after its first third, whatever it has done.
const MOST = { bytes: (LONG ? 16 : 34) * MIB, nodes: LONG ? 20_000 : 40_000 };

/** What leads away is answered by "nothing there": the page stays, and the heap is that of one document to the end. */
async function stay(page: Page): Promise<void> {
  await page.route(
    () => true,
    (route, request) =>
      request.isNavigationRequest() ? route.fulfill({ status: 204 }) : route.fallback(),
  );
}

SLUGS.forEach((slug, i) =>
  test(`${slug}: ${EACH} random actions from seed ${SEED + i} leave no error, and the heap flat`, async ({
    lesson,
    page,
  }) => {
    test.setTimeout(120_000 + 2_000 * EACH);
    const dice = new Dice(SEED + i);
    await page.addInitScript(() => {
      window.print = () => undefined;
    });
    page.on('filechooser', () => undefined); // none opens
    page.on('worker', (worker) => void worker.evaluate(watchMemory).catch(() => undefined));
    await lesson.open(slug, LANGS[i % 2]!);
    if (LONG) await lesson.everyBlock(); // what comes alive later would look like growth
    await stay(page);
    const session = await page.context().newCDPSession(page);
    const measured: Held[] = [];
    for (const part of [1, 2, 3]) {
      for (
        let n = Math.ceil(EACH / 3) * (part - 1);
        n < Math.min(EACH, Math.ceil(EACH / 3) * part);
        n += 1
      )
        await act(page, dice);
      if (part === 3) await page.keyboard.press('Escape');
      measured.push(await held(page, session));
    }
    const [before, , after] = measured as [Held, Held, Held];
    console.log([`${slug}, after each third:`, ...measured.map(told)].join('\n  '));
    if (LONG) expect(after.engines).not.toEqual([]); // or it was not measured
    expect(after.bytes - (LONG ? before.bytes : 0)).toBeLessThan(MOST.bytes);
    expect(after.nodes - (LONG ? before.nodes : 0)).toBeLessThan(MOST.nodes);
  }),
);
