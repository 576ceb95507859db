import type { Locator, Page } from '@playwright/test';
import { cells, expect, number, test, type Lesson } from '../lab';

const SLUG = 'self-attention';

async function open(lesson: Lesson, rest = ''): Promise<void> {
  await lesson.open(SLUG, 'en', rest);
}

/** A block of the lesson by its name, alive. */
async function block(page: Page, id: string): Promise<Locator> {
  const found = page.locator(`[data-block="${id}"]`);
  await found.scrollIntoViewIfNeeded();
  await expect(found).toHaveAttribute('data-alive', 'true');
  return found;
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

/** The table below a plot, row by row, its place first. */
async function plotted(found: Locator): Promise<number[][]> {
  await expect(found.locator('details tbody tr').first()).toBeAttached();
  const lines = await found.locator('details tbody tr').all();
  return Promise.all(
    lines.map(async (line) => (await line.locator('th, td').allTextContents()).map(number)),
  );
}

async function map(found: Locator): Promise<number[][]> {
  await expect(found.locator('[role=gridcell]').first()).toBeVisible();
  return cells(found);
}

const stored = (found: Locator): Promise<number> =>
  found.locator('.working').getAttribute('data-stored').then(Number);

/** A text or number of a block of knobs, typed and given. */
async function type(found: Locator, field: number, text: string): Promise<void> {
  const input = found.locator('input:not([type=checkbox]):not([type=range])').nth(field);
  await input.fill(text);
  await input.press('Enter');
}

async function answer(question: Locator, text: string): Promise<void> {
  const field = question.getByRole('textbox');
  await field.fill(text);
  await field.press('Enter');
}

const rowsApart = (difference: number[][]): number[] =>
  difference.flatMap((row, i) => (row.some((value) => Math.abs(value) > 1e-4) ? [i] : []));

test('SA-1: one word is exchanged: one row of queries, keys and values changes, and every row of the output', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const edit = await block(page, 'edit');
  const difference = edit.locator('[data-side=difference]');
  const changed = async (step: string): Promise<number[]> => {
    await edit.locator('select').first().selectOption(step);
    return rowsApart(await map(difference));
  };
  await expect.poll(() => changed('without.output')).toEqual([0, 1, 2, 3, 4]);
  for (const step of ['input', 'without.queries', 'without.keys', 'without.values'])
    await expect.poll(() => changed(step)).toEqual([4]); // the man, the cat
  // As many words come out as go in, of any number of words.
  await edit.locator('select').first().selectOption('without.output');
  await type(await block(page, 'sentences'), 0, 'a cat sleeps');
  await type(await block(page, 'sentences'), 1, 'a dog sleeps');
  await expect.poll(async () => (await map(edit.locator('[data-side=a]'))).length).toBe(3);
  await expect.poll(async () => rowsApart(await map(difference))).toEqual([0, 1, 2]);
  const shape = await block(page, 'shape');
  await answer(shape, '4 × 7');
  await expect(shape.locator('.reply')).not.toContainText('Right.');
  await answer(shape, '7 × 4');
  await expect(shape.locator('.reply')).toContainText('Right.');
});

test('SA-2, C3: one hop in self-attention, however far; (n−1)/(k−1) layers, log n dilated, or n−1 steps elsewhere', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const hops = await block(page, 'hops');
  const counted = async (): Promise<number[]> =>
    Promise.all(
      ['convolution', 'gru', 'attention'].map((net) =>
        hops.locator(`[data-net=${net}]`).getAttribute('data-hops').then(Number),
      ),
    );
  await expect.poll(counted).toEqual([3, 6, 1]); // six places apart
  await hops.getByRole('checkbox').check();
  await expect.poll(counted).toEqual([2, 6, 1]); // 3² ≥ 7
  await hops.getByRole('button', { name: 'the', exact: true }).first().click();
  await hops.getByRole('button', { name: 'hot', exact: true }).press('Enter');
  await expect.poll(counted).toEqual([3, 9, 1]); // 3³ ≥ 10
  await hops.getByRole('checkbox').uncheck();
  await expect.poll(counted).toEqual([5, 9, 1]);
  // After one hop the word has arrived in self-attention alone.
  const slider = hops.getByRole('slider').last();
  await slider.press('Home');
  await expect(hops.locator('.hops.there')).toHaveCount(0);
  await slider.press('ArrowRight');
  await expect(hops.locator('.hops.there')).toHaveCount(1);
  await expect(hops.locator('[data-net=attention] .hops')).toHaveClass(/there/);
});

