// What can go wrong outside the page's own code: each fault ends in a sentence of the reader's language and a way on, and what the
// page said was saved is still there. More of them where their subject is: hosting.spec.ts (an engine that does not load or throws,
// cut weights), offline.spec.ts (an old cache, a cut file), lessons/playground.spec.ts (IndexedDB full or forbidden, a shared shelf).

import type { Locator, Page, Worker } from '@playwright/test';
import en from '../../web/src/words/en.json' with { type: 'json' };
import zh from '../../web/src/words/zh.json' with { type: 'json' };
import { figure } from '../../tools/figures.mjs';
import { expect, LANGS, test, type Lang, type Lesson } from './lab';

const WORDS = { zh, en };
const RECIPE = '#hidden_size=16&embed_size=16&epochs=400&batch_size=16&min_frequency=1&held=8';
const NAMES = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hal'];
const PAIRS = NAMES.flatMap((name) =>
  ['sleeps/dort', 'sings/chante', 'eats/mange'].map((does) => {
    const [english, french] = does.split('/');
    return `${name} ${english}.\t${name} ${french}.`;
  }),
).join('\n');

// eslint-disable-next-line no-empty-pattern
test.afterEach(({}, { status }) => {
  if (status === 'passed') figure('faults survived', 1);
});

const button = (within: Locator, lang: Lang, key: keyof typeof en): Locator =>
  within.getByRole('button', { name: WORDS[lang][key], exact: true });

/** The playground with pairs that are soon learnt. */
async function playground(lesson: Lesson, lang: Lang, recipe = RECIPE): Promise<Locator> {
  await lesson.open('playground', lang, recipe);
  const pairs = await lesson.block('pairs');
  const file = { name: 'names.tsv', mimeType: 'text/plain', buffer: Buffer.from(PAIRS) };
  await pairs.locator('.drop input').setInputFiles(file);
  await expect(pairs.locator('h3')).toHaveText('names.tsv');
  return lesson.block('course');
}

async function oneEpoch(course: Locator, lang: Lang): Promise<void> {
  const epoch = course.locator('[data-epoch]');
  const before = Number(await epoch.getAttribute('data-epoch'));
  await button(course, lang, 'train.step').click();
  await expect.poll(async () => Number(await epoch.getAttribute('data-epoch'))).toBe(before + 1);
}

async function engine(page: Page, name: 'look' | 'train'): Promise<Worker> {
  for (const worker of page.workers())
    if ((await worker.evaluate(() => self.name)) === name) return worker;
  throw new Error(`no worker "${name}"`);
}

async function save(lesson: Lesson, lang: Lang, name: string): Promise<void> {
  const shelf = await lesson.block('shelf');
  await shelf.getByRole('textbox').first().fill(name);
  await button(shelf, lang, 'shelf.save').click();
  await expect(shelf.locator(`[data-run="${name}"]`)).toBeVisible();
}

