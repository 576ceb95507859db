import type { Locator, Page } from '@playwright/test';
import { apart, cells, expect, headers, number, test } from './lab';

const slider = (stage: Locator): Locator => stage.getByRole('slider');
const current = (stage: Locator): Locator => stage.locator('.chip[aria-current=step]');
const name = (stage: Locator): Promise<string> =>
  current(stage).evaluate((chip) => (chip as HTMLElement).title);

async function goTo(stage: Locator, step: string): Promise<void> {
  await stage.locator(`.chip[title="${step}"]`).click();
  await expect(current(stage)).toHaveAttribute('title', step);
}

/** `weights [0, 0, 1] = 0.1480321`, as an operand's title tells it. */
interface Operand {
  where: string;
  value: number;
}

async function operands(line: Locator): Promise<Operand[]> {
  const titles = await line
    .locator('.operand')
    .evaluateAll((all) => all.map((each) => (each as HTMLElement).title));
  return titles.map((title) => {
    const [where, value] = title.split(' = ');
    return { where: where!, value: number(value!) };
  });
}

const stored = (stage: Locator): Promise<number> =>
  stage.locator('.working').getAttribute('data-stored').then(Number);

/** How long the last axis is, as the page says. */
const lastSize = (stage: Locator): Promise<number> =>
  stage
    .locator('.axis')
    .last()
    .textContent()
    .then((text) => Number(/\d+/.exec(text ?? '')![0]));

async function unfoldAll(stage: Locator): Promise<void> {
  const folds = stage.locator('.working .fold');
  while ((await folds.count()) > 0) await folds.first().click();
}

interface Standing {
  at: string;
  step: string;
  axes: number;
  maps: number;
}

