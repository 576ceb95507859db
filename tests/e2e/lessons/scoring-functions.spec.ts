import type { Locator, Page } from '@playwright/test';
import { answerByKeyboard, expect, number, tabTo, test, type Lesson } from '../lab';

const SLUG = 'scoring-functions';

/** A block of the lesson by its name, alive. */
async function block(page: Page, id: string): Promise<Locator> {
  const found = page.locator(`[data-block="${id}"]`);
  await found.scrollIntoViewIfNeeded();
  await expect(found).toHaveAttribute('data-alive', 'true');
  return found;
}

async function open(lesson: Lesson, rest = ''): Promise<void> {
  await lesson.open(SLUG, 'en', rest);
}

const valuesOf = (found: Locator): Promise<number[]> =>
  found.evaluateAll((all) =>
    all.map((each) => Number((each as HTMLElement).dataset['value']!.replaceAll('−', '-'))),
  );

/** The numbers of one cell of a table. */
async function cell(table: Locator, row: number, col: number): Promise<number[]> {
  const found = table.locator(`[data-cell="${row},${col}"] [data-value]`);
  await expect(found.first()).toBeVisible();
  return valuesOf(found);
}

/** A map of a `lengths` block, row by row. */
async function rows(found: Locator, step: string): Promise<number[][]> {
  const map = found.locator(`[data-step="${step}"]`);
  await expect(map).toBeVisible();
  const all = await map.locator('.row').all();
  return Promise.all(all.map((row) => valuesOf(row.locator('[data-value]'))));
}

function near(found: number[], wanted: number[], digits = 4): void {
  expect(found.length).toBe(wanted.length);
  wanted.forEach((value, i) => expect(found[i]).toBeCloseTo(value, digits));
}

/** The table below a plot: the last column numbers of each row. */
async function plotted(found: Locator): Promise<number[][]> {
  await expect(found.locator('tbody tr').nth(9)).toBeAttached();
  await found.locator('summary').click();
  const lines = await found.locator('tbody tr').all();
  return Promise.all(
    lines.map(async (line) => (await line.locator('th, td').allTextContents()).map(number)),
  );
}

const stored = (found: Locator): Promise<number> =>
  found.locator('.working').getAttribute('data-stored').then(Number);

async function goTo(stage: Locator, step: string): Promise<void> {
  await stage.locator(`.chip[title="${step}"]`).click();
  await expect(stage.locator('.chip[aria-current=step]')).toHaveAttribute('title', step);
}

test('SC-1: scores, exponentials, weights and sum of one query; what is typed over a score changes what follows', async ({
  lesson,
  page,
}) => {
  // Scores ln 3 and 0 make weights 3/4 and 1/4; the values 0 … 3 and 4 … 7 then average to 1 … 4.
  const edits = 'dot.scores:0,0,0=1.0986122886681098;dot.scores:0,0,1=0';
  await open(lesson, `#walk.edits=${encodeURIComponent(edits)}&walk.cell=0,0,0`);
  const stage = await block(page, 'walk');
  await expect(stage.locator('.working')).toContainText('e1.099');
  await expect.poll(() => stored(stage)).toBeCloseTo(0.75, 6);
  await goTo(stage, 'dot.context');
  // The last of them is for the learner to say: 3/4 · 3 + 1/4 · 7.
  await expect(stage.locator('[data-at="0,3"]')).toHaveText('?');
  await stage.locator('.hiding input').fill('4.0');
  await stage.locator('.hiding input').press('Enter');
  await expect(stage.locator('.hiding .reply')).toContainText('Right.');
  for (const [value, wanted] of [1, 2, 3, 4].entries()) {
    await stage.locator(`[data-at="0,${value}"]`).click();
    await expect.poll(() => stored(stage)).toBeCloseTo(wanted, 5);
  }
  // By keyboard: another value in place of the first, and the sum follows: 3/4 · 8 + 1/4 · 4.
  await goTo(stage, 'values');
  await stage.locator('[data-at="0,0"]').click();
  const field = stage.getByRole('textbox').first();
  await field.fill('8');
  await field.press('Enter');
  await goTo(stage, 'dot.context');
  await stage.locator('[data-at="0,0"]').click();
  await expect.poll(() => stored(stage)).toBeCloseTo(7, 5);
});

