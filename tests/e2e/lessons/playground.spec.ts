// The playground: own pairs in, a recipe, training that is watched over, and a model that stays.

import type { Download, Locator, Page } from '@playwright/test';
import { readFileSync, writeFileSync } from 'node:fs';
import { modelFile } from '../../../web/src/page/proof/goldens';
import { expect, ROOT, test, type Lesson } from '../lab';

const SLUG = 'playground';
const GOLDENS = `${ROOT}tests/parity/goldens`;

interface Golden {
  pairs: string;
  config: Record<string, number>;
  weights: Parameters<typeof modelFile>[0];
  correct: { loss_per_token: number[] };
}
const golden = JSON.parse(
  readFileSync(`${GOLDENS}/models/bahdanau_training.json`, 'utf8'),
) as Golden;

/** Forty-eight pairs that are quickly learnt. */
const NAMES = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hal'];
const DOES = [
  ['sleeps', 'dort'],
  ['sings', 'chante'],
  ['runs', 'court'],
  ['eats', 'mange'],
  ['reads', 'lit'],
  ['waits', 'attend'],
] as const;
const LINES = NAMES.flatMap((name) => DOES.map(([en, fr]) => `${name} ${en}.\t${name} ${fr}.`));

const RECIPE = '#hidden_size=16&embed_size=16&epochs=6&batch_size=16&min_frequency=1&held=8&seed=3';

const button = (block: Locator, name: string): Locator =>
  block.getByRole('button', { name, exact: true });

const file = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

const choose = (block: Locator, name: string, content: string | Uint8Array): Promise<void> =>
  block.locator('.drop input').setInputFiles(file(name, content));

/** Other pairs begin every training anew: they have to lie there before one starts. */
async function bring(lesson: Lesson, name: string, content: string | Uint8Array): Promise<Locator> {
  const block = await lesson.block('pairs');
  await choose(block, name, content);
  await expect(block.locator('h3')).toHaveText(name);
  return block;
}

async function drop(page: Page, target: Locator, name: string, content: Uint8Array): Promise<void> {
  const files = await page.evaluateHandle(
    ({ as, bytes }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], as));
      return transfer;
    },
    { as: name, bytes: [...content] },
  );
  await target.dispatchEvent('drop', { dataTransfer: files });
}

const epoch = (course: Locator): Promise<number> =>
  course.locator('[data-epoch]').getAttribute('data-epoch').then(Number);

async function reaches(course: Locator, wanted: number): Promise<void> {
  await expect.poll(() => epoch(course), { timeout: 60_000 }).toBeGreaterThanOrEqual(wanted);
}

/** Both losses of each epoch, as the table has them. */
async function losses(course: Locator): Promise<string[][]> {
  const table = course.locator('details').first();
  if ((await table.getAttribute('open')) === null)
    await table.getByText('Table of numbers').click();
  const rows = await table.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allTextContents()));
}

async function download(page: Page, from: Locator): Promise<Uint8Array> {
  const [got] = await Promise.all([page.waitForEvent('download'), from.click()]);
  return readFileSync(await (got as Download).path());
}

async function oneEpoch(course: Locator): Promise<void> {
  const before = await epoch(course);
  await button(course, 'One epoch').click();
  await reaches(course, before + 1);
  await expect(course.locator('.phase')).not.toHaveText('training…');
}