/** Presses an arrow key until it leads no further; where the stage stood each time. */
const walk = (stage: Locator, key: string): Promise<Standing[]> =>
  stage.evaluate(async (node, pressed) => {
    const range = node.querySelector<HTMLInputElement>('input[type=range]')!;
    const walked = [];
    for (let before = ''; before !== range.value;) {
      before = range.value;
      if (range.ariaValueText?.startsWith('update') === true) break; // has another test
      walked.push({
        at: range.value,
        step: node.querySelector<HTMLElement>('.chip[aria-current=step]')!.title,
        axes: node.querySelectorAll('.axis').length,
        maps: node.querySelectorAll('.heatmap :is([role=grid], [role=application])').length,
      });
      range.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
    return walked;
  }, key);

test('a translation is stepped from its first state on into the backward pass and to its end, and back', async ({
  lesson,
}) => {
  await lesson.openWith({
    sessions: { it: { model: 'bahdanau', config: {}, weights: 'bahdanau' } },
    blocks: {
      walk: {
        kind: 'stage',
        session: 'it',
        inputs: { sentence: "I'm home.", target: 'Je suis chez moi.' },
        want: ['encoder.1.hidden', 'decoder.*', 'loss'],
        from: 'loss',
      },
    },
  });
  const stage = await lesson.block('stage');
  await slider(stage).press('Home');
  const there = await walk(stage, 'ArrowRight');
  expect(there.map(({ at }) => Number(at))).toEqual(there.map((_, i) => i));
  for (const { axes, maps } of there) expect([axes > 0, maps]).toEqual([true, 1]);
  const loss = there.flatMap(({ step }, i) => (step === 'loss' ? [i] : []));
  expect(loss).toEqual([loss[0], loss[0]! + 1]); // the last one forward, the first one backward
  expect(there.map(({ step }) => step)).toEqual(
    expect.arrayContaining([
      'encoder.1.hidden',
      'decoder.scores',
      'decoder.weights',
      'decoder.context',
      'decoder.logits',
    ]),
  );
  await slider(stage).press('ArrowLeft'); // from the door to the update
  expect(await walk(stage, 'ArrowLeft')).toEqual(there.toReversed());
  await expect(stage.getByRole('alert')).toHaveCount(0);
});

test('a context cell opens to the weighted sum, whose numbers agree with the maps they come from', async ({
  lesson,
}) => {
  await lesson.open('bahdanau');
  const stage = await lesson.block('stage');
  await goTo(stage, 'decoder.weights');
  const weights = (await cells(stage.getByRole('grid')))[2]!;
  await goTo(stage, 'decoder.context');
  await stage.locator('.heatmap [role=application]').click({ position: { x: 200, y: 90 } });
  const sum = stage.locator('.working');
  await expect(sum).toBeVisible();
  await unfoldAll(stage);
  const terms = await operands(sum.locator('p').first());
  expect(terms).toHaveLength(2 * weights.length);
  const total = terms.reduce(
    (all, term, i) => (i % 2 === 0 ? all + term.value * terms[i + 1]!.value : all),
    0,
  );
  expect(Math.abs(total - (await stored(stage)))).toBeLessThan(1e-5);
  const times = terms.filter(({ where }) => where.startsWith('weights'));
  expect(times).toHaveLength(weights.length);
});

test('every operand opens its own cell, down to where the chain ends, and a trail leads back', async ({
  lesson,
}) => {
  await lesson.open('bahdanau', 'en', '#step.shown=true');
  const stage = await lesson.block('stage');
  await goTo(stage, 'decoder.weights');
  await stage.locator('[data-at="0,1"]').click();
  const trail = stage.locator('.trail');
  await expect(trail.locator('b')).toContainText('weights');
  for (let depth = 1; depth < 40; depth++) {
    const operand = stage.locator('.working .operand').first();
    if ((await operand.count()) === 0) break;
    const wanted = number((await operand.getAttribute('title'))!.split(' = ')[1]!);
    await operand.click();
    await expect(trail.locator('button')).toHaveCount(depth);
    expect(await stored(stage)).toBeCloseTo(wanted, 6);
  }
  await expect(stage.locator('.end')).toContainText(/(input|parameter)/);
  await trail.locator('button').first().click();
  await expect(trail.locator('button')).toHaveCount(0);
  expect(await name(stage)).toBe('decoder.weights');
});

test('the place on the stage is in the URL, and back and forward lead through it', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau');
  const stage = await lesson.block('stage');
  await goTo(stage, 'decoder.scores');
  await stage.locator('[data-at="0,2"]').click();
  await expect(stage.locator('.working')).toBeVisible();
  const there = await stored(stage);
  await expect(page).toHaveURL(/decoder\.scores/);
  await page.goBack();
  await expect(stage.locator('.working')).toHaveCount(0);
  await page.goForward();
  await expect(stage.locator('.working')).toHaveAttribute('data-stored', String(there));
  await page.reload();
  const again = await lesson.block('stage');
  await expect(again.locator('.working')).toHaveAttribute('data-stored', String(there));
});

test('stepping does not flood the history', async ({ lesson, page }) => {
  await lesson.open('bahdanau');
  const stage = await lesson.block('stage');
  await slider(stage).press('Home');
  const before = await page.evaluate(() => history.length);
  for (let i = 0; i < 12; i++) await slider(stage).press('ArrowRight');
  await expect(slider(stage)).toHaveValue('12');
  expect(await page.evaluate(() => history.length)).toBe(before);
});

test('a turn of the loop is picked by its word, and the row of the map follows', async ({
  lesson,
}) => {
  await lesson.open('bahdanau');
  const stage = await lesson.block('stage');
  await goTo(stage, 'decoder.weights');
  await stage.locator('.scrub select:not(.speed)').selectOption({ index: 1 });
  expect((await headers(stage.getByRole('grid'))).rows[1]).toBe('suis');
  await expect(stage.locator('tr.current')).toContainText('suis');
});