test('SC-2: a masked key has weight 0 and the others the published ones, with a length of 0 or far scores too', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const one = await block(page, 'one');
  const weights = async (): Promise<number[]> => (await rows(one, 'one.weights'))[0]!;
  near(await weights(), [0.09, 0.2447, 0.6652, 0]);
  expect((await weights())[3]).toBe(0);
  await expect(one.locator('[data-step="one.weights"] .sum')).toHaveText('Σ 1.000');
  const handle = one.getByRole('slider');
  await handle.press('ArrowRight');
  await expect.poll(weights).toHaveLength(4);
  await expect.poll(async () => (await weights())[3]).toBeCloseTo(0.6439, 4);
  await handle.press('Home');
  await expect.poll(weights).toEqual([0, 0, 0, 0]);

  const nobody = await block(page, 'nobody');
  expect((await rows(nobody, 'one.weights'))[0]).toEqual([0, 0, 0, 0]);
  expect((await rows(nobody, 'one.book_weights'))[0]).toEqual([0.25, 0.25, 0.25, 0.25]);
  const far = await block(page, 'far');
  expect([await cell(far, 1, 0), await cell(far, 1, 1)]).toEqual([[1], [0]]);
  expect([await cell(far, 2, 0), await cell(far, 2, 1)]).toEqual([[0], [1]]);

  const question = await block(page, 'two');
  const field = question.getByRole('textbox');
  await field.fill('0.269'); // the weight of the other key
  await field.press('Enter');
  await expect(question.locator('.reply')).toContainText('It is the number at');
  await field.fill('0.731');
  await field.press('Enter');
  await expect(question.locator('.reply')).toContainText('Right.');
});

test('SC-3, SC-4: valid lengths an example and a query, dragged and by keyboard; hidden cells are exactly 0', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const examples = await block(page, 'examples');
  const zeros = (map: number[][]): number[] => map.map((row) => row.findIndex((x) => x === 0));
  const one = await rows(examples, 'examples.weights');
  expect(zeros(one)).toEqual([2, 2, 3, 3]); // lengths 2 and 3
  for (const row of one) expect(row.reduce((all, x) => all + x, 0)).toBeCloseTo(1, 6);

  const handle = examples.getByRole('slider').first();
  const keys = await examples.locator('.keys').first().boundingBox();
  const at = await handle.boundingBox();
  await page.mouse.move(at!.x + at!.width / 2, at!.y + at!.height / 2);
  await page.mouse.down();
  await page.mouse.move(keys!.x + keys!.width * 0.26, at!.y + at!.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(handle).toHaveAttribute('aria-valuenow', '1');
  await expect
    .poll(async () => (await rows(examples, 'examples.weights')).slice(0, 2))
    .toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ]);
  await expect(page).toHaveURL(/examples\.lengths=1(%2C|,)3/);

  const queries = await block(page, 'queries');
  const two = await rows(queries, 'queries.weights');
  expect(two[0]).toEqual([1, 0, 0, 0]);
  expect(zeros(two)).toEqual([1, 3, 2, -1]); // lengths 1, 3, 2, 4
  await queries.getByRole('slider').nth(3).press('ArrowLeft');
  await expect
    .poll(async () => zeros(await rows(queries, 'queries.weights')))
    .toEqual([1, 3, 2, 3]);
});

test('SC-5, SC-7, SC-10: 20 and 2 go into additive scoring, the dot product says why not; equal keys give the published result', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const table = await block(page, 'sizes');
  near(await cell(table, 0, 0), [2, 3, 4, 5]);
  near(await cell(table, 0, 1), [10, 11, 12, 13]);
  expect(await cell(table, 0, 2)).toEqual([8 * (20 + 2 + 1)]);
  await expect(table.locator('[data-cell="1,0"]')).toContainText('refused');
  await expect(table.locator('.reason').first()).toContainText(
    'A query has 20 numbers, a key 2: each number needs its partner',
  );

  const knobs = await block(page, 'size-knobs');
  const size = knobs.locator('[data-state="query_size"] input').last();
  await size.fill('2');
  await size.press('Enter');
  await expect(table.locator('.reason')).toHaveCount(0);
  for (const row of [0, 1, 2, 3]) {
    near(await cell(table, row, 0), [2, 3, 4, 5]);
    near(await cell(table, row, 1), [10, 11, 12, 13]);
  }
  expect(await cell(table, 0, 2)).toEqual([8 * (2 + 2 + 1)]);
  expect(await cell(table, 1, 2)).toEqual([0]); // the dot product has none
  const matrix = await table.locator('[data-cell="0,0"]').innerHTML();
  const seed = knobs.locator('[data-state="seed"] input');
  await seed.fill('7');
  await seed.press('Enter');
  await expect(page).toHaveURL(/seed=7/);
  near(await cell(table, 0, 0), [2, 3, 4, 5]);
  expect(matrix).toContain('data-value');

  const toy = await block(page, 'toy');
  for (const step of ['additive.weights', 'dot.weights']) {
    const map = await rows(toy, step);
    near(map[0]!, [...Array<number>(2).fill(1 / 2), ...Array<number>(8).fill(0)], 6);
    near(map[1]!, [...Array<number>(6).fill(1 / 6), ...Array<number>(4).fill(0)], 6);
  }
  const changed = await block(page, 'one-key');
  for (const row of [0, 1]) {
    near(await cell(changed, row, 0), [2, 3, 4, 5]);
    const [first] = await cell(changed, row, 1);
    expect(Math.abs(first! - 2)).toBeGreaterThan(1e-3);
  }
});

