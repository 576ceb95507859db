import { cells, expect, headers, LANGS, sidewaysRoom, test, type Lesson } from './lab';
import type { Locator } from '@playwright/test';

async function translate(lesson: Lesson, sentence: string): Promise<Locator> {
  const block = await lesson.block('translate');
  await block.getByRole('textbox').fill(sentence);
  await block.getByRole('textbox').press('Enter');
  await lesson.settled();
  return block;
}

const answer = (block: Locator): Locator => block.locator('[data-text]');

for (const lang of LANGS)
  test(`${lang}: a sentence is translated by the shipped weights before any training`, async ({
    lesson,
  }) => {
    await lesson.open('bahdanau', lang);
    const block = await translate(lesson, "I'm home.");
    await expect(answer(block)).toHaveAttribute('data-text', 'je suis chez moi .');
    await expect(
      block.getByRole('listitem').filter({ hasText: /^(i'm|home|\.|<eos>)$/ }),
    ).toHaveText(["i'm", 'home', '.', '<eos>']);
  });

test('where a lesson gives the choice, the learner picks which model answers', async ({
  lesson,
  page,
}) => {
  await page.route('**/en/bahdanau/', async (route) => {
    const html = await (await route.fetch()).text();
    const body = html
      .replace(/("kind":"translate",[^]*?"session":)"trained"/, '$1{"state":"model"}')
      .replace(
        '"state":{',
        '"state":{"model":{"type":"choice","default":"trained","choices":["trained","fresh"]},',
      );
    await route.fulfill({ body, contentType: 'text/html' });
  });
  await lesson.open('bahdanau');
  const block = await lesson.block('translate');
  await expect(answer(block)).toHaveAttribute('data-text', 'je suis chez moi .');
  await block.getByRole('radio', { name: 'the one you train on this page' }).check();
  await expect(answer(block)).not.toHaveAttribute('data-text', 'je suis chez moi .');
  await expect(page).toHaveURL(/model=fresh/);
  await page.goBack();
  await expect(answer(block)).toHaveAttribute('data-text', 'je suis chez moi .');
});

test('the heat map has tokens on both axes, rows that sum to 1, and no padding', async ({
  lesson,
}) => {
  await lesson.open('bahdanau');
  const block = await translate(lesson, "I'm home.");
  const map = block.getByRole('grid');
  expect(await headers(map)).toEqual({
    rows: ['je', 'suis', 'chez', 'moi', '.', '<eos>'],
    cols: ["i'm", 'home', '.', '<eos>'],
  });
  for (const row of await cells(map)) {
    expect(row).toHaveLength(4);
    expect(Math.abs(row.reduce((a, b) => a + b) - 1)).toBeLessThan(1e-6);
    for (const weight of row) expect(weight).toBeGreaterThan(0);
  }
  await expect(block).not.toContainText('<pad>');
});

test('a written word opens to the other candidates, most probable first', async ({ lesson }) => {
  await lesson.open('bahdanau');
  const block = await translate(lesson, "I'm home.");
  await block.getByRole('button', { name: /^chez,/ }).click();
  const others = await block.locator('.others li').allTextContents();
  expect(others.length).toBeGreaterThan(2);
  expect(others[0]).toContain('chez');
  const shares = others.map((text) => Number(/([\d.]+)%/.exec(text)![1]));
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
});

test('unknown words are marked and told', async ({ lesson }) => {
  await lesson.open('bahdanau');
  const block = await translate(lesson, 'I love xyzzy.');
  await expect(block.locator('.unknown')).toHaveText([/xyzzy/]);
  await expect(block.locator('.messages')).toContainText('sees only <unk>: xyzzy');
});

test('only unknown words, and emoji, still get an answer and a word of warning', async ({
  lesson,
}) => {
  await lesson.open('bahdanau');
  for (const sentence of ['xyzzy plugh', '😀🎉']) {
    const block = await translate(lesson, sentence);
    await expect(block.locator('.messages')).toContainText('knows none of these words');
    await expect(answer(block)).toHaveAttribute('data-text', /.*/);
  }
});

test('HTML is shown as text', async ({ lesson, page }) => {
  await lesson.open('bahdanau');
  const html = '<img src=x onerror=document.title="hacked">';
  const block = await translate(lesson, html);
  await expect(block.locator('.tokens').first()).toContainText('<img');
  await expect(block.locator('.tokens').first()).toContainText('.title="hacked">');
  await expect(block.locator('img')).toHaveCount(0);
  await expect(page).not.toHaveTitle('hacked');
  await page.reload();
  await expect((await lesson.block('translate')).getByRole('textbox')).toHaveValue(html);
  await expect(page.locator('.block img')).toHaveCount(0);
});

test('an empty sentence is refused, and the answer before it stays', async ({ lesson }) => {
  await lesson.open('bahdanau');
  await translate(lesson, "I'm home.");
  const block = await translate(lesson, '   ');
  await expect(block.locator('.messages')).toContainText('Write a sentence first');
  await expect(answer(block)).toHaveAttribute('data-text', 'je suis chez moi .');
});

test('a sentence of 500 words is cut, and the page says by how much', async ({ lesson, page }) => {
  await lesson.open('bahdanau');
  const block = await translate(lesson, 'home '.repeat(500));
  await expect(block.locator('.messages')).toContainText(/the last 49\d were cut off/);
  await expect(answer(block)).toHaveAttribute('data-text', /.*/);
  expect(await sidewaysRoom(page)).toBeLessThanOrEqual(0);
});

test('a sentence of far too many characters is refused', async ({ lesson }) => {
  await lesson.open('bahdanau');
  const block = await translate(lesson, 'home '.repeat(3000));
  await expect(block.locator('.messages')).toContainText('Too long');
});
