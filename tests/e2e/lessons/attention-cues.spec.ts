// The rows of the chapter that the first lesson teaches. What is wanted is computed here from the numbers that the lesson
// names (saliency 0 and 2.5, values 1 3 2 5 4 0), never read from the page.

import type { Locator, Page } from '@playwright/test';
import {
  apart,
  cells,
  expect,
  headers,
  LANGS,
  number,
  sidewaysRoom,
  tabTo,
  test,
  type Lesson,
} from '../lab';

const SLUG = 'attention-cues';
const CUP = 2;
const BOOK = 4;

async function block(page: Page, id: string): Promise<Locator> {
  const found = page.locator(`[data-block=${id}]`);
  await found.scrollIntoViewIfNeeded();
  await expect(found).toHaveAttribute('data-alive', 'true');
  await expect(found.locator('[aria-busy=true]')).toHaveCount(0);
  return found;
}

function softmax(scores: number[]): number[] {
  const powers = scores.map(Math.exp);
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

const sum = (values: number[]): number => values.reduce((all, value) => all + value, 0);

/** How bright each thing on the desk is lit. */
const lights = (scene: Locator): Promise<number[]> =>
  scene
    .locator('.desk button')
    .evaluateAll((all) => all.map((each) => Number((each as HTMLElement).dataset['weight'])));

/** A column of bars, from the top. */
const column = (bars: Locator, n: number): Promise<number[]> =>
  bars
    .locator(`tbody td:nth-of-type(${n + 1}) [data-value]`)
    .evaluateAll((all) => all.map((each) => Number((each as HTMLElement).dataset['value'])));

function close(actual: number[], wanted: number[], within = 1e-6): void {
  expect(actual).toHaveLength(wanted.length);
  for (const [i, value] of actual.entries())
    expect(Math.abs(value - wanted[i]!)).toBeLessThanOrEqual(within);
}

const open = (lesson: Lesson, rest = ''): Promise<void> => lesson.open(SLUG, 'en', rest);

test('CUE-2: without a query the red cup has the largest weight; recolouring it makes all weights equal', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const desk = await block(page, 'desk');
  await expect(desk.locator('[data-weight]')).toHaveCount(0); // nothing is told before one has looked
  await desk.getByRole('button', { name: 'book', exact: true }).click();
  await expect(desk.locator('.reply')).toContainText('the largest, 0.753, is on “cup”.');
  close(await lights(desk), softmax([0, 0, 2.5, 0, 0]));
  await desk.getByRole('button', { name: /^cup/ }).click();
  await expect(desk.locator('.reply')).toContainText('it has the largest weight: 0.753.');

  await desk.getByRole('checkbox', { name: 'the cup is red' }).uncheck();
  await expect(desk.locator('.reply')).toContainText('nothing stands out');
  close(await lights(desk), [0.2, 0.2, 0.2, 0.2, 0.2]);
  await expect(page).toHaveURL(/red=false/);

  const asked = await block(page, 'grey');
  await asked.getByRole('textbox').fill('0.25');
  await asked.getByRole('textbox').press('Enter');
  await expect(asked.locator('.reply')).toContainText('Too large by 0.050.');
  await asked.getByRole('textbox').fill('0.2');
  await asked.getByRole('textbox').press('Enter');
  await expect(asked.locator('.reply')).toContainText('Right.');
});

test('CUE-1: a look of 1 is shared out by hand; what is over or left is told, and what softmax does otherwise', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const budget = await block(page, 'budget');
  const left = budget.locator('.left');
  await expect(left).toHaveText('All shared out.');
  const shares = budget.getByRole('slider');
  await shares.nth(BOOK).fill('0.75');
  await expect(left).toHaveText('That is 0.55 too much: there is only 1 to give.');
  for (const thing of [0, 1, CUP, 3]) await shares.nth(thing).fill('0');
  await expect(left).toHaveText('0.25 is still to be given away.');
  const field = budget.getByRole('textbox').nth(CUP);
  await field.fill('0,25'); // a comma is understood, too
  await field.press('Enter');
  await expect(left).toHaveText('All shared out.');

  const mine = [0, 0, 0.25, 0, 0.75];
  const theirs = softmax([0, 0, 2.5, 0, 0]);
  const elsewhere = sum(theirs.map((weight, i) => Math.abs(mine[i]! - weight))) / 2;
  const told = await budget.locator('[data-step="by_hand.elsewhere"] b').textContent();
  expect(number(told!)).toBeCloseTo(elsewhere, 6);

  await expect(page).toHaveURL(/budget\.edits=.*4%3D0\.75/);
  await page.reload();
  await expect((await block(page, 'budget')).getByRole('slider').nth(BOOK)).toHaveValue('0.75');
});