test('a file is dropped: good lines are used, bad ones named by number and reason, as the engine gives them', async ({
  lesson,
  page,
}) => {
  await lesson.open(SLUG, 'en', RECIPE);
  const block = await lesson.block('pairs');
  const count = block.locator('[data-pairs]');
  await expect(count).toHaveAttribute('data-pairs', '2182'); // of the corpus, as its README has it
  await expect(block.locator('[data-held]')).toHaveAttribute('data-held', '199');

  const bad = ['no tab here', '\tLui.', 'Who?\t', `${'so '.repeat(1001)}\tTrop.`];
  const text = [...bad, ...LINES].join('\n');
  const latin = Buffer.concat([Buffer.from(`${text}\nCafe.\tCaf`), Buffer.from([0xe9])]); // é of Latin-1
  await drop(page, block.locator('.drop'), 'mine.tsv', latin);
  await expect(count).toHaveAttribute('data-pairs', '48');
  await expect(block.locator('h3')).toHaveText('mine.tsv');
  const rows = block.locator('details tbody tr');
  await expect(rows).toHaveText([
    '1one column; a TAB separates source and target',
    '2no source sentence',
    '3no target sentence',
    '41001 tokens; at most 1000 make a sentence',
    '53not UTF-8',
  ]);
  await expect(block.locator('[data-bad]')).toHaveAttribute('data-bad', '5');
  await expect(block.locator('.scroll').first()).toContainText('Ann sleeps.');
  await expect(block.locator('.scroll').first()).toContainText('ann sleeps .'); // as the engine reads it
  await expect(block.locator('[data-held]')).toHaveAttribute('data-held', '8');
});

test('a wrong file, an empty one and a huge one are refused with a way on; what was there stays', async ({
  lesson,
}) => {
  await lesson.open(SLUG, 'zh', RECIPE);
  const block = await bring(lesson, 'good.tsv', LINES.join('\r\n'));
  const count = block.locator('[data-pairs]');
  await expect(count).toHaveAttribute('data-pairs', '48');
  await expect(block.locator('details')).toHaveCount(0); // no bad line
  await choose(block, 'prose.txt', 'Only prose.\nNo pair in it.');
  await expect(block.getByRole('alert')).toContainText('文件里没有一行是一对句子。第 1 行');
  await expect(block).toContainText('先前的句对还在用');
  await choose(block, 'empty.tsv', '');
  await expect(block.getByRole('alert')).toContainText('“empty.tsv”是空的');
  await choose(block, 'photo.png', Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 255]));
  await expect(block.getByRole('alert')).toContainText('文件里没有一行是一对句子');

  const large = test.info().outputPath('large.tsv');
  writeFileSync(large, 'Go.\tVa !\n'.repeat(4 * 1024 * 1024)); // 36 MiB
  await block.locator('.drop input').setInputFiles(large);
  await expect(block.getByRole('alert')).toContainText('36 MiB，最多读 32 MiB');
  await expect(count).toHaveAttribute('data-pairs', '48');
  await button(block, '换回附带的语料').click();
  await expect(count).toHaveAttribute('data-pairs', '2182');
});

test('lines can be pasted; tags in them stay text', async ({ lesson, page }) => {
  await lesson.open(SLUG, 'en', RECIPE);
  const block = await lesson.block('pairs');
  await button(block, 'Paste lines').click();
  await button(block, 'Use these lines').click();
  await expect(block.getByRole('alert')).toContainText('Nothing has been pasted');
  await block.getByRole('textbox').fill(`<img src=x onerror=alert(1)>\t<b>Oui</b>\n${LINES[0]}`);
  await button(block, 'Use these lines').click();
  await expect(block.locator('[data-pairs]')).toHaveAttribute('data-pairs', '2');
  await expect(block.locator('.scroll').first()).toContainText('<b>Oui</b>');
  await expect(page.locator('.block img, .block td b')).toHaveCount(0);
});