apart('play runs to the end and stops there', async ({ lesson, page }) => {
  await page.clock.install();
  await lesson.open('bahdanau');
  const stage = await lesson.block('stage');
  const last = Number(await slider(stage).getAttribute('max')) - 1; // behind it is the door to the backward pass
  await slider(stage).fill(String(last - 1));
  await stage.getByRole('button', { name: 'Play' }).click();
  await page.clock.runFor(5000);
  await expect(slider(stage)).toHaveValue(String(last));
  await expect(stage.getByRole('button', { name: 'Play' })).toBeVisible();
});

apart.describe('with motion', () => {
  apart.use({ reducedMotion: 'no-preference' });

  apart(
    'an untouched stage moves by itself once, up to where the lesson begins',
    async ({ lesson, page }) => {
      await page.clock.install();
      await lesson.open('bahdanau');
      const stage = await lesson.block('stage');
      await stage.locator('.columns').scrollIntoViewIfNeeded();
      await expect(stage.getByRole('button', { name: 'Pause' })).toBeVisible();
      await page.clock.runFor(8000);
      await expect(stage.getByRole('button', { name: 'Play' })).toBeVisible();
      expect(await name(stage)).toBe('decoder.weights');
      await expect(stage.locator('.working')).toBeVisible();
      expect(new URL(page.url()).hash).toBe('');
    },
  );
});

test('the map is walked by arrow keys, and Enter opens the cell', async ({ lesson, page }) => {
  await lesson.open('bahdanau');
  const stage = await lesson.block('stage');
  await goTo(stage, 'decoder.weights');
  await stage.locator('[data-at="0,0"]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(stage.locator('.readout')).toContainText('suis × home');
  await page.keyboard.press('Enter');
  await expect(stage.locator('.trail b')).toHaveText('weights[suis, home]');
  await goTo(stage, 'decoder.context');
  const map = stage.locator('.heatmap [role=application]');
  await map.focus();
  await page.keyboard.press('End');
  const size = await lastSize(stage);
  await expect(stage.locator('.readout')).toContainText(` × ${size - 1} `);
});

async function savedCsv(page: Page, stage: Locator): Promise<string> {
  const saved = page.waitForEvent('download');
  await stage.getByRole('button', { name: 'Save' }).click();
  await stage.getByRole('menuitem', { name: 'Numbers shown (CSV)' }).click();
  const stream = await (await saved).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

test('what is shown is saved as CSV', async ({ lesson, page }) => {
  await lesson.open('bahdanau', 'en', '#step.shown=true'); // nothing is hidden any more
  const stage = await lesson.block('stage');
  await goTo(stage, 'decoder.weights');
  const csv = await savedCsv(page, stage);
  const [head, ...rows] = csv.split('\r\n').filter(Boolean);
  expect(head).toBe("\ufeff,i'm,home,.,<eos>,Σ");
  expect(rows.map((row) => row.split(',')[0])).toContain('chez');
  const shown = (await cells(stage.getByRole('grid'))).flat();
  const saved = rows.flatMap((row) => row.split(',').slice(1, -1).map(Number));
  saved.forEach((value, i) => expect(value).toBeCloseTo(shown[i]!, 6));
});

test('a large map has a table for those who do not see it', async ({ lesson }) => {
  await lesson.open('bahdanau');
  const stage = await lesson.block('stage');
  await goTo(stage, 'decoder.context');
  await stage.getByText('Table of numbers').click();
  const table = stage.locator('details table');
  await expect(table.locator('tbody tr')).toHaveCount(6);
  await expect(table.locator('thead th')).toHaveCount(Math.min(40, await lastSize(stage)));
});

test('the badge says that rows sum to 1, and which engine runs', async ({ lesson }) => {
  await lesson.open('bahdanau', 'en', '?engine=simd');
  const stage = await lesson.block('stage');
  await goTo(stage, 'decoder.weights');
  await expect(stage.locator('.badge')).toContainText('each row sums to 1.000');
  await expect(stage.locator('.badge .wrong')).toHaveCount(0);
  await expect(stage.locator('.badge')).toContainText('WASM SIMD');
});
