import type { Locator, Page } from '@playwright/test';
import { complaints, expect, LANGS, number, sidewaysRoom, test } from './lab';

const side = (block: Locator, which: 'a' | 'b' | 'difference'): Locator =>
  block.locator(`[data-side=${which}]`);
const cell = (block: Locator, which: 'a' | 'b' | 'difference', at: string): Locator =>
  side(block, which).locator(`[data-at="${at}"]`);
const told = async (at: Locator): Promise<number> =>
  number(((await at.getAttribute('aria-label')) ?? '').split(' ').at(-1)!);

test('two runs of one model, on one scale, and their difference cell by cell', async ({
  lesson,
}) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('compare');
  await expect(side(block, 'difference').getByRole('grid')).toBeVisible();
  await expect(side(block, 'a').getByRole('heading')).toHaveText('padding read');
  await expect(side(block, 'difference').getByRole('heading')).toHaveText(
    'padding read minus padding not read',
  );
  for (const at of ['0,0', '1,2', '3,1']) {
    const [a, b, d] = await Promise.all([
      told(cell(block, 'a', at)),
      told(cell(block, 'b', at)),
      told(cell(block, 'difference', at)),
    ]);
    expect(Math.abs(a - b - d)).toBeLessThan(1e-6);
  }
  await expect(block).toContainText('key: 10 here and 4 there; the difference covers the first 4');
  const scales = await block.locator('.scale').allTextContents();
  expect(scales[0]).toBe(scales[1]);
});

test('pointing at a cell in one map marks it in all three and tells the three numbers', async ({
  lesson,
}) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('compare');
  await cell(block, 'b', '1,1').hover();
  await expect(cell(block, 'a', '1,1')).toHaveClass(/lit/);
  await expect(cell(block, 'difference', '1,1')).toHaveClass(/lit/);
  await expect(cell(block, 'b', '1,1')).not.toHaveClass(/lit/);
  const readout = block.locator('.card > .part > .readout');
  await expect(readout.locator('b')).toHaveCount(3);
  const [a, b, d] = (await readout.locator('b').allTextContents()).map(number);
  expect(Math.abs(a! - b! - d!)).toBeLessThan(1e-6);
});

test('a difference opens into its two numbers, each in its own run, and the link says so', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('compare');
  await cell(block, 'difference', '0,1').click();
  const working = block.locator('.working');
  await expect(working.locator('.operand')).toHaveCount(2);
  const off = Number(await working.getAttribute('data-stored'));
  expect(Math.abs(off - (await told(cell(block, 'difference', '0,1'))))).toBeLessThan(1e-6);
  const other = await told(cell(block, 'b', '0,1'));
  await working.locator('.operand').nth(1).click();
  await expect
    .poll(async () => Math.abs(Number(await working.getAttribute('data-stored')) - other))
    .toBeLessThan(1e-6);
  await expect(working.locator('.operand').first()).toBeVisible(); // and its own sum is open
  await block.locator('nav button').first().click();
  await expect(working).toHaveAttribute('data-stored', String(off));
  await expect(page).toHaveURL(/padding\.cell=0,0,0,1/);
  await page.reload();
  const again = await lesson.block('compare');
  await expect(again.locator('.working')).toHaveAttribute('data-stored', String(off));
});

test('the sum of a row opens in its own run', async ({ lesson }) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('compare');
  await side(block, 'b').getByText('Σ 1.000').first().click();
  const working = block.locator('.working');
  await expect(working.locator('.operand')).toHaveCount(4);
  expect(Number(await working.getAttribute('data-stored'))).toBeCloseTo(1, 5);
  const first = await told(cell(block, 'b', '0,0'));
  await working.locator('.operand').first().click();
  await expect
    .poll(async () => Math.abs(Number(await working.getAttribute('data-stored')) - first))
    .toBeLessThan(1e-6);
});

test('steps are walked in both runs; the other knob of a lesson changes one of them', async ({
  lesson,
}) => {
  await lesson.open('kernel-regression');
  const controls = await lesson.block('controls');
  const block = await lesson.block('compare');
  await expect(side(block, 'difference').getByRole('application')).toBeVisible();
  const farthest = side(block, 'difference').locator('p[role=status]');
  await expect(farthest).toContainText('Farthest apart');
  const slider = controls.getByRole('slider');
  await slider.focus();
  for (let i = 0; i < 2; i++) await slider.press('ArrowRight'); // 0.25, 0.5, 1
  await expect(controls.getByRole('textbox', { name: 'width' })).toHaveValue('1');
  await expect(farthest).toHaveText('The same in every cell, to the last bit.');
  await block.getByRole('button', { name: 'Next step' }).click();
  await expect(block.getByRole('combobox').first()).toHaveValue('kernel.prediction');
});