test('a recipe has its size and its time before it starts, and each is measured', async ({
  lesson,
}) => {
  await lesson.open(SLUG, 'en', '#hidden_size=32&layers=2&book=true&examples=600&min_frequency=2');
  const block = await lesson.block('recipe');
  const parameters = block.locator('[data-parameters]');
  await expect(block.locator('[data-training]')).toHaveAttribute('data-training', '601'); // one more: the book's slip
  await expect(block.getByText('real steps were just made here')).toBeVisible();
  const estimate = block.locator('[data-estimate]');
  await expect(estimate).toHaveText(/^≈ \d/);
  await block.getByRole('radio', { name: 'Transformer' }).check();
  const heads = block.locator('[data-state=heads] input[type=text]');
  await heads.fill('5');
  await heads.press('Enter');
  await expect(block.getByRole('alert')).toContainText('5'); // heads that do not divide the hidden size
  await heads.fill('4');
  await heads.press('Enter');
  await expect(block.getByRole('alert')).toHaveCount(0);
  await expect(parameters).toHaveAttribute('data-parameters', /^\d+$/);
  await button(block, 'Large').click();
  await expect(block.locator('[data-state=hidden_size] input[type=text]')).toHaveValue('128');
  await expect(button(block, 'Large')).toHaveAttribute('aria-pressed', 'true');
  await button(block, 'How long would each take on this machine?').click();
  await expect(block.locator('[data-time]')).toHaveCount(3, { timeout: 60_000 });
  const [small, , large] = await block
    .locator('[data-time]')
    .evaluateAll((all) => all.map((each) => Number((each as HTMLElement).dataset['time'])));
  expect(large).toBeGreaterThan(small! * 5);
});

test('what is trained here is what PyTorch trains: from its weights, on its pairs, to its losses', async ({
  lesson,
}) => {
  const { config, pairs, weights, correct } = golden;
  const { embed_size, hidden_size, layers, num_steps, min_frequency, learning_rate, clip } = config;
  const set = { embed_size, hidden_size, layers, num_steps, min_frequency, learning_rate, clip };
  const recipe = Object.entries({ ...set, dropout: 0, held: 0, epochs: 3, examples: 0 });
  await lesson.open(SLUG, 'en', `#${recipe.map((pair) => pair.join('=')).join('&')}`);
  await bring(lesson, 'golden.tsv', pairs);
  const shelf = await lesson.block('shelf');
  await shelf.locator('.drop input').setInputFiles(file('w.safetensors', modelFile(weights)));
  // Without its settings such a file does not say enough.
  await expect(shelf.getByRole('alert')).toContainText('neither config nor vocabularies');

  const own = withSettings(weights, config, pairs);
  await shelf.locator('.drop input').setInputFiles(file('w.safetensors', own));
  await expect(shelf.getByRole('status')).toContainText('is in use now');
  const course = await lesson.block('course');
  await button(course, 'Train').click();
  await reaches(course, 3);
  const got = (await losses(course)).map(([learnt]) => Number(learnt));
  expect(got).toHaveLength(3);
  got.forEach((loss, i) => {
    const wanted = correct.loss_per_token[i]!;
    expect(Math.abs(loss - wanted) / wanted).toBeLessThan(2e-5);
  });
});

/** The golden's weights as a file that says how it was made. */
function withSettings(
  weights: Golden['weights'],
  config: Golden['config'],
  pairs: string,
): Uint8Array {
  const plain = Buffer.from(modelFile(weights));
  const length = Number(plain.readBigUInt64LE(0));
  const header = JSON.parse(plain.subarray(8, 8 + length).toString()) as Record<string, object>;
  const vocabulary = JSON.parse(
    readFileSync(`${GOLDENS}/models/bahdanau_training.json`, 'utf8'),
  ) as {
    source_words: string[];
    target_words: string[];
  };
  expect(pairs).toContain('\t');
  header['__metadata__'] = {
    ...{
      format: 'pt',
      model: 'bahdanau',
      config: JSON.stringify({ ...config, dropout: 0, epochs: 3 }),
    },
    source_vocabulary: JSON.stringify(vocabulary.source_words),
    target_vocabulary: JSON.stringify(vocabulary.target_words),
  };
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8, ' ')]);
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([size, padded, plain.subarray(8 + length)]);
}

