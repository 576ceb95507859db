import type { Locator, Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import {
  complaints,
  apart,
  cells,
  expect,
  headers,
  LANGS,
  number,
  sidewaysRoom,
  test,
  type OwnBlocks,
} from './lab';

const TRANSFORMER = { model: 'transformer', config: {}, weights: 'transformer' };

const attention = (more: Record<string, unknown> = {}): OwnBlocks => ({
  sessions: { it: TRANSFORMER },
  blocks: {
    look: { kind: 'attention', session: 'it', inputs: { sentence: "I'm home." }, ...more },
  },
});
/** What to write is given, so that the decoder sees all its words at once, behind a mask. */
const forced = attention({
  use: 'self',
  inputs: { sentence: "I'm home.", target: 'je suis chez moi .' },
});

const WORDS = ['<bos>', 'je', 'suis', 'chez', 'moi', '.'];
const map = (block: Locator): Locator => block.locator('[data-part=map]');
/** The number that is open, once it is. */
const opens = (block: Locator, value: number, digits = 6): Promise<void> =>
  expect
    .poll(() => block.locator('.working').getAttribute('data-stored').then(Number))
    .toBeCloseTo(value, digits);
const mean = (...all: number[]): number => all.reduce((a, b) => a + b, 0) / all.length;

/** Once there is a map to read. */
async function read(grid: Locator): Promise<number[][]> {
  await expect(grid).toBeVisible();
  return cells(grid);
}

async function words(grid: Locator): Promise<{ rows: string[]; cols: string[] }> {
  await expect(grid).toBeVisible();
  return headers(grid);
}

async function saved(page: Page, block: Locator, what: string): Promise<Buffer> {
  await block.getByRole('button', { name: 'Save' }).first().click();
  const download = page.waitForEvent('download');
  await block.getByRole('menuitem', { name: what }).click();
  return readFileSync(await (await download).path());
}

for (const lang of LANGS)
  for (const width of [1440, 360])
    test(`${lang}, ${width}: all heads stand side by side on one scale, rows sum to 1`, async ({
      lesson,
      page,
    }) => {
      await page.setViewportSize({ width, height: 1000 });
      await lesson.openWith(attention(), lang);
      const block = await lesson.block('attention');
      await expect(block.locator('.head')).toHaveCount(4);
      await expect(block.locator('.head[aria-pressed=true]')).toHaveCount(1);
      await expect(block.locator('.heads .bar')).toHaveCount(1);
      const rows = await read(map(block).getByRole('grid'));
      for (const row of rows) expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 5);
      await expect(map(block).locator('.sum')).toHaveText(rows.map(() => 'Σ 1.000'));
      expect(await sidewaysRoom(page)).toBeLessThanOrEqual(0);
      expect(await complaints(page, '[data-kind=attention]')).toEqual([]);
      await block.screenshot({ path: test.info().outputPath('attention.png') });
    });

test('use and layer are picked, and stand in the URL', async ({ lesson, page }) => {
  await lesson.openWith(attention());
  const block = await lesson.block('attention');
  expect((await words(map(block).getByRole('grid'))).cols).toEqual(["i'm", 'home', '.', '<eos>']);
  await block.getByRole('radio', { name: 'encoder self-attention' }).check();
  await block.getByRole('radio', { name: 'layer 2' }).check();
  const grid = map(block).getByRole('grid');
  await expect(grid).toHaveAccessibleName('encoder self-attention, layer 2 · head 1');
  expect((await words(grid)).rows).toEqual(["i'm", 'home', '.', '<eos>']);
  const before = await read(grid);
  await expect(page).toHaveURL(/look\.use=encoder&look\.layer=1/);
  await page.reload();
  const again = map(await lesson.block('attention')).getByRole('grid');
  expect(await read(again)).toEqual(before);
});

test('several heads are averaged, and a cell of the average opens to the heads it is made of', async ({
  lesson,
  page,
}) => {
  await lesson.openWith(attention());
  const block = await lesson.block('attention');
  const grid = map(block).getByRole('grid');
  const first = await read(grid);
  await block.locator('.alone').nth(1).click();
  await expect(grid).toHaveAccessibleName(/head 3$/);
  const third = await read(grid);
  await block.locator('.head').first().click();
  await expect(grid).toHaveAccessibleName(/mean of heads 1 and 3$/);
  const both = await read(grid);
  both.forEach((row, i) =>
    row.forEach((value, j) => expect(value).toBeCloseTo(mean(first[i]![j]!, third[i]![j]!), 5)),
  );
  await expect(map(block).locator('.sum').first()).toHaveText('Σ 1.000');
  await grid.locator('[data-at="1,1"]').click();
  await expect(block.locator('.operand')).toHaveCount(2);
  await opens(block, both[1]![1]!);
  await expect(block.locator('.opened nav b')).toContainText('mean of heads 1 and 3');
  await block.locator('.operand').first().click();
  await opens(block, first[1]![1]!);
  await page.reload();
  await opens(await lesson.block('attention'), both[1]![1]!);
});