test('CUE-3: wanting to read moves the look to the book, and saliency stays; the numbers are shown', async ({
  lesson,
  page,
}) => {
  await open(lesson, '#wish=none');
  const scores = await block(page, 'scores');
  close(await column(scores, 0), [0, 0, 2.5, 0, 0]);
  close(await column(scores, 3), softmax([0, 0, 2.5, 0, 0]));
  const scene = await block(page, 'reading');
  await scene.getByRole('radio', { name: 'to read' }).check();
  await expect.poll(async () => (await lights(scene))[BOOK]).toBeGreaterThan(0.5);
  const wanted = softmax([2.4, 0.6, 2.5, 1.2, 6]);
  close(await lights(scene), wanted);
  close(await column(scores, 0), [0, 0, 2.5, 0, 0], 0);
  close(await column(scores, 3), wanted);
  await scores.getByRole('button', { name: /^book, score/ }).click(); // 0 + 6
  await expect(scores.locator('.working')).toHaveAttribute('data-stored', '6');

  // A weak wish loses to the red cup: the engine marks.
  const tug = await block(page, 'tug');
  await tug.getByRole('radio', { name: 'book' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(tug.locator('.reply')).toContainText('Not this one.');
  await expect(tug.locator('.reply')).toContainText('The largest of them was asked for.');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(tug.locator('.reply')).toHaveAttribute('data-right', 'true');
});

test('CUE-4: roles are sorted by hand or keyboard; a wrong place is explained, and nothing is blocked', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const sort = await block(page, 'roles');
  const reply = sort.locator('.reply');
  const item = (text: RegExp): Locator => sort.locator('.item', { hasText: text });

  await item(/I want to read/).focus(); // by keyboard alone
  await page.keyboard.press('2');
  await expect(reply).toContainText('A key says what there is to be found');
  await expect(reply).toContainText('But this one belongs to whoever is looking');
  await expect(item(/I want to read/)).toBeFocused();
  await page.keyboard.press('1');
  await expect(reply).toContainText('Right. A query says what is being looked for');

  await item(/loud red/).click(); // picked, then its place
  await sort.getByRole('button', { name: /^Key/ }).click();
  await expect(reply).toContainText('Right.');

  await item(/stands in the book/).dragTo(sort.locator('[data-bin=v]')); // dragged
  await expect(sort.locator('[data-bin=v] .item')).toContainText('✓ right');

  await item(/a book can be read/).focus();
  await page.keyboard.press('3');
  await expect(reply).toHaveAttribute('data-right', 'false');
  await page.keyboard.press('2');
  await item(/goes to the book/).focus();
  await page.keyboard.press('4');
  await expect(sort).toContainText('All in their places.');
  await expect(page).toHaveURL(/roles\.put=kqwvk/);
});

test('CUE-5: the nearer a query is to a key, the nearer the output is to that value', async ({
  lesson,
  page,
}) => {
  await open(lesson, '#width=0.1');
  const plot = await block(page, 'line');
  await plot.getByText('Table of numbers').click();
  const outputs = await plot
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent!.replace('−', '-'))),
    );
  const values = [1, 3, 2, 5, 4, 0];
  for (const [key, value] of values.entries()) {
    const row = outputs.find(([x]) => Number(x) === key)!;
    expect(Math.abs(Number(row[1]) - value)).toBeLessThan(1e-3);
  }
  const slider = plot.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('Home'); // at −1, beyond the first key
  await expect(plot.locator('.readout')).toContainText('x = −1.00, output = 1.000');
  for (let i = 0; i < 4; i++) await page.keyboard.press('PageUp');
  await expect(plot.locator('.readout')).toContainText('heaviest: x = 0.00, weight 1.000');

  const asked = await block(page, 'exact');
  await asked.getByRole('textbox').fill('3');
  await asked.getByRole('textbox').press('Enter');
  await expect(asked.locator('.reply')).toContainText('Too small by 2.000.');
  await asked.getByRole('textbox').fill('5');
  await asked.getByRole('textbox').press('Enter');
  await expect(asked.locator('.reply')).toContainText('Right.');
});