for (const lang of LANGS) {
  const words = WORDS[lang];

  test(`${lang}: the browser ends the worker while it trains: it is told, and what was saved is there`, async ({
    lesson,
    page,
  }) => {
    const course = await playground(lesson, lang);
    await oneEpoch(course, lang);
    await save(lesson, lang, 'Mine');
    await button(course, lang, 'train.resume').click();
    await (await engine(page, 'train')).evaluate(() => self.close()); // no event tells of it
    await expect(course.getByRole('alert').first()).toContainText(words['error.crash']);
    await button(course, lang, 'error.restart').first().click();
    await expect(course.getByRole('alert')).toHaveCount(0);
    await page.reload();
    const shelf = await lesson.block('shelf');
    const mine = shelf.locator('[data-run=Mine]');
    await button(mine, lang, 'course.goOn').click();
    await expect((await lesson.block('course')).locator('[data-epoch]')).toHaveAttribute(
      'data-epoch',
      '1',
    );
  });

  test(`${lang}: no memory is left for a training: it is told, and with smaller settings it trains`, async ({
    lesson,
    page,
  }) => {
    const course = await playground(lesson, lang);
    await oneEpoch(course, lang);
    await (
      await engine(page, 'train')
    ).evaluate(() => {
      WebAssembly.Memory.prototype.grow = () => {
        throw new RangeError('WebAssembly.Memory.grow(): could not allocate memory');
      };
    });
    const size = (await lesson.block('recipe')).locator(
      '[data-state=hidden_size] input[type=text]',
    );
    await size.fill('512');
    await size.press('Enter');
    await expect(button(course, lang, 'train.play')).toBeVisible(); // of another run, which begins
    await button(course, lang, 'train.step').click();
    await expect(course.getByRole('alert').first()).toContainText(words['error.memory']);
    await size.fill('16');
    await size.press('Enter');
    await expect(course.getByRole('alert')).toHaveCount(0);
    await oneEpoch(course, lang);
    await expect(course.getByRole('alert')).toHaveCount(0);
  });

  test.describe(() => {
    test.use({
      expected: [
        /Failed to load resource|dynamically imported|Unexpected end|SyntaxError|wasm streaming|ArrayBuffer instantiation|asynchronously prepare wasm|^Aborted/,
      ],
    });

    test(`${lang}: an engine that arrives in half is told, and a second try succeeds`, async ({
      lesson,
      page,
    }) => {
      await page.route(/attn-.*\.wasm$/, async (route) => {
        const response = await route.fetch();
        const body = await response.body();
        const type = { 'content-type': 'application/wasm' };
        await route.fulfill({
          status: 200,
          headers: type,
          body: body.subarray(0, body.length / 2),
        });
      });
      await lesson.open('bahdanau', lang);
      const block = page.locator('[data-kind=translate]').first();
      await expect(block.getByRole('alert')).toContainText(words['error.crash']);
      await page.unroute(/attn-.*\.wasm$/);
      await button(block, lang, 'error.restart').click();
      await expect(block.locator('[data-text]')).toHaveAttribute('data-text', /\S/);
      await expect(block.getByRole('alert')).toHaveCount(0);
    });

    test(`${lang}: a block whose script arrives in half is told in its place, the others work, and the page can be had anew`, async ({
      lesson,
      page,
    }) => {
      await page.route(/assets\/plotting-[\w-]+\.js$/, async (route) => {
        const response = await route.fetch();
        const text = await response.text();
        const headers = { 'content-type': 'text/javascript', 'cache-control': 'no-store' };
        await route.fulfill({ headers, body: text.slice(0, text.length / 2) });
      });
      await lesson.open('kernel-regression', lang);
      const alert = page.locator('.block [role=alert]').first();
      await alert.scrollIntoViewIfNeeded();
      await expect(alert).toContainText(words['error.load']);
      const map = page.locator('[data-kind=heatmap]').first();
      await map.scrollIntoViewIfNeeded();
      await expect(map).toHaveAttribute('data-alive', 'true');
      await page.unroute(/assets\/plotting-[\w-]+\.js$/);
      await alert.getByRole('button', { name: words['error.reload'] }).click();
      const plot = page.locator('[data-kind=plot]').first();
      await expect(async () => {
        await plot.scrollIntoViewIfNeeded(); // again, where what came alive above has pushed it out of sight
        await expect(plot).toHaveAttribute('data-alive', 'true', { timeout: 2_000 });
      }).toPass();
      await expect(page.locator('.error')).toHaveCount(0);
    });
  });
}

test('small things cannot be remembered (localStorage is forbidden): the page works and forgets', async ({
  lesson,
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
  });
  await lesson.open('bahdanau');
  await page.locator('#theme').click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', /light|dark/);
  const block = await lesson.block('translate');
  await expect(block.locator('[data-text]')).toHaveAttribute('data-text', /\S/);
});

test('two tabs save at once: each finds both models', async ({ lesson, context }) => {
  const course = await playground(lesson, 'en');
  await oneEpoch(course, 'en');
  const tab = await context.newPage();
  const other = Object.assign(Object.create(lesson) as Lesson, { page: tab });
  const theirs = await playground(other, 'en');
  await oneEpoch(theirs, 'en');
  const both = [lesson, other];
  await Promise.all(both.map((each, i) => save(each, 'en', `Tab ${i}`)));
  for (const each of both) {
    await each.page.reload();
    const shelf = await each.block('shelf');
    for (const i of [0, 1]) await expect(shelf.locator(`[data-run="Tab ${i}"]`)).toBeVisible();
  }
  await tab.close();
});

test('the clock jumps while a model trains: it goes on, and its times are times', async ({
  lesson,
  page,
}) => {
  const course = await playground(lesson, 'en');
  await button(course, 'en', 'train.play').click();
  const epoch = (): Promise<number> =>
    course.locator('[data-epoch]').getAttribute('data-epoch').then(Number);
  await expect.poll(epoch).toBeGreaterThan(0);
  const DAY = 86_400_000;
  // The date may jump either way; the clock of a document or a worker only ever forwards (a machine that slept).
  const jump = ([days, ahead]: [number, number]): void => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + days;
    const monotonic = performance.now.bind(performance);
    performance.now = () => monotonic() + ahead;
  };
  for (const days of [DAY, -3 * DAY]) {
    await page.evaluate(jump, [days, DAY] as [number, number]);
    await (await engine(page, 'train')).evaluate(jump, [days, DAY] as [number, number]);
    const before = await epoch();
    await expect.poll(epoch).toBeGreaterThan(before + 1);
  }
  await button(course, 'en', 'train.pause').click();
  await expect(course.getByRole('alert')).toHaveCount(0);
  const facts = await course.locator('.facts').textContent();
  expect(facts).not.toMatch(/NaN|Infinity|undefined|−/);
  await save(lesson, 'en', 'After the jump');
});