test('several queries are averaged head by head, and the sum of a row opens', async ({
  lesson,
}) => {
  await lesson.openWith(attention());
  const block = await lesson.block('attention');
  const rows = await read(map(block).getByRole('grid'));
  const queries = block.locator('.queries .token');
  await queries.nth(0).click();
  await queries.nth(2).click();
  const part = block.locator('[data-part=queries]');
  const averaged = await read(part.getByRole('grid'));
  expect(averaged).toHaveLength(1);
  averaged[0]!.forEach((value, i) =>
    expect(value).toBeCloseTo(mean(rows[0]![i]!, rows[2]![i]!), 5),
  );
  await part.locator('[data-at="0,0"]').click();
  await expect(block.locator('.operand')).toHaveCount(2);
  await map(block).locator('[data-at="1,3"]').focus();
  await block.page().keyboard.press('ArrowRight');
  await expect(map(block).locator('[data-sum="1"]')).toBeFocused();
  await block.page().keyboard.press('Enter');
  await expect(block.locator('.operand')).toHaveCount(rows[1]!.length);
  await opens(block, 1);
  await block.getByRole('button', { name: 'Close' }).click();
  await expect(block.locator('.working')).toHaveCount(0);
});

test('what the mask hides is hatched and said, and the mask is a triangle', async ({ lesson }) => {
  await lesson.openWith(forced);
  const block = await lesson.block('attention');
  const grid = map(block).getByRole('grid');
  expect(await words(grid)).toEqual({ rows: WORDS, cols: WORDS });
  await expect(grid.locator('.veiled')).toHaveCount(15);
  await expect(grid.locator('[data-at="1,2"]')).toHaveAccessibleName('je × suis masked 0');
  await expect(grid.locator('[data-at="2,1"]')).not.toHaveAccessibleName(/masked/);
  await grid.locator('[data-at="0,5"]').hover();
  await expect(map(block).locator('.readout')).toHaveText(/^<bos> × \. 0\s*masked$/);
  await map(block).getByRole('checkbox', { name: 'show the mask' }).check();
  const mask = await read(map(block).getByRole('grid'));
  mask.forEach((row, i) => expect(row).toEqual(WORDS.map((_, j) => (j <= i ? 1 : 0))));
});

test('padding is left out, and shown hatched where it is asked for', async ({ lesson }) => {
  await lesson.openWith({
    sessions: {
      it: { model: 'bahdanau', config: { book_padding: true, examples: 100 }, data: 'corpus' },
    },
    blocks: {
      map: {
        kind: 'heatmap',
        session: 'it',
        step: 'decoder.weights',
        inputs: { sentence: 'Go.', target: 'va !' },
      },
    },
  });
  const block = await lesson.block('heatmap');
  expect((await words(block.getByRole('grid'))).cols).toEqual(['go', '.', '<eos>']);
  await block.getByRole('checkbox', { name: /^show padding/ }).check();
  const { cols } = await words(block.getByRole('grid'));
  expect(cols.slice(3).every((word) => word === '<pad>')).toBe(true);
  expect(cols.length).toBeGreaterThan(3);
  await expect(block.locator('[data-at="0,3"]')).toHaveAccessibleName(/<pad> padding /);
  await block.locator('[data-at="0,1"]').click();
  await expect(block.locator('[data-at="0,1"]')).toHaveAttribute('aria-selected', 'true');
});

test('a link that names what the model has not is told', async ({ lesson }) => {
  await lesson.openWith(attention(), 'en', '#look.heads=0,9&look.layer=7&look.queries=x');
  const block = await lesson.block('attention');
  await expect(map(block).getByRole('grid')).toBeVisible();
  await expect(block.page().getByText(/Unsuitable values: .*look\.heads/)).toBeVisible();
});

test('a model with one layer and one head needs no pickers; one without attention says so', async ({
  lesson,
}) => {
  await lesson.openWith({
    sessions: {
      one: { model: 'bahdanau', config: {}, weights: 'bahdanau' },
      none: { model: 'kernel-regression', config: {} },
    },
    blocks: {
      one: { kind: 'attention', session: 'one', inputs: { sentence: "I'm home." } },
      none: { kind: 'attention', session: 'none' },
    },
  });
  const one = await lesson.block('attention');
  await expect(map(one).getByRole('grid')).toBeVisible();
  await expect(one.getByRole('radio')).toHaveCount(0);
  await expect(one.locator('.head')).toHaveCount(0);
  const none = await lesson.block('attention', 1);
  await expect(none).toContainText('This model has no attention weights.');
});

