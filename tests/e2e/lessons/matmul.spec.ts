import type { Locator, Page } from '@playwright/test';
import { cells, expect, test, type Lesson } from '../lab';

const SLUG = 'matmul';

async function block(page: Page, id: string): Promise<Locator> {
  const found = page.locator(`[data-block="${id}"]`);
  await found.scrollIntoViewIfNeeded();
  await expect(found).toHaveAttribute('data-alive', 'true');
  return found;
}

async function open(lesson: Lesson, id: string, rest = ''): Promise<Locator> {
  await lesson.open(SLUG, 'en', rest);
  return block(lesson.page, id);
}

const valuesOf = (found: Locator): Promise<number[]> =>
  found.evaluateAll((all) =>
    all.map((each) => Number((each as HTMLElement).dataset['value']!.replaceAll('−', '-'))),
  );

/** All numbers of a table, row by row. */
async function numbers(table: Locator): Promise<number[]> {
  await expect(table.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(table.locator('[data-value]').first()).toBeVisible();
  return valuesOf(table.locator('[data-value]'));
}

/** Measures to the end. How long it takes and what it finds is the machine's affair; that it ends is ours. */
async function measured(found: Locator): Promise<void> {
  await found.getByRole('button', { name: /^Measure/ }).click();
  await expect(found.locator('[data-phase]')).toHaveAttribute('data-phase', 'done', {
    timeout: 100_000,
  });
}

const figures = (found: Locator, way: number): Locator =>
  found.locator(`tr[data-way="${way}"] [data-value]`);

test('a product has m·n·k multiply-adds, counted by the engine', async ({ lesson }) => {
  const table = await open(lesson, 'counted');
  expect(await numbers(table)).toEqual([10 * 8 * 16]);
  await lesson.open(SLUG, 'en', '#m=64&n=128&k=32');
  await lesson.page.reload();
  const other = await block(lesson.page, 'counted');
  expect(await numbers(other)).toEqual([64 * 128 * 32]);
  await expect(other).toContainText('64 × 32');
});

test('one head: scores and weighted sums take 2 · 10 · 8 · 16 multiply-adds', async ({
  lesson,
}) => {
  const question = await open(lesson, 'count');
  const field = question.getByRole('textbox');
  await field.fill('1280'); // the scores alone
  await field.press('Enter');
  await expect(question.locator('.right')).toHaveCount(0);
  await field.fill('2560');
  await field.press('Enter');
  await expect(question).toContainText('2560');
});

test('a number of a product opens into a row of A and a column of B', async ({ lesson }) => {
  const map = await open(lesson, 'small');
  const product = await cells(map);
  expect(product.map((row) => row.length)).toEqual([5, 5, 5]);
  await map.locator('[role=gridcell]').first().click();
  await expect(map.locator('.working')).toBeVisible();
  expect(Number(await map.locator('.working').getAttribute('data-stored'))).toBeCloseTo(
    product[0]![0]!,
    2,
  );
});

test('16,777,216 and seven ones: in order nothing is added, in four lanes six', async ({
  lesson,
}) => {
  const table = await open(lesson, 'order');
  expect(await numbers(table)).toEqual([16_777_216, 16_777_222]);
  await table.locator('[data-value]').first().click();
  await expect(table.locator('.working')).toContainText('16777223');
});

test('plain SIMD adds in the order of the loops: no difference anywhere', async ({ lesson }) => {
  const found = await open(lesson, 'digits', '?engine=simd');
  const values = (await cells(found.locator('[data-side=difference]'))).flat();
  expect(values).toHaveLength(6 * 8);
  expect(values.every((value) => value === 0)).toBe(true);
  await expect(found).toContainText('The same in every cell, to the last bit.');
});

test('scores and projections are level where the sentence is as long as a word is wide', async ({
  lesson,
}) => {
  const table = await open(lesson, 'twice');
  expect(await numbers(table)).toEqual([64 ** 3, 64 ** 3]);
  await lesson.open(SLUG, 'en', '#words=128');
  await lesson.page.reload();
  const twice = await block(lesson.page, 'twice');
  expect(await numbers(twice)).toEqual([2 * 64 ** 3, 4 * 64 ** 3]);
});

test('the same product by three programs, measured, in workers that are ended', async ({
  lesson,
  page,
}) => {
  const found = await open(lesson, 'race');
  const before = page.workers().length;
  await measured(found);
  for (const way of [0, 1, 2]) {
    const values = await valuesOf(figures(found, way));
    expect(values).toHaveLength(3);
    expect(values.slice(0, 2).every((value) => Number.isFinite(value) && value > 0)).toBe(true);
  }
  await expect.poll(() => page.workers().length).toBe(before);
});

test('every way arrives at the values of the loops but for rounding', async ({ lesson }) => {
  const found = await open(lesson, 'race');
  await measured(found);
  const apart = await valuesOf(found.locator('[data-metric=largest_difference]'));
  expect(apart).toHaveLength(3);
  expect(apart.slice(0, 2)).toEqual([0, 0]); // plain SIMD adds in the order of the loops
  expect(apart[2]).toBeLessThan(192 * 2 ** -22 * 16); // each of 192 steps rounds by half a unit at the most; sums stay below 128
});

test('the curve is measured by keyboard alone, stopped, and begun again', async ({
  lesson,
  page,
}) => {
  const found = await open(lesson, 'heads');
  const start = found.getByRole('button', { name: 'Measure', exact: true });
  await start.focus();
  await page.keyboard.press('Enter');
  await expect(found.locator('[data-phase]')).toHaveAttribute('data-phase', 'running');
  await expect(found.locator('tr[data-way="1"]')).toHaveAttribute('data-measured', 'true');
  await found.getByRole('button', { name: 'Stop' }).focus();
  await page.keyboard.press('Enter');
  await expect(found.locator('[data-phase]')).toHaveAttribute('data-phase', 'done');
  await found.getByRole('button', { name: 'Measure again' }).focus();
  await page.keyboard.press('Enter');
  await expect(found.locator('[data-phase]')).toHaveAttribute('data-phase', 'done', {
    timeout: 100_000,
  });
  const axis = found.getByRole('slider');
  await axis.focus();
  await page.keyboard.press('End');
  await expect(axis).toHaveAttribute(
    'aria-valuetext',
    /products in a batch: 512 · three plain loops/,
  );
  await page.keyboard.press('ArrowLeft');
  await expect(axis).toHaveAttribute('aria-valuetext', /products in a batch: 256/);
});

test('without WebGPU the page says so in a word, and the others are measured', async ({
  lesson,
}) => {
  const found = await open(lesson, 'all');
  await measured(found);
  const gpu = found.locator('tr[data-way="3"]');
  await expect(gpu).toHaveAttribute('data-measured', 'false');
  await expect(gpu).toContainText('no WebGPU here');
  for (const way of [0, 1, 2]) expect((await valuesOf(figures(found, way))).length).toBe(4);
});

test('what was measured is copied with its settings, in full', async ({
  lesson,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const found = await open(lesson, 'race');
  await measured(found);
  await found.getByRole('button', { name: 'Copy as CSV' }).click();
  await expect(found).toContainText('copied');
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\r\n');
  expect(lines).toHaveLength(4);
  const head = lines[0]!.split(',');
  expect(head.slice(0, 2)).toEqual(['way', 'engine']);
  for (const name of ['path', 'm', 'n', 'k', 'gflops', 'ms', 'multiply_adds'])
    expect(head).toContain(name);
  const row = lines[1]!.split(',');
  expect(row[head.indexOf('path')]).toBe('reference');
  expect(row[head.indexOf('multiply_adds')]).toBe(String(192 ** 3));
});

test('another batch: what was measured is measured anew', async ({ lesson, page }) => {
  const found = await open(lesson, 'race');
  await expect(found.locator('[data-phase]')).toHaveAttribute('data-phase', 'idle');
  const all = await block(page, 'all');
  const knob = (await block(page, 'batch')).getByRole('slider');
  await knob.focus();
  await page.keyboard.press('ArrowRight');
  await expect(all.locator('[data-phase]')).toHaveAttribute('data-phase', 'idle'); // nothing was, so nothing begins
  await all.getByRole('button', { name: 'Measure', exact: true }).click();
  await expect(all.locator('tr[data-way="1"]')).toHaveAttribute('data-measured', /./);
  await knob.focus();
  await page.keyboard.press('ArrowRight');
  await expect(all.locator('[data-phase]')).toHaveAttribute('data-phase', /waiting|running/);
});

test('360 px: nothing sticks out of the page', async ({ lesson, page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  const found = await open(lesson, 'race');
  await measured(found);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(360);
});

test('the page tells which engine runs, and why not another', async ({ lesson, page }) => {
  const found = await open(lesson, 'engine');
  await expect(found.locator('[data-engine]')).toHaveAttribute('data-engine', 'relaxed');
  await expect(found.locator('li[aria-current]')).toContainText('runs here now');
  await expect(found.locator('li').last()).toContainText('no WebGPU here');
  await expect(found.locator('li').last().getByRole('link')).toHaveCount(0);
  await found.getByRole('link', { name: 'use this one' }).click();
  await expect(page).toHaveURL(/\?engine=simd/);
  const simd = await block(page, 'engine');
  await expect(simd.locator('[data-engine]')).toHaveAttribute('data-engine', 'simd');
  await expect(simd).toContainText('The address says engine=simd');
  await simd.getByRole('link', { name: 'let the page choose' }).click();
  await expect(page).not.toHaveURL(/engine=/);
});

test('whole numbers give the same sums in any order, whichever engine adds', async ({ lesson }) => {
  const found = await open(lesson, 'digits', '#numbers=whole');
  await expect(found).toContainText('The same in every cell, to the last bit.');
});