test('it trains with validation; after a refresh it goes on, and the losses are those of a run that was not interrupted', async ({
  lesson,
  page,
}) => {
  await lesson.open(SLUG, 'en', RECIPE);
  await bring(lesson, 'names.tsv', LINES.join('\n'));
  let course = await lesson.block('course');
  await button(course, 'Train').click();
  await expect(course.locator('.phase')).toHaveText('done', { timeout: 60_000 });
  const whole = await losses(course);
  expect(whole).toHaveLength(6);
  for (const row of whole) for (const loss of row) expect(Number(loss)).toBeGreaterThan(0);
  await expect(course.locator('[data-held-loss]')).toHaveAttribute('data-held-loss', /^\d/);
  const bleu = Number(await course.locator('[data-bleu]').getAttribute('data-bleu'));
  expect(bleu).toBeGreaterThanOrEqual(0);
  expect(bleu).toBeLessThanOrEqual(1);
  // Eight pairs were held out, each with one end mark and one full stop.
  for (const kind of ['end', 'punctuation']) {
    const row = course.locator(`[data-kind-of=${kind}]`);
    await expect(row).toContainText('of 8');
    expect(Number(await row.getAttribute('data-right'))).toBeGreaterThanOrEqual(0);
  }
  await expect(course.locator('[data-stage]')).not.toBeEmpty();

  await button(course, 'Reset').click();
  await expect(course.locator('.phase')).toHaveText('not started');
  for (let n = 0; n < 3; n += 1) await oneEpoch(course);
  await expect(course.locator('[data-kept]')).toHaveAttribute('data-kept', '3');

  await page.goto('about:blank');
  await lesson.open(SLUG, 'en'); // without the recipe: it comes with the run
  course = await lesson.block('course');
  await expect(course.locator('[data-unfinished]')).toHaveAttribute('data-unfinished', '3');
  await button(course, 'Go on').click();
  await reaches(course, 3);
  const pairs = await lesson.block('pairs');
  await expect(pairs.locator('h3')).toHaveText('names.tsv');
  course = await lesson.block('course');
  await button(course, 'Resume').click();
  await expect(course.locator('.phase')).toHaveText('done', { timeout: 60_000 });
  expect(await losses(course)).toEqual(whole);

  // More epochs are no other run.
  const epochs = (await lesson.block('recipe')).locator('[data-state=epochs] input[type=text]');
  await epochs.fill('8');
  await epochs.press('Enter');
  await expect(course.locator('.phase')).toHaveText('paused');
  await button(course, 'Resume').click();
  await expect(course.locator('.phase')).toHaveText('done', { timeout: 60_000 });
  const longer = await losses(course);
  expect(longer.slice(0, 6)).toEqual(whole);
  expect(longer).toHaveLength(8);
});

test('a model is saved under a name, downloaded, deleted, and comes back from its files', async ({
  lesson,
  page,
}) => {
  await lesson.open(SLUG, 'en', RECIPE);
  await bring(lesson, 'names.tsv', LINES.join('\n'));
  const course = await lesson.block('course');
  await oneEpoch(course);
  await oneEpoch(course);
  const two = await losses(course);
  const shelf = await lesson.block('shelf');
  await shelf.getByRole('textbox', { name: 'Name' }).fill('Mine <b>');
  await button(shelf, 'Save in this browser').click();
  await expect(shelf.getByRole('status')).toContainText('“Mine <b>” is saved');
  const entry = shelf.locator('[data-run="Mine <b>"]');
  await expect(entry).toContainText('epoch 2 of 6');
  await expect(entry).toContainText('names.tsv');
  await expect(entry).toContainText('KiB');

  const weights = await download(page, button(entry, 'Download weights'));
  const checkpoint = await download(page, button(entry, 'Download checkpoint'));
  await button(entry, 'Delete').click();
  await button(entry, 'Really delete?').click();
  await expect(entry).toHaveCount(0);

  await (await lesson.block('course')).getByRole('button', { name: 'Reset' }).click();
  const input = shelf.locator('.drop input');
  await input.setInputFiles(file('mine.checkpoint', checkpoint));
  await expect(shelf.getByRole('alert')).toContainText('goes with its weights');
  await input.setInputFiles(file('broken.safetensors', weights.subarray(0, weights.length / 2)));
  await expect(shelf.getByRole('alert')).toContainText('no usable file of weights');
  await input.setInputFiles(
    file('seq.safetensors', readFileSync(`${GOLDENS}/files/kernel_regression.safetensors`)),
  );
  await expect(shelf.getByRole('alert')).toHaveCount(1);
  await input.setInputFiles(file('none.safetensors', ''));
  await expect(shelf.getByRole('alert')).toContainText('is empty');

  await input.setInputFiles([
    file('mine.safetensors', weights),
    file('mine.checkpoint', checkpoint),
  ]);
  await expect(shelf.getByRole('status').first()).toContainText('goes on from where it stopped');
  await reaches(course, 2);
  expect((await losses(course)).map(([learnt]) => learnt)).toEqual(two.map(([learnt]) => learnt));
  await oneEpoch(course);
  expect(await epoch(course)).toBe(3);
});