test('SA-3, Q25, C1, C2: multiply-adds, waits and paths of three layers, counted and by the formulas; where lines cross', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const costs = await block(page, 'costs');
  const column = async (col: number, rows: number[]): Promise<number[]> =>
    (await Promise.all(rows.map((row) => cell(costs, row, col)))).flat();
  // n = 16, k = 3, d = 8: counted, by formula, waits, path, its formula.
  const rows = [0, 1, 6, 7, 8];
  expect(await column(0, rows)).toEqual([3 * 16 * 64, 3 * 16 * 64, 1, 8, 8]);
  expect(await column(1, rows)).toEqual([6 * 16 * 64, 6 * 16 * 64, 16, 15, 15]);
  expect(await column(2, rows)).toEqual([2 * 256 * 8, 2 * 256 * 8, 4, 1, 1]);
  expect(await cell(costs, 4, 0)).toEqual([3 * 16 * 8]); // k·n·d is not what is counted (C1)
  expect(await cell(costs, 5, 2)).toEqual([4 * 16 * 64]);
  const knobs = await block(page, 'size-knobs');
  await knobs.getByRole('checkbox').check();
  await expect.poll(() => column(0, [7, 8])).toEqual([3, 3]); // log₃ 16, rounded up
  await knobs.getByRole('slider').first().press('ArrowRight'); // n = 32
  await expect.poll(() => column(2, [0])).toEqual([2 * 32 * 32 * 8]);

  const quiz = await block(page, 'cheap');
  for (const [name, right] of [
    ['convolution', false],
    ['self-attention', true],
  ] as const) {
    await quiz.getByRole('radio', { name }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expect(quiz.locator('.reply')).toHaveAttribute('data-right', String(right));
  }

  const at = async (plot: Locator, n: number): Promise<number[]> =>
    (await plotted(plot)).find(([place]) => place === n)!.slice(1);
  const orders = await block(page, 'orders');
  expect(await at(orders, 8)).toEqual([512, 512, 1536]); // attention and recurrent cross at n = d
  expect((await at(orders, 16))[0]).toBeLessThan((await at(orders, 16))[2]!); // before n = k·d = 24 …
  expect((await at(orders, 32))[0]).toBeGreaterThan((await at(orders, 32))[2]!); // … and after
  const counted = await block(page, 'counted');
  expect((await at(counted, 8)).slice(0, 2)).toEqual([3072, 3072]); // with all products, still at n = d
});

test('SA-4: twice the words are four times the work of self-attention; the time is measured here', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const times = await block(page, 'times');
  await expect(times.locator('details tbody tr')).toHaveCount(8);
  const slopes = await valuesOf(times.locator('.measures [data-value], table [data-value]'));
  const first = await plotted(times); // n, and the milliseconds of attention, GRU and convolution
  for (const [layer, products] of [2, 1, 1].entries()) {
    const ms = first.map((row) => row[layer + 1]!);
    for (const each of ms) expect(each).toBeGreaterThan(0);
    expect(slopes[2 * layer]).toBeCloseTo(products, 4);
    // Sizes double: in log₂ the longer four lie at 0, 1, 2, 3, and their line has this slope.
    const [p, q, r, s] = ms.slice(4).map(Math.log2) as [number, number, number, number];
    expect(slopes[2 * layer + 1]).toBeCloseTo((3 * (s - p) + (r - q)) / 10, 2);
  }
  expect(first.at(-1)![1]).toBeGreaterThan(10 * first[0]![1]!);
  await times.getByRole('button', { name: 'measure again' }).click();
  await expect
    .poll(async () => JSON.stringify(await plotted(times)))
    .not.toBe(JSON.stringify(first));
});

test('SA-5, Q24: without positions outputs change places as the words do and nothing else; with positions they do not', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const same = await block(page, 'same-rows');
  const apart = async (found: Locator): Promise<number> =>
    number((await found.locator('[data-difference]').getAttribute('data-difference'))!);
  const row = (side: string, n: number): Promise<number[]> =>
    valuesOf(same.locator(`[data-side=${side}] [data-row="${n}"] [data-value]`));
  await expect(same.locator('[data-side=to] .label')).toHaveText([
    'man',
    'the',
    'bites',
    'dog',
    'the',
  ]);
  expect(await apart(same)).toBeLessThan(1e-5);
  const [dog, moved] = [await row('from', 1), await row('to', 3)];
  dog.forEach((value, i) => expect(moved[i]).toBeCloseTo(value, 5));
  const order = await block(page, 'order');
  await order.getByRole('radio', { name: 'moved round' }).check();
  await expect(same.locator('[data-side=to] .label').first()).toHaveText('dog');
  expect(await apart(same)).toBeLessThan(1e-5);

  const positions = await block(page, 'with');
  expect(await apart(positions)).toBeGreaterThan(0.1);
  await positions.getByRole('button', { name: 'not added' }).click();
  await expect.poll(() => apart(positions)).toBeLessThan(1e-5);

  // Who bit whom: the row of “bites” is the same in both sentences, until positions are added.
  const bites = await block(page, 'bites');
  const difference = bites.locator('[data-side=difference]');
  await expect.poll(async () => rowsApart(await map(difference))).toEqual([1, 4]);
  await bites.locator('select').first().selectOption('with.output');
  await expect.poll(async () => rowsApart(await map(difference))).toContain(2);
});

