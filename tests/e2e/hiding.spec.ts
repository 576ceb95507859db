// What a lesson hides on a stage: it is nowhere on the page until the learner has said it or given up.

import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, test, type OwnBlocks } from './lab';

/** The engine's own number, as far as any part of the page would write it. */
async function digits(stage: Locator): Promise<string> {
  const value = await stage.locator('.hiding [data-answer]').getAttribute('data-answer');
  return Math.abs(Number(value)).toPrecision(5).slice(0, 6);
}

/** All that the page says or draws as text, titles and labels too. */
const said = (page: Page): Promise<string> => page.evaluate(() => document.body.outerHTML);

const asked = (stage: Locator): Locator => stage.locator('.hiding');
const field = (stage: Locator): Locator => asked(stage).locator('input');
const reply = (stage: Locator): Locator => asked(stage).locator('.reply');

async function chipsOf(stage: Locator): Promise<string[]> {
  const chips = await stage.locator('.chip').all();
  return Promise.all(chips.map(async (chip) => (await chip.getAttribute('title')) ?? ''));
}

test('a hidden weight: no map, no sum, no file has it; said, it is marked, and its sum is open', async ({
  lesson,
  page,
}) => {
  test.setTimeout(180_000);
  await lesson.open('bahdanau', 'en', '#step.cell=0,0,0,1&step.time=0');
  const stage = await lesson.block('stage');
  const cell = stage.locator('.map [data-at="0,1"]');
  await expect(cell).toHaveText('?');
  await expect(cell).toHaveAttribute('aria-label', /hidden$/);
  await expect(stage.locator('.working .end')).toHaveText('Hidden until you have said it.');
  await expect(asked(stage)).toHaveAttribute('data-asks', 'true');

  // Once given up, the number is known to this test; hidden again, it is nowhere.
  await asked(stage).getByRole('button', { name: 'Show me' }).click();
  await expect(cell).not.toHaveText('?');
  const number = await digits(stage);
  await asked(stage).getByRole('button', { name: 'Try again' }).click();
  await expect(cell).toHaveText('?');
  expect((await stage.innerHTML()).includes(number)).toBe(false);

  // Nor in a sum that reads it: the context is open, one of its operands is not told.
  await stage.locator('.chip[title="decoder.context"]').click();
  const map = stage.locator('.map > .heatmap [role=application]');
  await map.focus();
  await map.press('Home');
  await map.press('Enter');
  const operand = stage.locator('.working .operand[data-step="decoder.weights"]').nth(1);
  await expect(operand).toHaveText('?');
  expect((await stage.innerHTML()).includes(number)).toBe(false);
  await operand.click();
  await expect(stage.locator('.working .end')).toHaveText('Hidden until you have said it.');

  // Nor in what is saved.
  for (const name of ['Numbers shown (CSV)', 'Whole tensor (CSV)', 'Vector picture (SVG)']) {
    const saved = page.waitForEvent('download');
    await stage.getByRole('button', { name: 'Save' }).click();
    await stage.getByRole('menuitem', { name }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    expect(text.includes(number), name).toBe(false);
  }

  // Wrong, then right.
  await field(stage).fill('0.99');
  await field(stage).press('Enter');
  await expect(reply(stage)).toContainText('Too large by');
  await expect(cell).toHaveText('?');
  const row = await stage.locator('.map [data-at^="0,"]').allTextContents();
  const others = row.filter((text) => text !== '?').reduce((sum, text) => sum + Number(text), 0);
  await field(stage).fill((1 - others).toFixed(2));
  await field(stage).press('Enter');
  await expect(reply(stage)).toContainText('Right.');
  await expect(stage.locator('.working')).toHaveAttribute('data-stored', /^0\./);
  await expect(stage.locator('.working .operand').first()).toBeVisible();
  expect(Number(await stage.locator('.working').getAttribute('data-stored'))).toBeCloseTo(
    1 - others,
    2,
  );
  await expect(page).toHaveURL(/step\.guess=/);
});

function stageThatHides(hide: object): OwnBlocks {
  const prompt = { zh: '问', en: 'Well?' };
  return {
    sessions: { it: { model: 'bahdanau', config: {}, weights: 'bahdanau' } },
    blocks: {
      walk: {
        kind: 'stage',
        session: 'it',
        inputs: { sentence: "I'm home." },
        want: ['decoder.*'],
        start: 'decoder.query',
        hide: { prompt, ...hide },
      },
    },
  };
}

test('a hidden shape: neither map nor sizes, and nothing after it, before it is said', async ({
  lesson,
}) => {
  await lesson.openWith(stageThatHides({ what: 'shape', step: 'decoder.weights' }));
  const stage = await lesson.block('stage');
  await expect(stage.locator('.chip').last()).toHaveAttribute('title', 'decoder.weights');
  await stage.locator('.chip').last().click();
  await expect(stage.locator('.map')).toContainText('The map would tell its shape');
  await expect(stage.locator('.shape .result .axis')).toHaveText('?');
  await expect(stage.locator('.map [role=grid], .map canvas')).toHaveCount(0);
  await field(stage).fill('2 x 2');
  await field(stage).press('Enter');
  await expect(asked(stage)).toHaveAttribute('data-asks', 'true');
  await asked(stage).getByRole('button', { name: 'Show me' }).click();
  await expect(stage.locator('.map [role=grid]')).toBeVisible();
  await expect.poll(() => chipsOf(stage)).toContain('decoder.context');
});

test('what comes next is hidden with all that follows, and chosen by keyboard', async ({
  lesson,
  page,
}) => {
  await lesson.openWith(stageThatHides({ what: 'step', step: 'decoder.scores' }));
  const stage = await lesson.block('stage');
  await expect(stage.locator('.chip').last()).toHaveAttribute('title', 'decoder.scores');
  expect((await said(page)).includes('data-step="decoder.weights"')).toBe(false);
  await asked(stage)
    .getByRole('radio', { name: /weights$/ })
    .focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(reply(stage)).toContainText('Right.');
  await expect.poll(() => chipsOf(stage)).toContain('decoder.weights');
});