test('SC-6, Q8, Q9: queries and keys are stretched to meet each other; adding equals joining, key with query', async ({
  lesson,
  page,
}) => {
  await open(lesson, '#broadcast.stage=0');
  const picture = await block(page, 'broadcast');
  const shape = (step: string): Promise<string> =>
    picture
      .locator(`[data-shape="additive.${step}"] dd`)
      .innerText()
      .then((text) => text.replace(/[^\d×]/g, ''));
  expect(await shape('query_projected')).toBe('2×3×1×8');
  expect(await shape('keys_projected')).toBe('2×1×10×8');
  await picture.getByRole('button', { name: 'stretch the rows' }).click();
  expect(await shape('query_projected')).toBe('2×3×10×8');
  const copies = await picture.locator('.copy.q').allTextContents();
  expect(copies.slice(0, 4)).toEqual(Array<string>(4).fill(copies[0]!));
  await picture.getByRole('button', { name: 'stretch the columns' }).click();
  expect(await shape('keys_projected')).toBe('2×3×10×8');
  await picture.getByRole('button', { name: 'join' }).click();
  expect(await shape('features')).toBe('2×3×10×8');
  const [queries, keys] = await Promise.all([
    valuesOf(picture.locator('[data-whose=rows]')),
    valuesOf(picture.locator('[data-whose=cols]')),
  ]);
  const both = await valuesOf(picture.locator('[data-whose=both]'));
  expect(both.length).toBe(12);
  queries.forEach((q, row) =>
    keys.forEach((k, col) =>
      expect(both[row * keys.length + col]).toBeCloseTo(Math.tanh(q + k), 6),
    ),
  );
  await picture.locator('[data-whose=both]').nth(5).click();
  await expect(picture.locator('.working')).toContainText('tanh');

  const question = await block(page, 'shape');
  await question.getByRole('textbox').fill('2 x 3 x 8');
  await question.getByRole('textbox').press('Enter');
  await expect(question.locator('.reply')).toBeVisible();
  await question.getByRole('textbox').fill('2 x 3 x 10');
  await question.getByRole('textbox').press('Enter');
  await expect(question.locator('.reply')).toContainText('Right');

  const joined = await block(page, 'joined');
  for (const seed of ['0', '3']) {
    const field = (await block(page, 'seed')).getByRole('textbox');
    const [before] = await cell(joined, 2, 0);
    const same = (await field.inputValue()) === seed;
    await field.fill(seed);
    await field.press('Enter');
    if (!same) await expect.poll(async () => (await cell(joined, 2, 0))[0]).not.toBe(before);
    await expect(async () => {
      const [added] = await cell(joined, 2, 0);
      const [other] = await cell(joined, 2, 1);
      expect(Math.abs(added! - other!)).toBeLessThan(1e-6);
      expect((await cell(joined, 3, 0))[0]).toBeLessThan(1e-6);
      near(await cell(joined, 1, 0), await cell(joined, 1, 1), 6);
    }).toPass();
  }
});

test('SC-8, Q13: the variance of a dot product is d, of the scaled one 1; entropy and gradient die without the root', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const variance = await plotted(await block(page, 'variance'));
  expect(variance.map(([d]) => d)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
  for (const [d, scaled, raw] of variance) {
    expect(Math.abs(raw! / d! - 1)).toBeLessThan(0.1);
    expect(Math.abs(scaled! - 1)).toBeLessThan(0.1);
  }
  const entropy = await plotted(await block(page, 'entropy'));
  for (const [, scaled, raw] of entropy.slice(5)) {
    expect(scaled).toBeGreaterThan(1.85);
    expect(raw).toBeLessThan(0.6);
  }
  const gradient = await plotted(await block(page, 'gradient'));
  expect(gradient.at(-1)![1]).toBeGreaterThan(0.3);
  expect(gradient.at(-1)![2]).toBeLessThan(0.08);

  // One step by hand: the first dot product of d = 16, divided by 4.
  const question = await block(page, 'divide');
  const raw = await question.locator('.heatmap [data-at="4,0"]').getAttribute('aria-label');
  const field = question.getByRole('textbox');
  const product = number(raw!.split(' ').at(-1)!);
  await field.fill(product.toFixed(3)); // not yet divided
  await field.press('Enter');
  await expect(question.locator('.reply')).toContainText('dot products q·k[16, 0]');
  await field.fill((product / 4).toFixed(3));
  await field.press('Enter');
  await expect(question.locator('.reply')).toContainText('Right.');
});

