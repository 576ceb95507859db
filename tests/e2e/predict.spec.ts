import { readFileSync } from 'node:fs';
import { complaints, expect, LANGS, ROOT, sidewaysRoom, test } from './lab';

test('a hidden number: typed, marked by the engine, and opened', async ({ lesson, page }) => {
  await lesson.open('kernel-regression');
  const block = await lesson.block('predict');
  const field = block.getByRole('textbox');
  await expect(field).toBeVisible();
  expect(await block.innerHTML()).not.toContain('0.02'); // the answer is not in the page
  const reply = block.locator('.reply');

  await field.fill('0.2');
  await field.press('Enter');
  await expect(reply).toContainText('Too large by 0.180.');
  await expect(field).toBeVisible();
  await field.fill('0.200');
  await field.press('Enter');
  await expect(reply).toContainText('Too large by 0.180.');

  await field.fill('one in fifty');
  await field.press('Enter');
  await expect(reply).toContainText('Write a number, such as 0.25.');

  await field.fill('0.02');
  await field.press('Enter');
  await expect(reply).toContainText('Right. The number is 0.02.');
  await expect(page).toHaveURL(/share\.guess=0\.02/);
  await block.getByRole('button', { name: 'Open the sum' }).click();
  await expect(block.locator('.working')).toHaveAttribute('data-stored', /^0\.0199|^0\.02/);

  await page.reload();
  await expect((await lesson.block('predict')).locator('.reply')).toContainText('Right.');
});

test('a digit that stands elsewhere is recognised, and showing the answer is an answer too', async ({
  lesson,
  page,
}) => {
  await lesson.open('kernel-regression', 'en', '#share.guess=-0.020');
  const block = await lesson.block('predict');
  await expect(block.locator('.reply')).toContainText('Only the sign is wrong.');
  await block.getByRole('button', { name: 'Show me' }).click();
  await expect(block.locator('.reply')).toContainText('Here it is.');
  await expect(block.locator('[data-answer]')).toHaveText(/0\.0(19|2)/);
  await block.getByRole('button', { name: 'Try again' }).click();
  await expect(block.getByRole('textbox')).toHaveValue('');
  await expect(page).not.toHaveURL(/share/);
});

test('a shape, in another order, too short, and right; by keyboard alone', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('predict', 2);
  const field = block.getByRole('textbox');
  await field.focus();
  const say = async (text: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  const reply = block.locator('.reply');
  await say('4 x 6');
  await expect(reply).toContainText('The sizes are right, in another order.');
  await field.focus();
  await say('24');
  await expect(reply).toContainText('As many numbers as that, on other axes.');
  await field.focus();
  await say('6 x 4');
  await expect(reply).toContainText('Right; axes of size 1 left out.');
  await expect(reply).toContainText('weights: time step 6 × batch 1 × query 1 × key 4.');
});

test('which step comes next: early, done, and right', async ({ lesson }) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('predict');
  const pick = async (name: RegExp): Promise<void> => {
    await block.getByRole('radio', { name }).check();
    await block.getByRole('button', { name: 'Check' }).click();
  };
  await pick(/context/);
  await expect(block.locator('.reply')).toContainText('it comes 3 steps later');
  await pick(/features/);
  await expect(block.locator('.reply')).toContainText('Right.');
  await expect(block.locator('.answer')).toHaveText(/features/);
});

test('no lesson stores an answer', () => {
  for (const name of ['20-kernel-regression', '50-bahdanau']) {
    const { blocks } = JSON.parse(readFileSync(`${ROOT}lessons/${name}/lesson.json`, 'utf8')) as {
      blocks: Record<string, Record<string, unknown>>;
    };
    const asked = Object.values(blocks).filter(({ kind }) => kind === 'predict');
    expect(asked.length).toBeGreaterThan(0);
    for (const options of asked)
      expect(Object.keys(options)).not.toEqual(expect.arrayContaining(['answer']));
  }
});

for (const lang of LANGS)
  test(`questions on a phone: nothing sticks out, axe finds nothing, ${lang}`, async ({
    lesson,
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await lesson.open('bahdanau', lang);
    for (const n of [0, 1, 2]) await lesson.block('predict', n);
    await lesson.settled();
    expect(await sidewaysRoom(page)).toBe(0);
    expect(await complaints(page, '[data-kind=predict]')).toEqual([]);
  });