test('Q23: one matrix for queries and keys makes scores symmetric; with two they are not; with none each word looks at itself', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const tied = await block(page, 'tied');
  const farthest = async (): Promise<number> => {
    const scores = await map(tied);
    return Math.max(
      ...scores.flatMap((line, i) => line.map((value, j) => Math.abs(value - scores[j]![i]!))),
    );
  };
  await expect.poll(farthest).toBeLessThan(1e-5);
  await (await block(page, 'three')).getByRole('checkbox').uncheck();
  await expect.poll(farthest).toBeGreaterThan(0.1);
  const asymmetry = await block(page, 'asymmetry');
  expect((await cell(asymmetry, 0, 0))[0]).toBeGreaterThan(0.1);
  expect((await cell(asymmetry, 0, 1))[0]).toBeLessThan(1e-5);

  const mirror = await block(page, 'mirror');
  const shown = await mirror.locator('tbody tr').nth(3).locator('td').first().innerText();
  await answer(mirror, shown);
  await expect(mirror.locator('.reply')).toContainText('Right.');

  const bare = await map(await block(page, 'bare'));
  bare.forEach((line, i) => expect(line[i]).toBe(Math.max(...line)));
});

test('PE-1, PE-2: sines in even columns and cosines in odd ones, slower to the right; binary numbers beside', async ({
  lesson,
  page,
}) => {
  const published = [0.841471, 0.540302, 0.533168, 0.846009];
  for (const [column, wanted] of published.entries()) {
    await open(lesson, `#map.open=map:1,${column}`);
    const found = await block(page, 'map');
    await expect.poll(() => stored(found)).toBeCloseTo(wanted, 5);
    if (column === 0)
      await expect(found.locator('.heatmap')).toHaveAttribute('data-shown', 'canvas');
    await page.goto('about:blank');
  }
  await open(lesson);
  const columns = await plotted(await block(page, 'columns'));
  expect(columns).toHaveLength(60);
  // ω₃ = 0.177828 and ω₄ = 0.1: their sines and cosines at position 1.
  [0.176892, 0.98423, 0.0998334, 0.995004].forEach((wanted, i) =>
    expect(columns[1]![i + 1]).toBeCloseTo(wanted, 5),
  );
  const periods = await plotted(await block(page, 'periods'));
  expect(periods).toHaveLength(16);
  expect(periods[3]![1]).toBeCloseTo(35.33, 2);
  expect(periods[4]![1]).toBeCloseTo(62.83, 2);
  const binary = await map(await block(page, 'binary'));
  expect(binary.map((bits) => bits.join(''))).toEqual([
    '000',
    '001',
    '010',
    '011',
    '100',
    '101',
    '110',
    '111',
  ]);
  const zero = await block(page, 'zero');
  await answer(zero, '0');
  await expect(zero.locator('.reply')).not.toContainText('Right.');
  await answer(zero, '1');
  await expect(zero.locator('.reply')).toContainText('Right.');
});

test('PE-3: a fixed offset is one rotation, the same at all positions, with an error below 1e-5', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const matrix = await block(page, 'matrix');
  const both = async (): Promise<number[][]> =>
    Promise.all(
      [0, 1].map(async (col) => [...(await cell(matrix, 0, col)), ...(await cell(matrix, 1, col))]),
    );
  // δ = 5, ω₃ = 0.177828: cos 0.88914 = 0.630056, sin = 0.776548.
  const rotation = async (cos: number, sin: number): Promise<void> => {
    await expect.poll(async () => (await both())[0]![0]).toBeCloseTo(cos, 4);
    for (const found of await both())
      [cos, sin, -sin, cos].forEach((wanted, i) => expect(found[i]).toBeCloseTo(wanted, 4));
    for (const col of [0, 1]) expect((await cell(matrix, 3, col))[0]).toBeLessThan(1e-5);
  };
  await rotation(0.630056, 0.776548);
  await type(await block(page, 'turn'), 1, '8'); // ω₈ = 0.01
  await rotation(0.99875, 0.049979);
  const turned = await plotted(await block(page, 'turned'));
  for (const [, , by, there] of turned) expect(by).toBeCloseTo(there!, 5);
});

