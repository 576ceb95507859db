import { expect, test } from './lab';

test('a link that asks for what is not there opens, and says what it dropped', async ({
  lesson,
  page,
}) => {
  await lesson.open('kernel-regression', 'en', '#point=7&seed=minus&colour=red');
  const plot = await lesson.block('plot');
  await expect(plot.getByRole('slider')).toHaveAttribute('aria-valuenow', '7');
  const notice = page.locator('.notice');
  await expect(notice).toContainText('Unknown here: colour');
  await expect(notice).toContainText('Unsuitable values: seed');
  await notice.getByRole('button').click();
  await expect(notice).toHaveCount(0);
});

test('a step or a cell that this run does not have is dropped, and told', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau', 'en', '#step.step=decoder.wieghts&step.cell=99,0');
  const stage = await lesson.block('stage');
  await expect(stage.locator('.chip[aria-current=step]')).toHaveAttribute(
    'title',
    'decoder.weights',
  );
  await expect(page.locator('.notice')).toContainText('step.step');
  await expect(page.locator('.notice')).toContainText('step.cell');
});

test('another seed in the URL begins everything anew', async ({ lesson, page }) => {
  await lesson.open('kernel-regression');
  const plot = await lesson.block('plot');
  const readout = plot.locator('.readout');
  await expect(readout).toContainText('query');
  const before = (await readout.textContent())!;
  await page.evaluate(() => (location.hash = '#seed=77'));
  await expect(readout).not.toHaveText(before);
  await page.goBack();
  await expect(readout).toHaveText(before);
});

test('what the learner changed is in the URL, and nothing else', async ({ lesson, page }) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('translate');
  expect(new URL(page.url()).hash).toBe('');
  await block.getByRole('textbox').fill('Go away!');
  await block.getByRole('textbox').press('Enter');
  await expect(page).toHaveURL(/#sentence=Go\+away!$/);
  await page.goBack();
  await expect(block.getByRole('textbox')).toHaveValue("I'm home.");
});

test('a jump to a section leaves the state alone', async ({ lesson, page }) => {
  await lesson.open('bahdanau', 'en', '#sentence=Go+on.');
  const block = await lesson.block('translate');
  await expect(block.getByRole('textbox')).toHaveValue('Go on.');
  await page.evaluate(() => (location.hash = '#train'));
  await expect(block.getByRole('textbox')).toHaveValue('Go on.');
});