test('CUE-6: the weights of pooling do not change with the query, those of attention do', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const bars = await block(page, 'pooling');
  close(await column(bars, 0), [2, 1, 5, 3, 4]); // what each thing gives
  const before = [await column(bars, 1), await column(bars, 2)];
  close(before[0]!, [0.2, 0.2, 0.2, 0.2, 0.2]);
  await bars.getByRole('radio', { name: 'to write' }).check();
  const wanted = softmax([0, 3.6, 2.5, 6, 0.6]);
  await expect.poll(async () => (await column(bars, 2))[3]).toBeGreaterThan(0.5);
  close(await column(bars, 2), wanted);
  expect(await column(bars, 1)).toEqual(before[0]); // to the last bit
  await expect(bars.locator('[data-step="pooling.output"] b')).toHaveText('3'); // the mean of 2 1 5 3 4
});

test('CUE-7: every row of weights on the page says its sum, which is 1, and none is negative', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  for (const id of ['budget', 'saliency', 'scores', 'pooling']) {
    const bars = await block(page, id);
    for (const total of await bars.locator('.total').allTextContents())
      expect(Math.abs(number(total.replace('Σ', '')) - 1)).toBeLessThan(1e-6);
    for (const weight of await column(bars, (await bars.locator('thead th').count()) - 2))
      expect(weight).toBeGreaterThanOrEqual(0);
  }
  const scene = await block(page, 'reading');
  await expect(scene.locator('.sum')).toHaveText('Together 1');
  expect(Math.abs(sum(await lights(scene)) - 1)).toBeLessThan(1e-6);
  const map = await block(page, 'random');
  await expect(map.locator('tbody tr')).toHaveCount(10);
  for (const row of await cells(map)) {
    expect(Math.abs(sum(row) - 1)).toBeLessThan(1e-6);
    expect(Math.min(...row)).toBeGreaterThanOrEqual(0);
  }
  await expect(map.getByText('Σ 1.000')).toHaveCount(10);
});

test('CUE-8: the identity as a heat map, its cells told by query and key; a transposed map is found out', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const map = await block(page, 'identity');
  await expect(map.locator('.caption')).toHaveText('identity matrix · rows: query; columns: key');
  const identity = Array.from({ length: 10 }, (_, i) =>
    Array.from({ length: 10 }, (_, j) => (i === j ? 1 : 0)),
  );
  expect(await cells(map)).toEqual(identity);
  const digits = identity.map((_, i) => String(i));
  expect((await headers(map)).rows).toEqual(digits);
  await map.locator('[data-at="3,4"]').click();
  await expect(page).toHaveURL(/identity\.open=map:3,4/);
  await expect(map.locator('.readout')).toHaveText('3 × 4 0');

  const quiz = await block(page, 'turned');
  await expect(quiz.locator('.tq, .tk')).toHaveCount(0); // no colour of an axis gives it away
  const pick = async (name: string): Promise<void> => {
    await quiz.getByRole('radio', { name }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
  };
  await pick('Map C');
  await expect(quiz.locator('.reply')).toContainText('Map C: its rows add up to 1.000');
  await expect(quiz.locator('.reply')).toContainText('Look for the one whose rows do not');
  await pick('Map B');
  await expect(quiz.locator('.reply')).toHaveAttribute('data-right', 'true');
  await expect(quiz.locator('.reply')).toContainText('its columns to 1.000');
});

test('CUE-9: random 10 × 10 and softmax: rows sum to 1 along the keys, columns along the queries', async ({
  lesson,
  page,
}) => {
  await open(lesson, '#seed=7');
  const draw = await block(page, 'draw');
  const sums = await block(page, 'sums');
  const ones = Array.from({ length: 10 }, () => 1);
  const apart = (values: number[]): number => Math.max(...values) - Math.min(...values);
  close(await column(sums, 0), ones);
  expect(apart(await column(sums, 1))).toBeGreaterThan(0.1);
  const map = await block(page, 'random');
  const before = await cells(map);

  await draw.getByRole('radio', { name: 'each column' }).check();
  await expect.poll(async () => apart(await column(sums, 0))).toBeGreaterThan(0.1);
  close(await column(sums, 1), ones);
  const turned = await cells(map);
  for (const key of ones.keys())
    expect(Math.abs(sum(turned.map((row) => row[key]!)) - 1)).toBeLessThan(1e-6);
  expect(turned).not.toEqual(before);

  await draw.getByRole('slider').focus(); // another draw
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/seed=8/);
  await expect.poll(() => cells(map)).not.toEqual(turned);
});