const LARGE: OwnBlocks = {
  sessions: { it: { model: 'kernel-regression', config: { n: 60 } } },
  blocks: { map: { kind: 'heatmap', session: 'it', step: 'fixed.weights' } },
};

test('the table of a large map is walked by arrow keys, from page to page', async ({
  lesson,
  page,
}) => {
  await lesson.openWith(LARGE);
  const block = await lesson.block('heatmap');
  await block.getByText('Table of numbers').click();
  const table = block.getByRole('grid');
  await expect(table).toHaveAttribute('aria-rowcount', '51');
  await table.locator('[data-cell="0,39"]').focus();
  await page.keyboard.press('ArrowRight');
  await expect(table.locator('[data-cell="0,40"]')).toBeFocused();
  await page.keyboard.press('End');
  await expect(table.locator('[data-cell="0,59"]')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(table.locator('[data-cell="1,59"]')).toBeFocused();
  const value = number((await page.locator(':focus').textContent())!);
  await page.keyboard.press('Enter');
  await opens(block, value);
  await page.keyboard.press('ArrowRight');
  await expect(table.locator('[data-sum="1"]')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  await expect(table.locator('[data-cell="0,59"]')).toBeFocused();
  await expect(table.getByRole('rowheader').first()).toBeVisible();
  await table.getByRole('button', { name: /Σ/ }).first().click();
  await opens(block, 1, 5);
});

test('value and place are told under the pointer and under the focus of the keys', async ({
  lesson,
  page,
}) => {
  await lesson.openWith(LARGE);
  const block = await lesson.block('heatmap');
  const canvas = block.getByRole('application');
  await canvas.hover({ position: { x: 120, y: 100 } });
  await expect(block.locator('.readout')).toHaveText(/^[\d.]+ × [\d.]+ [\d.e−]+$/);
  await page.mouse.move(0, 0);
  await expect(block.locator('.readout')).toHaveText('');
  await block.locator('.sizes button').last().focus(); // the first one is off: the map is as small as it gets
  await page.keyboard.press('Shift+Tab');
  await expect(canvas).toBeFocused();
  await expect(block.locator('.readout')).toHaveText(/^0 × /);
  await page.keyboard.press('PageDown');
  await expect(block.locator('.readout')).toHaveText(/^4\.9 × /);
  await expect(block.locator('.below .sum')).toContainText('Row 4.9 sums to 1.000');
});

apart.describe('by touch', () => {
  apart.use({ hasTouch: true });
  apart('a tap points and stays, and opens the cell', async ({ lesson }) => {
    await lesson.openWith(LARGE);
    const block = await lesson.block('heatmap');
    await block.getByRole('application').tap({ position: { x: 120, y: 100 } });
    await expect(block.locator('.readout')).toHaveText(/ × /);
    await expect(block.locator('.working')).toBeVisible();
  });
});

test('a map is kept as PNG and SVG, as the numbers shown, and as the whole tensor', async ({
  lesson,
  page,
}) => {
  await lesson.openWith(forced);
  const block = await lesson.block('attention');
  const shown = await read(map(block).getByRole('grid'));
  const png = await saved(page, map(block), 'Picture (PNG)');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBeGreaterThan(800); // wide: twice the picture's own pixels
  const svg = (await saved(page, map(block), 'Vector picture (SVG)')).toString();
  expect(svg).toContain('>decoder self-attention, layer 1 · head 1</text>');
  for (const word of ['&lt;bos&gt;', 'suis', 'masked', 'Σ 1.000'])
    expect(svg).toContain(`>${word}</text>`);
  const csv = (await saved(page, map(block), 'Numbers shown (CSV)')).toString();
  const rows = csv.split('\r\n').slice(1, -1);
  rows.forEach((row, i) =>
    row
      .split(',')
      .slice(1, -1)
      .forEach((value, j) => expect(Number(value)).toBeCloseTo(shown[i]![j]!, 6)),
  );
  const tensor = (await saved(page, map(block), 'Whole tensor (CSV)')).toString().split('\r\n');
  expect(tensor[0]).toBe('\ufeffbatch,head,query,query.label,key,key.label,value');
  expect(tensor).toHaveLength(4 * 6 * 6 + 2);
});

test('the menu of ways to keep a map is worked by keys', async ({ lesson, page }) => {
  await lesson.openWith(attention());
  const block = await lesson.block('attention');
  const button = map(block).getByRole('button', { name: 'Save' });
  await button.focus();
  await page.keyboard.press('ArrowDown');
  await expect(block.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(block.getByRole('menuitem').last()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await expect(block.getByRole('menu')).toHaveCount(0);
});