test('PE-4, Q26, MI-1: added, the shape stays; joined, shape and parameters double, and a whole model so built runs', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const join = await block(page, 'join');
  const shape = (table: Locator, row: number, col: number): Promise<string> =>
    table.locator(`[data-cell="${row},${col}"]`).innerText();
  await expect(join.locator('[data-cell="2,0"]')).toHaveText('6 × 16');
  expect(await shape(join, 2, 1)).toBe('6 × 32');
  expect([await cell(join, 3, 0), await cell(join, 3, 1)]).toEqual([[16 * 16], [16 * 32]]);
  expect(await cell(join, 4, 0)).toEqual([0]);
  const knobs = await block(page, 'join-knobs');
  await knobs.getByRole('radio', { name: 'learnt' }).check();
  await expect.poll(() => cell(join, 4, 0)).toEqual([6 * 16]);

  const wrong = await block(page, 'wrong');
  await expect(wrong.locator('[data-cell="1,1"]')).toHaveText('1 × 4 × 64');
  expect(await shape(wrong, 1, 0)).toBe('1 × 4 × 32');
  expect([await shape(wrong, 2, 0), await shape(wrong, 2, 1)]).toEqual(['32 × 32', '64 × 64']);
  // Three attentions of 4·h² and two of 2·h·64 a layer: h = 32 and h = 64.
  const [[added = 0], [joined = 0]] = [await cell(wrong, 3, 0), await cell(wrong, 3, 1)];
  expect(joined - added).toBeGreaterThan(2 * 12 * (64 * 64 - 32 * 32));
  for (const col of [0, 1]) expect((await cell(wrong, 4, col))[0]).toBeGreaterThan(1);
});

test('PE-5: positions as parameters, trained with the rest of the model; those of the formula stay', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const learnt = await block(page, 'learnt');
  const at = async (): Promise<number> => {
    await learnt.locator('[data-part=map] canvas, [data-part=map] [role=grid]').first().waitFor();
    return stored(learnt);
  };
  await open(lesson, '#learnt.cell=1,0');
  await page.reload();
  await block(page, 'learnt');
  const before = await at();
  const train = await block(page, 'train');
  const epoch = train.getByRole('button', { name: 'one epoch' });
  await epoch.click();
  await expect(train.locator('[data-epoch]')).toHaveAttribute('data-epoch', '1');
  await block(page, 'learnt');
  await expect.poll(at).not.toBe(before);

  await (await block(page, 'kinds')).getByRole('combobox').selectOption('sinusoid');
  await block(page, 'learnt');
  await expect.poll(at).toBeCloseTo(0.841471, 5); // sin 1
});

test('PE-6: relative scores depend on the offset alone; moved on by one they stay; one number moves a diagonal', async ({
  lesson,
  page,
}) => {
  await open(lesson);
  const shifted = await block(page, 'shifted');
  expect((await cell(shifted, 0, 0))[0]).toBeLessThan(1e-5);
  expect((await cell(shifted, 0, 1))[0]).toBeLessThan(1e-5);
  expect((await cell(shifted, 0, 2))[0]).toBeGreaterThan(0.1);
  const scores = await block(page, 'scores');
  const along = async (): Promise<number> => {
    const found = await map(scores);
    return Math.max(
      ...found
        .slice(1)
        .flatMap((line, i) => line.slice(1).map((value, j) => Math.abs(value - found[i]![j]!))),
    );
  };
  expect(await along()).toBeLessThan(1e-5);
  const knobs = await block(page, 'rel-knobs');
  await knobs.getByRole('radio', { name: 'sinusoids' }).check();
  await expect.poll(along).toBeGreaterThan(0.1);
  await knobs.getByRole('radio', { name: 'a number' }).check();
  await expect.poll(along).toBeLessThan(1e-5);

  const bias = await block(page, 'bias');
  const heaviest = async (): Promise<number[]> =>
    (await map(bias)).slice(1).map((line) => line.indexOf(Math.max(...line)));
  await type(await block(page, 'previous'), 0, '6');
  await expect.poll(heaviest).toEqual([0, 1, 2, 3, 4, 5, 6]); // each at the word before

  const question = await block(page, 'read-off');
  const third = question
    .locator('tbody tr')
    .filter({ has: page.locator('th', { hasText: /^3$/ }) });
  const beside = await third.locator('td').nth(2).innerText();
  await answer(question, beside);
  await expect(question.locator('.reply')).toContainText('Right.');
});
