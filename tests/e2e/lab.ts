// What all browser tests share: the built site on a server of its own, a page that may not complain,
// and the words in which a test speaks of a lesson.

import AxeBuilder from '@axe-core/playwright';
import {
  test as base,
  expect,
  type BrowserContext,
  type Locator,
  type Page,
} from '@playwright/test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figure } from '../../tools/figures.mjs';
import { serve } from '../../tools/serve.mjs';
import config from '../../web/playwright.config';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SITE = `${ROOT}build/site`;

export type Lang = 'zh' | 'en';
export const LANGS: Lang[] = ['zh', 'en'];

interface Served {
  origin: string;
}

/** The site under another folder, as on a host that is shared. */
function nested(): string {
  const root = `${ROOT}build/test/nested`;
  const link = `${root}/some/folder/site`;
  rmSync(root, { recursive: true, force: true });
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(SITE, link);
  return root;
}

export interface OwnBlocks {
  sessions: Record<string, unknown>;
  state?: Record<string, unknown>;
  blocks: Record<string, { kind: string } & Record<string, unknown>>;
}

function withBlocks(html: string, own: OwnBlocks): string {
  const blocks = Object.entries(own.blocks);
  return html
    .replace(
      /(id="lesson">)([^]*?)(<\/script>)/,
      (_, open: string, json: string, close: string) => {
        const data = { ...(JSON.parse(json) as object), state: {}, ...own };
        return open + JSON.stringify(data).replaceAll('<', '\\u003c') + close;
      },
    )
    .replace(/<div class="block" data-block="[^"]*" data-kind="[^"]*"/g, () => {
      const [id, spec] = blocks.shift() ?? [];
      return id ? `<div class="block" data-block="${id}" data-kind="${spec!.kind}"` : '<div hidden';
    });
}

export class Lesson {
  constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {}

  async open(slug: string, lang: Lang = 'en', rest = ''): Promise<void> {
    await this.page.goto(`${this.origin}/${lang}/${slug}/${rest}`);
  }

  /** Blocks that no lesson has, in the page of one: its data and the kinds of its blocks are exchanged on the way. */
  async openWith(own: OwnBlocks, lang: Lang = 'en', rest = ''): Promise<void> {
    const slug = 'bahdanau';
    await this.page.route(`**/${lang}/${slug}/`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: withBlocks(await response.text(), own) });
    });
    await this.open(slug, lang, rest);
  }

  /** The n-th block of a kind, brought into view and alive. */
  async block(kind: string, n = 0): Promise<Locator> {
    const block = this.page.locator(`[data-kind=${kind}]`).nth(n);
    await block.scrollIntoViewIfNeeded();
    await expect(block).toHaveAttribute('data-alive', 'true');
    return block;
  }

  async everyBlock(): Promise<Locator[]> {
    const folds = this.page.locator('details.why'); // some hold a block
    await folds.evaluateAll((all) =>
      all.forEach((each) => ((each as HTMLDetailsElement).open = true)),
    );
    const blocks = await this.page.locator('.block[data-block]').all();
    for (const block of blocks)
      await expect(async () => {
        await block.scrollIntoViewIfNeeded(); // again, where what came alive above has pushed it out of sight
        await expect(block).toHaveAttribute('data-alive', 'true', { timeout: 2_000 });
      }).toPass({ timeout: 60_000 });
    return blocks;
  }

  /** Nothing is still being computed or fetched. */
  async settled(): Promise<void> {
    await expect(this.page.locator('[aria-busy=true]')).toHaveCount(0);
  }
}

interface Fixtures {
  lesson: Lesson;
  /** Complaints of the page that this test means to provoke. */
  expected: RegExp[];
}

/** Each test has a browser context of its own: for tests of what belongs to one (its options, its workers, its end). */
export const apart = base.extend<Fixtures, Served>({
  origin: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const { port, close } = await serve({ root: SITE, port: 18080 });
      await use(`http://localhost:${port}`);
      close();
    },
    { scope: 'worker' },
  ],
  // eslint-disable-next-line no-empty-pattern
  expected: async ({}, use) => use([]),
  lesson: async ({ page, origin, expected }, use) => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { origin: to, protocol } = new URL(request.url());
      if (to !== origin && !['blob:', 'data:'].includes(protocol))
        complaints.push(`request to ${to}`);
    });
    await use(new Lesson(page, origin));
    expect(complaints.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual(
      [],
    );
  },
});

/**
 * One profile on disk serves all tests of a worker, and each begins with empty storage and pages of its own. Compiled code is kept in
 * it, as in a learner's browser: opening a lesson takes 1.6 s of processor time, in a context of its own 2.8 s.
 */