test('a knob: limits are the engine’s, nonsense is told, and everything goes back to the start', async ({
  lesson,
  page,
}) => {
  await lesson.open('kernel-regression');
  const controls = await lesson.block('controls');
  const width = controls.getByRole('textbox', { name: 'width' });
  await width.fill('1000');
  await width.press('Enter');
  await expect(controls.getByRole('alert')).toHaveText('At most 100.');
  await width.fill('wide');
  await width.press('Enter');
  await expect(controls.getByRole('alert')).toHaveText('A number is needed.');
  await width.fill('0.4');
  await width.press('Enter');
  await expect(controls.getByRole('alert')).toHaveCount(0);
  await expect(page).toHaveURL(/width=0\.4/);
  await controls.getByRole('radio', { name: 'boxcar' }).check();
  await expect(page).toHaveURL(/kernel=boxcar/);
  await page.goBack();
  await expect(controls.getByRole('radio', { name: 'Gaussian' })).toBeChecked();
  await controls.getByRole('button', { name: 'Back to the start values' }).click();
  await expect(width).toHaveValue('0.25');
  await expect(page).not.toHaveURL(/width/);
});

test('a link with a setting that the engine does not have is told, and opens all the same', async ({
  lesson,
  page,
}) => {
  await lesson.open('kernel-regression', 'en', '#kernel=purple');
  await lesson.block('controls');
  await expect(page.locator('.notice')).toContainText('kernel');
  const block = await lesson.block('compare');
  await expect(side(block, 'difference').getByRole('application')).toBeVisible();
});

interface Data {
  sessions: Record<string, unknown>;
  blocks: Record<string, Record<string, unknown>>;
}

/** The lesson as it is served, with something changed in its data. */
async function withLesson(page: Page, change: (lesson: Data) => void): Promise<void> {
  const data = /(<script type="application\/json" id="lesson">)([\s\S]*?)(<\/script>)/;
  await page.route(/\/en\/[a-z-]+\/$/, async (route) => {
    const html = await (await route.fetch()).text();
    const body = html.replace(data, (_, open: string, json: string, close: string) => {
      const lesson = JSON.parse(json) as Data;
      change(lesson);
      return open + JSON.stringify(lesson).replaceAll('<', '\\u003c') + close;
    });
    await route.fulfill({ body, contentType: 'text/html; charset=utf-8' });
  });
}

test('an edit on one side: only what follows from it differs', async ({ lesson, page }) => {
  await withLesson(page, ({ blocks }) => {
    blocks['padding'] = {
      kind: 'compare',
      session: 'trained',
      inputs: { sentence: "I'm home." },
      a: { edits: [{ step: 'decoder.scores', time: 0, cell: [0, 0, 0], value: 9 }] },
      b: {},
      want: ['decoder.query', 'decoder.scores', 'decoder.weights'],
      start: 'decoder.scores',
    };
  });
  await lesson.open('bahdanau');
  const block = await lesson.block('compare');
  await expect.poll(async () => told(cell(block, 'a', '0,0'))).toBe(9);
  expect(await told(cell(block, 'difference', '0,0'))).toBeGreaterThan(1);
  expect(await told(cell(block, 'difference', '0,1'))).toBe(0);
  await expect(side(block, 'a').getByRole('heading')).toHaveText('run A');
});

test('what has no twin is said: other sizes, other models', async ({ lesson, page }) => {
  await withLesson(page, ({ sessions, blocks }) => {
    sessions['fewer'] = { model: 'kernel-regression', config: { n: 40, seed: 5 } };
    blocks['narrower'] = {
      kind: 'compare',
      a: { session: 'curve' },
      b: { session: 'fewer', inputs: { kernel: 'boxcar' } },
      want: ['kernel.*', 'fixed.weights'],
      start: 'fixed.weights',
    };
  });
  await lesson.open('kernel-regression');
  const block = await lesson.block('compare');
  await expect(side(block, 'difference')).toContainText('The sizes differ');
  await expect(side(block, 'b').getByRole('application')).toBeVisible();
  await expect(side(block, 'b').getByRole('heading')).toHaveText('n = 40, kernel = boxcar');
});

for (const lang of LANGS)
  test(`on a phone nothing sticks out and axe finds nothing, ${lang}`, async ({ lesson, page }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await lesson.open('kernel-regression', lang);
    for (const kind of ['controls', 'compare']) await lesson.block(kind);
    await expect(page.locator('[data-kind=compare] [data-side=difference] .map')).toBeVisible();
    expect(await sidewaysRoom(page)).toBe(0);
    expect(await complaints(page, '[data-kind=controls]', '[data-kind=compare]')).toEqual([]);
  });