test('a link holds the recipe and nothing of the pairs', async ({ lesson, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await lesson.open(SLUG, 'en');
  await bring(lesson, 'secret.tsv', LINES.join('\n'));
  const recipe = await lesson.block('recipe');
  await recipe.getByRole('radio', { name: 'Transformer' }).check();
  const seed = recipe.locator('[data-state=seed] input');
  await seed.fill('77');
  await seed.press('Enter');
  await button(recipe, 'Copy the recipe as a link').click();
  await expect(recipe).toContainText('Copied.');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('seed=77');
  expect(link).toContain('model=transformer');
  for (const word of ['secret', 'Ann', 'dort']) expect(link).not.toContain(word);

  await page.goto('about:blank');
  await page.goto(link);
  const again = await lesson.block('recipe');
  await expect(again.locator('[data-state=seed] input')).toHaveValue('77');
  await expect(again.getByRole('radio', { name: 'Transformer' })).toBeChecked();
  await expect((await lesson.block('pairs')).locator('[data-pairs]')).toHaveAttribute(
    'data-pairs',
    '2182',
  );
});

test('early stopping ends a run that makes no more progress, and gives back the best epoch', async ({
  lesson,
}) => {
  // A learning rate that soon does more harm than good.
  await lesson.open(
    SLUG,
    'en',
    `${RECIPE.replace('epochs=6', 'epochs=60')}&learning_rate=0.2&patience=2`,
  );
  await bring(lesson, 'names.tsv', LINES.join('\n'));
  const course = await lesson.block('course');
  await button(course, 'Train').click();
  const stopped = course.locator('[data-stopped]');
  await expect(stopped).toBeVisible({ timeout: 60_000 });
  const best = Number(await stopped.getAttribute('data-stopped'));
  expect(await epoch(course)).toBe(best + 2);
  await button(course, `Use the parameters of epoch ${best}`).click();
  await expect(button(course, `Use the parameters of epoch ${best}`)).toHaveCount(0);
  const held = (await losses(course)).map((row) => Number(row[1]));
  expect(Math.min(...held)).toBe(held[best - 1]);
});

const FORBID = (): void => {
  IDBFactory.prototype.open = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
};
const FILL = (): void => {
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('no room', 'QuotaExceededError');
  };
};
for (const [what, script, says] of [
  ['forbidden', FORBID, 'does not let the page store anything'],
  ['full', FILL, 'The storage is full'],
] as const)
  test(`storage that is ${what}: training goes on, the page says so, and the model can be taken as a file`, async ({
    lesson,
    page,
  }) => {
    await page.addInitScript(script);
    await lesson.open(SLUG, 'en', RECIPE);
    await bring(lesson, 'names.tsv', LINES.join('\n'));
    const course = await lesson.block('course');
    await oneEpoch(course);
    await expect(course).toContainText('It could not be kept; training goes on all the same.');
    await expect(course).toContainText(says);
    await oneEpoch(course);
    const shelf = await lesson.block('shelf');
    await button(shelf, 'Save in this browser').click();
    await expect(shelf.getByRole('alert').first()).toContainText(says);
    const bytes = await download(page, button(shelf, 'Download weights').first());
    expect(bytes.length).toBeGreaterThan(1000);
  });

