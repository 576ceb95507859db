import type { Locator } from '@playwright/test';
import { BANDS, outside } from '../browsers/bands.mjs';
import { expect, test } from './lab';

const epoch = (block: Locator): Promise<number> =>
  block.locator('[data-epoch]').getAttribute('data-epoch').then(Number);
const phase = (block: Locator): Locator => block.locator('.phase');
const button = (block: Locator, name: string): Locator =>
  block.getByRole('button', { name, exact: true });

async function reaches(block: Locator, wanted: number): Promise<void> {
  await expect.poll(() => epoch(block), { timeout: 90_000 }).toBeGreaterThanOrEqual(wanted);
}

/** The loss of each finished epoch, from the table beside the curve. */
async function losses(block: Locator): Promise<string[]> {
  const table = block.locator('details').first();
  if ((await table.getAttribute('open')) === null)
    await table.getByText('Table of numbers').click();
  return table.locator('tbody td:nth-child(2)').allTextContents();
}

test('training runs live, pauses, resumes without losing the run, and resets to the same start', async ({
  lesson,
}) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('train');
  await button(block, 'Train').click();
  await expect(phase(block)).toHaveText('training…');
  await reaches(block, 2);
  await expect(block.getByText('tokens/s')).toBeVisible();
  await expect(block.locator('.curve svg path')).not.toHaveCount(0);

  await button(block, 'Pause').click();
  await expect(phase(block)).toHaveText('paused');
  const first = await losses(block);
  expect(first.length).toBeGreaterThanOrEqual(2);
  expect(Number(first.at(-1))).toBeLessThan(Number(first[0]));

  await button(block, 'Resume').click();
  await reaches(block, first.length + 1);
  await button(block, 'Pause').click();
  await expect(phase(block)).toHaveText('paused');
  expect((await losses(block)).slice(0, first.length)).toEqual(first);

  await button(block, 'Reset').click();
  await expect(phase(block)).toHaveText('not started');
  expect(await epoch(block)).toBe(0);
  await button(block, 'One epoch').click();
  await reaches(block, 1);
  await expect(phase(block)).toHaveText('paused');
  expect(await losses(block)).toEqual(first.slice(0, 1));
});

test('another seed starts another run', async ({ lesson }) => {
  await lesson.open('kernel-regression');
  const block = await lesson.block('train');
  const seed = block.getByRole('spinbutton');
  const run = async (value: string): Promise<string[]> => {
    await seed.fill(value);
    await seed.press('Enter');
    await button(block, 'One epoch').click();
    await reaches(block, 1);
    return losses(block);
  };
  const one = await run('1');
  const two = await run('2');
  expect(two).not.toEqual(one);
  await button(block, 'Reset').click();
  expect(await run('1')).toEqual(one);
});

test('the sentences below the curve are translated while it learns', async ({ lesson }) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('train');
  const answers = block.locator('.answer');
  await expect(answers).toHaveText(['…', '…', '…', '…']);
  await button(block, 'One epoch').click();
  await expect(answers.first()).not.toHaveText('…');
  await expect(block.getByRole('alert')).toHaveCount(0);
});

test('the four sentences of the chapter become exactly right, and the page says when', async ({
  lesson,
}) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('train');
  await button(block, 'Train').click();
  await expect(block.locator('.all')).toContainText(/All right after \d+ epochs and/, {
    timeout: 100_000,
  });
  expect(await block.locator('.answer').allTextContents()).toEqual([
    'va !',
    "j'ai perdu .",
    'il est calme .',
    'je suis chez moi .',
  ]);
});

test('what the learner trained answers in the block that asks for it', async ({ lesson }) => {
  await lesson.open('bahdanau');
  const own = await lesson.block('translate', 1);
  const text = own.locator('[data-text]');
  const before = await text.getAttribute('data-text');
  const block = await lesson.block('train');
  await button(block, 'Train').click();
  await reaches(block, 4);
  await button(block, 'Pause').click();
  await expect(text).not.toHaveAttribute('data-text', before!);
});

for (const engine of ['simd', 'relaxed'])
  for (const [slug, { epoch: wanted }] of Object.entries(BANDS))
    test(`${slug} with ?engine=${engine}: trained, its loss lies in the same band`, async ({
      lesson,
    }) => {
      await lesson.open(slug, 'en', `?engine=${engine}`);
      const block = await lesson.block('train');
      await expect(async () => {
        if ((await epoch(block)) < wanted) await button(block, 'One epoch').click({ timeout: 500 });
        expect(await epoch(block)).toBeGreaterThanOrEqual(wanted);
      }).toPass({ timeout: 60_000 });
      const told = (await losses(block)).map(Number);
      expect(outside(slug, told)).toBeNull();
    });

test('five epochs of kernel regression move w, and the curves with it', async ({ lesson }) => {
  await lesson.open('kernel-regression');
  const block = await lesson.block('train');
  await button(block, 'Train').click();
  await expect(phase(block)).toHaveText('done');
  const curve = (await losses(block)).map(Number);
  expect(curve).toHaveLength(5);
  expect(curve.at(-1)).toBeLessThan(curve[0]! / 2);
  const plot = lesson.page.locator('[data-block=fit-learned]');
  await plot.scrollIntoViewIfNeeded();
  const off = plot.locator('[data-measure="learned.error"]');
  await expect.poll(async () => Number(await off.getAttribute('data-value'))).toBeLessThan(0.2);
});
