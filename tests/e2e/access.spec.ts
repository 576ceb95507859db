// What those hear, touch and press who use no mouse or do not see the page: the help sheet, the roles, names and values of the
// main blocks, and fingers on a map.

import type { CDPSession, Locator, Page } from '@playwright/test';
import { expect, LANGS, named, tabTo, test } from './lab';

test('the help sheet opens by ?, lists the keys of what stands on the page, and gives the focus back', async ({
  lesson,
  page,
}) => {
  for (const lang of LANGS) {
    await lesson.open('bahdanau', lang);
    const sheet = page.locator('#help');
    await expect(sheet).toBeHidden();
    const button = page.locator('#help-open');
    await tabTo(page, page.locator('body'), button);
    await page.keyboard.press('Enter');
    await expect(sheet).toBeVisible();
    await expect(sheet.locator('section')).not.toHaveCount(0);
    const wanted = lang === 'zh' ? ['舞台', '热图和它的表格', '滑块'] : ['The stage', 'Heat maps'];
    for (const name of wanted) await expect(sheet).toContainText(name);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(button).toBeFocused();
    await page.keyboard.press('?');
    await expect(sheet).toBeVisible();
    await sheet.getByRole('button').click();
    await expect(sheet).toBeHidden();
  }
});

test('a question mark that is typed is text; the key can be turned off, and stays so', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau');
  const field = (await named(page, 'translate')).getByRole('textbox');
  await field.fill('');
  await field.press('?');
  await expect(field).toHaveValue('?');
  await expect(page.locator('#help')).toBeHidden();
  await page.locator('#help-open').click();
  await page.locator('#help-key').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(page.locator('#help')).toBeHidden();
  await page.reload();
  await page.locator('body').press('?');
  await expect(page.locator('#help')).toBeHidden();
});

/** A lesson of one block of each kind, on the model that came with the site. */
const OWN = {
  sessions: {
    trained: { model: 'bahdanau', config: {}, weights: 'bahdanau' },
    fresh: { model: 'kernel-regression', config: { epochs: 5 } },
  },
  state: { sentence: { type: 'text', default: "I'm home.", max: 4000 } },
  blocks: {
    say: {
      kind: 'translate',
      session: 'trained',
      sentence: 'sentence',
      input: 'source',
      weights: 'decoder.attention.weights',
    },
    map: {
      kind: 'heatmap',
      session: 'trained',
      inputs: { source: "I'm home." },
      step: 'decoder.attention.weights',
    },
    large: {
      kind: 'heatmap',
      session: 'trained',
      inputs: { source: "I'm home." },
      step: 'encoder.states',
    },
    steps: {
      kind: 'stage',
      session: 'trained',
      inputs: { source: "I'm home." },
      start: 'decoder.attention.weights',
      small: true,
    },
    learn: { kind: 'train', session: 'fresh' },
  },
};

const NUMBER = '/−?\\d+(\\.\\d+)?(e−?\\d+)?/';