test('a tab that is hidden goes on training, and says afterwards how far it came', async ({
  lesson,
  page,
}) => {
  await lesson.open(SLUG, 'en', RECIPE.replace('epochs=6', 'epochs=40'));
  await bring(lesson, 'names.tsv', LINES.join('\n'));
  const course = await lesson.block('course');
  await button(course, 'Train').click();
  await reaches(course, 1);
  const hide = (hidden: boolean): Promise<void> =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'hidden', { value: now, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await hide(true);
  await expect.poll(() => epoch(course), { timeout: 30_000 }).toBeGreaterThan(3);
  await hide(false);
  await expect(course).toContainText(/While you looked elsewhere it went on from epoch \d+ to \d+/);
});

test('two tabs show one shelf: what one deletes is gone in the other, and that is said', async ({
  lesson,
  page,
  context,
}) => {
  await lesson.open(SLUG, 'en', RECIPE);
  await bring(lesson, 'names.tsv', LINES.join('\n'));
  await oneEpoch(await lesson.block('course'));
  const shelf = await lesson.block('shelf');
  await shelf.getByRole('textbox', { name: 'Name' }).fill('Shared');
  await button(shelf, 'Save in this browser').click();
  const entry = shelf.locator('[data-run=Shared]');
  await expect(entry).toBeVisible();

  const other = await context.newPage();
  await other.goto(page.url());
  const there = other.locator('[data-block=shelf]');
  await there.scrollIntoViewIfNeeded();
  const theirs = there.locator('[data-run=Shared]');
  await button(theirs, 'Delete').click();
  await button(theirs, 'Really delete?').click();
  await expect(theirs).toHaveCount(0);
  await expect(entry).toHaveCount(0);
  await other.close();
});

test.describe('an engine that dies', () => {
  test.use({ expected: [/killed by the test/] });

  test('while it trains: the page says so, and the run goes on from what the browser kept', async ({
    lesson,
    page,
  }) => {
    await lesson.open(SLUG, 'en', RECIPE.replace('epochs=6', 'epochs=500'));
    await bring(lesson, 'names.tsv', LINES.join('\n'));
    const course = await lesson.block('course');
    await button(course, 'Train').click();
    await expect(course.locator('[data-kept]')).toBeVisible({ timeout: 60_000 });
    for (const worker of page.workers())
      await worker.evaluate(() => {
        if (self.name === 'train')
          setTimeout(() => {
            throw new Error('killed by the test');
          });
      });
    await expect(course.getByRole('alert')).toContainText('The engine has stopped.');
    await button(course, 'Restart the engine').click();
    const unfinished = course.locator('[data-unfinished]');
    await expect(unfinished).toBeVisible();
    const kept = Number(await unfinished.getAttribute('data-unfinished'));
    expect(kept).toBeGreaterThan(0);
    await button(course, 'Go on').click();
    await expect(course.locator('.phase')).toHaveText('paused');
    expect(await epoch(course)).toBe(kept);
    await oneEpoch(course);
    await expect(course.getByRole('alert')).toHaveCount(0);
  });
});

test('the three that came with the page differ only on what they were never shown', async ({
  lesson,
  page,
}) => {
  test.slow();
  await lesson.open(SLUG);
  const exactly = async (id: string): Promise<number[]> => {
    const table = page.locator(`[data-block=${id}]`);
    await table.scrollIntoViewIfNeeded();
    const cells = table.locator('[data-of=exact] [data-value]');
    await expect(cells).toHaveCount(3, { timeout: 90_000 });
    return cells.evaluateAll((all) =>
      all.map((cell) => Number((cell as HTMLElement).dataset['value'])),
    );
  };
  const unmet = await exactly('shipped');
  expect(unmet[1]).toBeLessThan(0.1);
  expect(Math.abs(unmet[2]! - 0.5)).toBeLessThan(0.15);
  // What the text says of what they learnt: all three do well, and there is little to choose between them.
  const met = await exactly('learnt');
  expect(Math.min(...met)).toBeGreaterThan(0.7);
  expect(Math.max(...met) - Math.min(...met)).toBeLessThan(0.15);
});