test('Q1: at a step of decoding, the decoder’s state asks, and the encoder’s states are keys and values at once', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const sort = await block(page, 'translating');
  const reply = sort.locator('.reply');
  const put = async (text: RegExp, bin: number): Promise<void> => {
    await sort.locator('.item', { hasText: text }).focus();
    await page.keyboard.press(String(bin));
  };
  await put(/at this point of the writing/, 1);
  await expect(reply).toHaveAttribute('data-right', 'true');
  const states = /at each word of the English/;
  await put(states, 1);
  await expect(reply).toContainText('But this one comes with the thing itself');
  await put(states, 2);
  await expect(reply).toContainText('has a second role: Value');
  await put(states, 3);
  await expect(reply).toContainText('has a second role: Key');
  await put(/times a matrix/, 2);
  await expect(reply).toHaveAttribute('data-right', 'true');
  await expect(reply).not.toContainText('second role');
  await put(/how much each English word counts/, 4);
  await expect(sort).toContainText('All in their places.');
  await expect(sort.locator('[data-bin=q] code')).toContainText('decoder.query');
});

test('OV-1: switching attention on adds exactly one layer to the translator, and that layer leads to its lesson', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const models = await block(page, 'models');
  const layers = async (): Promise<string[]> =>
    models
      .locator('[data-layer]')
      .evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset['layer']!).toSorted());
  const plain = [
    'decoder.dense',
    'decoder.embedding',
    'decoder.rnn',
    'encoder.embedding',
    'encoder.rnn',
  ];
  await expect(models.locator('[data-layer]')).toHaveCount(6);
  expect(await layers()).toEqual(['decoder.attention', ...plain]);
  await models.getByRole('checkbox').uncheck();
  await expect(models.locator('[data-layer]')).toHaveCount(5);
  expect(await layers()).toEqual(plain);
  await expect(models).toContainText('Attention would add: attention.');
  await models.getByRole('checkbox').check();
  await models.getByRole('link', { name: 'attention' }).click();
  await expect(page).toHaveURL(/\/en\/bahdanau\/#one-step$/);
});

for (const lang of LANGS)
  test(`everything answered, on a phone, ${lang}: nothing sticks out`, async ({ lesson, page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const answered =
      '#desk.look=2&desk.shown=true&tug.pick=0&turned.pick=1&roles.put=kqwvk&translating.put=kqwk&budget.edits=by_hand.shares:4=0.75&scores.open=cd:4';
    await lesson.open(SLUG, lang, answered);
    await lesson.everyBlock();
    await lesson.settled();
    expect(await sidewaysRoom(page)).toBe(0);
  });

test('every exercise by keyboard alone: Tab, Space, Enter, arrows and digits', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const desk = await block(page, 'desk');
  await tabTo(page, desk, desk.getByRole('button', { name: 'book', exact: true }));
  await page.keyboard.press('Enter');
  await expect(desk.locator('.reply')).toContainText('the largest, 0.753, is on “cup”.');

  const budget = await block(page, 'budget');
  await tabTo(page, budget, budget.getByRole('slider').nth(BOOK));
  await page.keyboard.press('ArrowRight');
  await expect(budget.locator('.left')).toContainText('too much');

  const grey = await block(page, 'grey');
  await tabTo(page, grey, grey.getByRole('textbox'));
  await page.keyboard.type('0.2');
  await page.keyboard.press('Enter');
  await expect(grey.locator('.reply')).toContainText('Right.');

  const tug = await block(page, 'tug');
  await tabTo(page, tug, tug.getByRole('radio').first());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(tug.locator('.reply')).toHaveAttribute('data-right', 'true');

  const sort = await block(page, 'roles');
  await tabTo(page, sort, sort.locator('.item').first());
  await page.keyboard.press('2');
  await expect(sort.locator('.reply')).toContainText('Right.');

  const line = await block(page, 'line');
  await tabTo(page, line, line.getByRole('slider'));
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/at=69/);

  const models = await block(page, 'models');
  await tabTo(page, models, models.getByRole('checkbox'));
  await page.keyboard.press('Space');
  await expect(models.locator('[data-layer]')).toHaveCount(5);
});

apart.describe('for those who did not ask for less motion', () => {
  apart.use({ reducedMotion: 'no-preference' });

  apart(
    'the look goes once, by itself, from what stands out to what is wanted',
    async ({ lesson, page }) => {
      await open(lesson);
      const scene = await block(page, 'reading');
      await expect.poll(async () => (await lights(scene))[CUP]).toBeGreaterThan(0.7);
      await expect.poll(async () => (await lights(scene))[BOOK]).toBeGreaterThan(0.9);
      await page.evaluate(() => scrollTo(0, 0));
      await scene.scrollIntoViewIfNeeded();
      close(await lights(scene), softmax([2.4, 0.6, 2.5, 1.2, 6])); // and not again
    },
  );
});