export const test = apart.extend<object, { profile: BrowserContext }>({
  profile: [
    async ({ playwright }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'attn-profile-'));
      const { launchOptions, ...options } = config.use!;
      const profile = await playwright.chromium.launchPersistentContext(folder, {
        ...launchOptions,
        ...options,
      });
      await use(profile);
      await profile.close();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  context: async ({ profile, origin }, use) => {
    const [blank] = profile.pages(); // the browser ends with its last page
    await use(profile);
    const cdp = await profile.newCDPSession(blank!);
    await profile.unrouteAll({ behavior: 'ignoreErrors' });
    await profile.clearPermissions();
    for (const page of profile.pages()) if (page !== blank) await page.close();
    await cdp.send('Storage.clearDataForOrigin', {
      origin,
      storageTypes: 'local_storage,indexeddb,cache_storage,service_workers,file_systems',
    });
    await cdp.detach();
  },
});

/** By how much the page is wider than its window. */
export function sidewaysRoom(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/**
 * What axe finds wrong in the page, or in parts of it. All is done in the page, and only what is wrong is described: a fifth of the
 * time that axe takes by default.
 */
export async function complaints(page: Page, ...within: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'], preload: false })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .setLegacyMode();
  for (const part of within) axe.include(part);
  const { violations, passes, incomplete, inapplicable } = await axe.analyze();
  figure('axe rules run', [violations, passes, incomplete, inapplicable].flat().length);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

export { expect, nested, serve, SITE };

/** `0.148`, `−3.2e−5` as the page writes them. */
export function number(text: string): number {
  return Number(text.replaceAll('−', '-'));
}

/** The numbers of a small heat map, as exactly as the page tells them, row by row. */
export async function cells(map: Locator): Promise<number[][]> {
  const rows = await map.locator('tbody tr').all();
  return Promise.all(
    rows.map(async (row) => {
      const labels = await row
        .locator('[data-at]')
        .evaluateAll((all) => all.map((cell) => cell.ariaLabel ?? ''));
      return labels.map((label) => number(label.split(' ').at(-1)!));
    }),
  );
}

export async function headers(map: Locator): Promise<{ rows: string[]; cols: string[] }> {
  return {
    rows: await map.locator('tbody th').allTextContents(),
    cols: await map.locator('thead th').allTextContents(),
  };
}

/** By keyboard alone: from the beginning of a block onwards until it has the focus. */
export async function tabTo(page: Page, from: Locator, to: Locator, most = 60): Promise<void> {
  await expect(to).toBeAttached(); // or Tab would go past where it is going to be
  await from.evaluate((element: HTMLElement) => {
    element.tabIndex = -1;
    element.focus();
  });
  for (let i = 0; i < most; i += 1) {
    await page.keyboard.press('Tab');
    if (await to.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${most} times Tab, and no focus`);
}

/** A question answered without a mouse: first wrongly, then rightly; and its sum opened, where it has one. */
export async function answerByKeyboard(
  page: Page,
  block: Locator,
  [wrong, right]: [string, string],
): Promise<void> {
  const field = block.getByRole('textbox');
  await tabTo(page, block, field);
  await page.keyboard.type(wrong);
  await page.keyboard.press('Enter');
  const reply = block.locator('.reply');
  await expect(reply).toHaveAttribute('data-right', 'false');
  await expect(reply).toContainText(/\S/);
  await expect(field).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(right);
  await page.keyboard.press('Enter');
  await expect(reply).toHaveAttribute('data-right', 'true');
  if ((await block.locator('form').getAttribute('data-hides')) !== 'cell') return;
  await tabTo(page, block, block.locator('.more button').first());
  await page.keyboard.press('Enter');
  await expect(block.locator('.working')).toBeVisible();
}

/** A block by its id, brought into view and alive. */
export async function named(page: Page, id: string): Promise<Locator> {
  const block = page.locator(`[data-block="${id}"]`);
  await block.scrollIntoViewIfNeeded();
  await expect(block).toHaveAttribute('data-alive', 'true');
  return block;
}

/** A whole step as a reader would take it away (in English): every number as it is in the engine. */
export async function tensor(page: Page, within: Locator): Promise<number[]> {
  await within.getByRole('button', { name: 'Save' }).first().click();
  const download = page.waitForEvent('download');
  await within.getByRole('menuitem', { name: 'Whole tensor' }).click();
  const text = readFileSync(await (await download).path(), 'utf8').trim();
  return text
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.slice(line.lastIndexOf(',') + 1)));
}