test('SC-9: the matrix product gives what loops over queries and keys give', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const table = await block(page, 'loop');
  for (const row of [0, 1, 2]) near(await cell(table, row, 0), await cell(table, row, 1), 6);
  expect((await cell(table, 3, 0))[0]).toBeLessThan(1e-5);
});

test('SC-11: the table compares both scorers, with times measured now and multiply-adds counted', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const table = await block(page, 'costs');
  const n = 32; // queries, keys, numbers in each, hidden units
  expect(await cell(table, 1, 0)).toEqual([n * (2 * n + 1)]);
  expect(await cell(table, 1, 1)).toEqual([0]);
  expect(await cell(table, 2, 0)).toEqual([n * n * (n + n) + n * n * n + n * n * n]);
  expect(await cell(table, 2, 1)).toEqual([2 * n * n * n]);
  for (const col of [0, 1]) expect((await cell(table, 3, col))[0]).toBeGreaterThan(0);
  await expect(table.locator('td.words')).toHaveCount(4);
  const many = (await block(page, 'cost-knobs')).getByRole('slider', { name: 'how many queries' });
  await many.press('ArrowRight');
  await expect(page).toHaveURL(/many=64/);
  await expect.poll(async () => (await cell(table, 2, 1))[0]).toBe(2 * 64 * 64 * n);
  await many.press('ArrowLeft');
  await table.getByRole('button', { name: 'measure again' }).click();
  await expect(table.getByRole('button', { name: 'measure again' })).toBeEnabled();
  expect((await cell(table, 3, 0))[0]).toBeGreaterThan(0);
});

test('Q10: zeros behind a short key silence the rest of the query; a matrix in between does not', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const table = await block(page, 'padded');
  for (const col of [0, 1]) {
    expect(await cell(table, 1, col)).toEqual(await cell(table, 0, col));
    const [before] = await cell(table, 2, col);
    const [after] = await cell(table, 3, col);
    expect(Math.abs(after! - before!)).toBeGreaterThan(1e-2);
  }
});

test('Q11: with a sum as the score the weights are the same for every query', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const texts = async (id: string): Promise<string[][]> => {
    const found = await block(page, id);
    await expect(found.locator('[data-at="3,0"]')).toBeVisible();
    const lines = await found.locator('tbody tr').all();
    return Promise.all(lines.map((line) => line.locator('[data-at]').allTextContents()));
  };
  const [first, ...others] = await texts('sum-four');
  for (const row of others) expect(row).toEqual(first);
  const dot = await texts('dot-four');
  expect(dot[1]).not.toEqual(dot[0]);
});

test('Q12: both scorers learn one task; their scores come to agree in part', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const train = await block(page, 'train');
  const table = await block(page, 'agree');
  expect((await cell(table, 0, 0))[0]).toBeLessThan(0.35); // six keys, untrained
  expect((await cell(table, 3, 0))[0]).toBeLessThan(0.4);
  await train.scrollIntoViewIfNeeded();
  await train.locator('.control.main').click();
  await expect(train.locator('[data-epoch="40"]')).toBeVisible({ timeout: 40_000 });
  // The native test of the lab trains the same task from the same seed.
  await expect.poll(async () => (await cell(table, 0, 0))[0]).toBeGreaterThan(0.8);
  expect((await cell(table, 0, 1))[0]).toBeGreaterThan(0.55);
  expect((await cell(table, 3, 0))[0]).toBeGreaterThan(0.6);
  expect((await cell(table, 2, 0))[0]).toBeGreaterThan(0.6);
});

test('every exercise works by keyboard alone', async ({ lesson, page }) => {
  await open(lesson);
  const one = await block(page, 'one');
  await tabTo(page, one, one.getByRole('slider'));
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await rows(one, 'one.weights'))[0]!.slice(2)).toEqual([0, 0]);
  await answerByKeyboard(page, await block(page, 'two'), ['0.5', '0.731']);
  await answerByKeyboard(page, await block(page, 'shape'), ['2 x 10 x 3', '2 x 3 x 10']);
  const question = await block(page, 'divide');
  const raw = await question.locator('.heatmap [data-at="4,0"]').getAttribute('aria-label');
  const product = number(raw!.split(' ').at(-1)!);
  const answers: [string, string] = [(product / 16).toFixed(3), (product / 4).toFixed(3)];
  await answerByKeyboard(page, question, answers);

  const table = await block(page, 'one-key');
  await tabTo(page, table, table.locator('[data-cell="0,1"] button').first());
  await page.keyboard.press('Enter');
  await expect(table.locator('.working')).toBeVisible();
});
