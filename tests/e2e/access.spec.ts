// What those hear, touch and press who use no mouse or do not see the page: the help sheet, the roles, names and values of the
// main blocks, and fingers on a map.

import type { CDPSession, Locator, Page } from '@playwright/test';
import { apart, expect, LANGS, named, tabTo, test } from './lab';

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

// What a screen reader finds: roles, names, and values where they are none of the weights' own.

test('translate: what is read and written, with how sure it is; the weights are a grid that says itself what is in it', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau');
  const block = await named(page, 'translate');
  await expect(block).toMatchAriaSnapshot(`
    - textbox "Write an English sentence": I'm home.
    - button "Translate"
    - status
    - text: It reads
    - list:
      - listitem: i'm
      - listitem: home
      - listitem: .
      - listitem: <eos>
    - text: It writes
    - list:
      - listitem:
        - button /^je, probability \\d+%$/
    - paragraph: /rows. queries \\(written words\\); columns. keys \\(words read\\)/
    - paragraph: /^Size. 6 × 4; rows. query, columns. key. Smallest. [\\d.]+ at .+; largest. [\\d.]+ at .+ Largest in each row. je → /
    - grid "weights":
      - rowgroup:
        - row "i'm home . <eos>"
      - rowgroup:
        - row /^je /:
          - rowheader "je"
          - gridcell /^je × i'm 0\\.\\d+$/
          - gridcell /^je × home 0\\.\\d+$/
          - gridcell /^je × \\. 0\\.\\d+$/
          - gridcell /^je × <eos> 0\\.\\d+$/
          - gridcell "je Σ 1.000":
            - button "je Σ 1.000"
    - button "Save"
  `);
});

test('a map on a canvas: named, told in sentences, and a table beside it whose cells are the same numbers', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau');
  const block = await named(page, 'context-moving');
  await block.getByText('Table of numbers').click();
  await expect(block).toMatchAriaSnapshot(`
    - paragraph: /columns. hidden unit/
    - paragraph: /^Size. 6 × 64; rows. query, columns. hidden unit. Smallest. −0\\.\\d+ at suis × \\d+; largest. 0\\.\\d+ at /
    - 'application "Bahdanau: the context at each step"'
    - group "Size of the map":
      - button "Smaller" [disabled]
      - button "Larger"
    - group:
      - text: Table of numbers hidden unit
      - combobox "hidden unit":
        - option "0–39" [selected]
        - option "40–63"
      - 'grid "Bahdanau: the context at each step"':
        - rowgroup:
          - row /^0 1 2 3 /
        - rowgroup:
          - row /^je /:
            - rowheader "je"
            - gridcell /^−?\\d\\.\\d+$/
  `);
  const map = block.getByRole('application');
  const ids = (await map.getAttribute('aria-describedby'))!.split(' ');
  await expect(page.locator(`[id="${ids[0]}"]`)).toContainText('Size: 6 × 64');
  // The same cell by both: the canvas tells the number under its mark, the table has it as text.
  await map.focus();
  await page.keyboard.press('End');
  const told = (await page.locator(`[id="${ids[1]}"]`).innerText()).split(/\s+/).at(-1)!;
  const select = block.getByRole('combobox', { name: 'hidden unit' });
  await select.selectOption({ label: '40–63' });
  await expect(block.getByRole('row').nth(1).getByRole('gridcell').last()).toHaveText(told);
});

test('the stage: its steps, its passes, a slider that says where one is, and the sum behind a number', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau');
  const block = await named(page, 'step');
  await expect(block).toMatchAriaSnapshot(`
    - region "The computation, step by step":
      - group "Steps":
        - button "encoder · layer 1" [expanded]
        - button "encoder states"
        - button "scores"
        - button "weights"
        - button "context"
      - button "Play"
      - button "Previous step"
      - button "Next step"
      - group "Which pass":
        - button "forward" [pressed]
        - button "backward"
      - slider "Move through the steps"
      - combobox "which turn of the loop"
      - heading "PyTorch" [level=3]
      - heading "C++" [level=3]
      - heading "Shape" [level=3]
      - grid "weights"
      - button "Save"
      - region "Where this number comes from"
  `);
  const slider = block.getByRole('slider', { name: 'Move through the steps' });
  await expect(slider).toHaveAttribute('aria-valuetext', 'forward: weights');
});

test('training: its controls, what it has reached, its curve as sentence and table; and it does not chatter', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau');
  const block = await named(page, 'train');
  await expect(block).toMatchAriaSnapshot(`
    - button "Train"
    - button "One epoch"
    - button "Reset" [disabled]
    - spinbutton "seed"
    - status: not started
    - status
    - term: epoch
    - definition: 0 / 250
    - term: loss per token
    - definition: –
    - paragraph: "loss per token: no points yet."
    - group: Table of numbers
    - 'table "While it learns, it translates:"':
      - rowgroup:
        - row "source translation wanted"
      - rowgroup:
        - row /^Go\\. /
  `);
  // Every word that any live region of the block says while ten epochs go by.
  await block.evaluate((element) => {
    const said: string[] = [];
    (window as unknown as { said: string[] }).said = said;
    for (const region of element.querySelectorAll('[role=status], output'))
      new MutationObserver(() => said.push(region.textContent?.trim() ?? '')).observe(region, {
        ...{ characterData: true, childList: true, subtree: true },
      });
  });
  await block.getByRole('button', { name: 'Train' }).click();
  const epoch = block.locator('[data-epoch]');
  await expect
    .poll(async () => Number(await epoch.getAttribute('data-epoch')), { timeout: 90_000 })
    .toBeGreaterThanOrEqual(10);
  await block.getByRole('button', { name: 'Pause' }).click();
  const seconds = Number.parseFloat(await block.locator('.facts dd').last().innerText());
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
  const told = said.filter((text) => text.startsWith('Epoch '));
  expect(told[0]).toMatch(/^Epoch \d+ of 250; loss per token \d+\.\d+\.$/);
  expect(told.length).toBeLessThanOrEqual(2 + seconds / 5); // not one an epoch, whatever the machine
  expect(said.length).toBeLessThanOrEqual(told.length + 4); // besides: it trains, it is paused, the sentence is gone
});

test('a plot: a slider along the curve that reads it off, its lines in sentences, its numbers as a table', async ({
  lesson,
  page,
}) => {
  await lesson.open('kernel-regression');
  const block = await named(page, 'fit');
  await block.getByText('Table of numbers').last().click();
  await expect(block).toMatchAriaSnapshot(`
    - list:
      - listitem:
        - radio "fixed kernel" [checked]
    - slider "Pick a query"
    - paragraph: /^true curve. 50 points, from 0\\.000 at 0 to 1\\.\\d+ at 4\\.9; lowest 0\\.000 at 0, highest 3\\.\\d+ at 1\\.9\\. average. 50 points/
    - group:
      - text: Table of numbers
      - region "Table of numbers":
        - table:
          - rowgroup:
            - row "place x true curve average learned width fixed kernel"
          - rowgroup:
            - row /^0 0 /
            - row /^0\\.1 0\\.3581561 /
  `);
  const slider = block.getByRole('slider', { name: 'Pick a query' });
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', /^query x = 0\.00, fixed kernel = \d/);
});

/** Fingers, as the browser gets them from a screen. */
class Fingers {
  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<Fingers> {
    return new Fingers(await page.context().newCDPSession(page));
  }

  async put(type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: [number, number][]) {
    const touchPoints = at.map(([x, y], id) => ({ x, y, id }));
    await this.session.send('Input.dispatchTouchEvent', { type, touchPoints });
  }
}

apart.describe('on a phone', () => {
  apart.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  async function middle(box: Locator): Promise<[number, number]> {
    const { x, y, width, height } = (await box.boundingBox())!;
    return [x + width / 2, y + height / 2];
  }

  apart(
    'two fingers make a map larger, and the page stays as it is; one that rests reads, and opens nothing',
    async ({ lesson, page }) => {
      await lesson.open('bahdanau');
      const block = await named(page, 'context-moving');
      const map = block.getByRole('application');
      await map.scrollIntoViewIfNeeded();
      const [x, y] = await middle(map);
      const fingers = await Fingers.on(page);
      await fingers.put('touchStart', [x - 20, y], [x + 20, y]);
      for (const far of [30, 45, 60]) await fingers.put('touchMove', [x - far, y], [x + far, y]);
      await fingers.put('touchEnd');
      await expect
        .poll(async () => Number(await map.getAttribute('data-larger')))
        .toBeCloseTo(3, 1);
      expect(await page.evaluate(() => visualViewport!.scale)).toBe(1);

      const readout = block.locator('.readout').first();
      const at = await middle(block.locator('.scroll').first());
      await fingers.put('touchStart', at);
      await expect(readout).toHaveText(/\d/);
      await page.waitForTimeout(500); // it rests
      const first = await readout.innerText();
      await fingers.put('touchMove', [at[0] - 60, at[1]]);
      await expect(readout).not.toHaveText(first);
      await fingers.put('touchEnd');
      await expect(block.getByRole('region', { name: 'Where this number comes from' })).toHaveCount(
        0,
      );
    },
  );

  apart(
    'a finger that rests on a cell with its number reads it and opens nothing; a tap opens it',
    async ({ lesson, page }) => {
      await lesson.open('bahdanau');
      const block = await named(page, 'weights');
      const cell = block.locator('[data-at="1,1"]');
      await cell.scrollIntoViewIfNeeded();
      const fingers = await Fingers.on(page);
      await fingers.put('touchStart', await middle(cell));
      await page.waitForTimeout(500);
      await expect(block.locator('.readout')).toHaveText(/^suis × home\s+0\.\d+$/);
      await fingers.put('touchEnd');
      const working = block.getByRole('region', { name: 'Where this number comes from' });
      await expect(working).toHaveCount(0);
      await cell.tap();
      await expect(working).toBeVisible();
    },
  );
});
