// The stage's other axes (the optimiser's update, training time), edits, a fault that it must see, and how it stands in a frame.

import type { Locator, Page } from '@playwright/test';
import { cells, expect, LANGS, number, sidewaysRoom, test, type OwnBlocks } from './lab';

const BAHDANAU = { model: 'bahdanau', config: {}, weights: 'bahdanau' };
const PAIR = { sentence: "I'm home.", target: 'Je suis chez moi.' };

const translator = (more: object = {}): OwnBlocks => ({
  sessions: { it: BAHDANAU },
  blocks: { walk: { kind: 'stage', session: 'it', inputs: PAIR, from: 'loss', ...more } },
});

const chip = (stage: Locator, step: string): Locator => stage.locator(`.chip[title="${step}"]`);
const working = (stage: Locator): Locator => stage.locator('.working');
const stored = (stage: Locator): Promise<number> =>
  working(stage).getAttribute('data-stored').then(Number);
const weights = async (stage: Locator): Promise<number[][]> =>
  cells(stage.locator('.map').getByRole('grid').last());

/** Types a number over the open one. */
async function type(stage: Locator, value: string): Promise<void> {
  await stage.getByLabel('Another number here').fill(value);
  await stage.getByRole('button', { name: 'Set' }).click();
}

test('an edited score changes the weights of its row alone, is marked, stands in the URL, and can be undone', async ({
  lesson,
  page,
}) => {
  await lesson.openWith(translator({ start: 'decoder.weights' }));
  const stage = await lesson.block('stage');
  const grid = stage.locator('.map').getByRole('grid').last();
  await expect(grid).toBeVisible();
  const before = await weights(stage);
  await chip(stage, 'decoder.scores').click();
  await stage.locator('[data-at="2,1"]').click();
  await type(stage, '−9,5');
  await expect(working(stage)).toContainText('−9.5');
  await expect(stage.locator('.end')).toContainText('edited');
  await chip(stage, 'decoder.weights').click();
  await expect(grid).toHaveAccessibleName('weights');
  const after = await weights(stage);
  expect(after[2]![1]!).toBeLessThan(1e-3);
  expect(after[2]!.reduce((a, b) => a + b)).toBeCloseTo(1, 5);
  expect([after[0], after[1]]).toEqual([before[0], before[1]]);
  await expect(chip(stage, 'decoder.scores')).toHaveClass(/edited/);
  await expect(stage.locator('.badge .wrong')).toHaveCount(0);
  await expect(page).toHaveURL(/walk\.edits=decoder\.scores@2:0,0,1(=|%3D)-9\.5/);
  await page.reload();
  await lesson.block('stage');
  await expect(chip(stage, 'decoder.scores')).toHaveClass(/edited/);
  await stage.getByRole('button', { name: 'All back to the original' }).click();
  await expect(chip(stage, 'decoder.scores')).not.toHaveClass(/edited/);
  expect(await weights(stage)).toEqual(before);
});

test('what is no number is refused in words, and nothing is lost', async ({ lesson }) => {
  await lesson.openWith(translator({ start: 'decoder.scores' }));
  const stage = await lesson.block('stage');
  await stage.locator('[data-at="0,0"]').click();
  const before = await stored(stage);
  await stage.getByLabel('Another number here').fill('many');
  await expect(stage.getByRole('alert')).toContainText('not a number');
  await expect(stage.getByRole('button', { name: 'Set' })).toBeDisabled();
  expect(await stored(stage)).toBe(before);
});

test('the backward pass starts from any number', async ({ lesson, page }) => {
  await lesson.openWith(translator({ start: 'decoder.context' }));
  const stage = await lesson.block('stage');
  await stage.locator('.map [role=application]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await stage.getByRole('button', { name: 'Start the backward pass here' }).click();
  await expect(stage.locator('.changes')).toContainText('Gradients of y = context');
  // The number itself is where it starts: its gradient is 1, and that of its weights is the value they weigh.
  await expect(chip(stage, 'decoder.context')).toHaveAttribute('aria-current', 'step');
  await chip(stage, 'decoder.weights').click();
  await stage.locator('.map [data-at="0,0"]').click();
  await expect(working(stage).locator('.operand[title*="encoder states"]').first()).toBeVisible();
  await stage.getByRole('button', { name: 'start from the loss' }).click();
  await expect(chip(stage, 'loss')).toHaveAttribute('aria-current', 'step');
});

test("the optimiser's step is followed from a gradient to the new weight", async ({ lesson }) => {
  await lesson.openWith({
    sessions: { it: { model: 'kernel-regression', config: { seed: 5 } } },
    blocks: { walk: { kind: 'stage', session: 'it', want: ['learned.*', 'loss'], from: 'loss' } },
  });
  const stage = await lesson.block('stage');
  await stage.getByRole('button', { name: 'update', exact: true }).click();
  await expect(stage.locator('.chip').first()).toBeVisible();
  await chip(stage, 'update.w.value').click();
  await stage.locator('.map [data-at="0,0"]').click();
  const text = await working(stage).locator('p').first().textContent();
  const after = await stored(stage);
  // w − 0.5 · gradient: plain gradient descent with the chapter's rate.
  const [before, gradient] = await working(stage)
    .locator('.operand')
    .evaluateAll((all) => all.map((each) => (each as HTMLElement).title.split(' = ')[1]!));
  expect(text).toContain('−');
  const [w, g] = [number(before!), number(gradient!)];
  expect(after).toBeCloseTo(w - 0.5 * g, 5);
});

/** A model that learns beside the stage that shows it. */
const learning = (session: Record<string, unknown>, stage: object): OwnBlocks => ({
  sessions: { it: session },
  blocks: {
    learn: { kind: 'train', session: 'it', pace: 50 },
    walk: { kind: 'stage', session: 'it', ...stage },
  },
});

async function atMoment(stage: Locator, index: number): Promise<string> {
  const slider = stage.getByRole('slider', { name: 'Move through training time' });
  await slider.fill(String(index));
  await expect(stage.locator('.moments [aria-busy=false]')).toBeVisible();
  return (await slider.getAttribute('aria-valuetext'))!;
}

test('kernel regression: the weights at each moment of its training, and now', async ({
  lesson,
}) => {
  await lesson.openWith(
    learning(
      { model: 'kernel-regression', config: { seed: 5 } },
      { want: ['learned.*'], start: 'learned.w', from: 'loss' },
    ),
  );
  const stage = await lesson.block('stage');
  const value = async (): Promise<number> =>
    number(
      (await stage.locator('.map [role=gridcell]').getAttribute('aria-label'))!.split(' ').at(-1)!,
    );
  const start = await value();
  const train = await lesson.block('train');
  await train.getByRole('button', { name: 'Train' }).click();
  await expect(train.getByText('done')).toBeVisible();
  const now = await value();
  expect(await atMoment(stage, 0)).toContain('epoch 0');
  await expect.poll(value).toBe(start); // the w that was drawn
  expect(now).not.toBe(start);
  await stage.getByRole('button', { name: 'back to now' }).click();
  await expect.poll(value).toBe(now);
});

test('a translator: attention of an earlier moment, while it goes on learning', async ({
  lesson,
}) => {
  test.setTimeout(240_000);
  await lesson.openWith(
    learning(
      {
        model: 'bahdanau',
        config: { embed_size: 16, hidden_size: 16, examples: 120, epochs: 400 },
        data: 'corpus',
      },
      { inputs: PAIR, want: ['decoder.*', 'loss'], start: 'decoder.weights', from: 'loss' },
    ),
  );
  const train = await lesson.block('train');
  const epoch = (): Promise<number> =>
    train.locator('[data-epoch]').getAttribute('data-epoch').then(Number);
  await train.getByRole('button', { name: 'Train' }).click();
  await expect.poll(epoch, { timeout: 60_000 }).toBeGreaterThan(5);
  const stage = await lesson.block('stage');
  await atMoment(stage, 0);
  const first = await weights(stage);
  const then = await epoch();
  await expect.poll(epoch, { timeout: 60_000 }).toBeGreaterThan(then + 2); // looking back disturbs nothing
  expect(await weights(stage)).toEqual(first); // nor does the training disturb what is looked at
  await train.getByRole('button', { name: 'Pause' }).click();
  await stage.getByRole('button', { name: 'back to now' }).click();
  await expect
    .poll(async () => JSON.stringify(await weights(stage)))
    .not.toBe(JSON.stringify(first));
});

/** Makes the worker change a weight of every run without a word: a fault that no edit explains. */
async function plantFault(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, message: unknown, ...rest: never[]) {
      const call = message as { argumentList?: { value?: unknown }[] };
      const [verb, request] = (call.argumentList ?? []).map(({ value }) => value);
      if (verb === 'run')
        Object.assign(request as object, {
          edits: [{ step: 'decoder.weights', time: 1, cell: [0, 0, 2], value: 0.9 }],
        });
      post.call(this, message, ...rest);
    } as typeof post;
    const listen = Worker.prototype.addEventListener;
    Worker.prototype.addEventListener = function (this: Worker, type: string, listener: never) {
      const told = (event: MessageEvent): void => {
        const { value } = event.data as { value?: { reply?: { head?: { steps?: object[] } } } };
        for (const step of value?.reply?.head?.steps ?? []) Reflect.deleteProperty(step, 'edited');
        (listener as (event: MessageEvent) => void)(event);
      };
      listen.call(this, type, type === 'message' ? (told as never) : listener);
    } as typeof listen;
  });
}

test('a row of unedited weights that does not sum to 1 turns the badge red', async ({
  lesson,
  page,
}) => {
  await plantFault(page);
  await lesson.openWith(translator({ start: 'decoder.weights' }));
  const stage = await lesson.block('stage');
  await expect(stage.locator('.badge .wrong')).toHaveCount(1);
  await expect(stage.locator('.badge .wrong b')).not.toHaveText('1.000');
  await expect(stage.locator('.badge')).not.toContainText('edited');
});

test('in a frame the blocks asked for stand alone, without the parts left out', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau', 'en', '?embed=step&hide=code,badge');
  const stage = await lesson.block('stage');
  await expect(stage.locator('.scrub')).toBeVisible();
  await expect(stage.locator('[data-part=code]')).toBeHidden();
  await expect(stage.locator('[data-part=badge]')).toBeHidden();
  await expect(page.locator('.page-top')).toBeHidden();
  await expect(page.locator('[data-kind=translate]').first()).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  expect(await sidewaysRoom(page)).toBeLessThanOrEqual(0);
  await lesson.open('bahdanau', 'en', '?embed=gone');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a link from a stage that has changed opens what it still can, and says what it left out', async ({
  lesson,
  page,
}) => {
  const rest = '#walk.step=decoder.gone&walk.pass=sideways&walk.speed=9&walk.edits=x&walk.time=2';
  await lesson.openWith(translator({ start: 'decoder.weights' }), 'en', rest);
  const stage = await lesson.block('stage');
  await expect(chip(stage, 'decoder.weights')).toHaveAttribute('aria-current', 'step');
  await expect(page.getByText('Part of this link could not be used')).toBeVisible();
});

for (const lang of LANGS)
  for (const width of [1440, 360])
    for (const theme of ['light', 'dark'] as const)
      test(`pictures of the stage: ${lang}, ${width}, ${theme}`, async ({ lesson, page }) => {
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize({ width, height: 1000 });
        await lesson.open(
          'transformer',
          lang,
          '#walk.step=decoder.1.cross.weights&walk.cell=0,0,2,1',
        );
        const stage = await lesson.block('stage');
        await expect(working(stage)).toBeVisible();
        await expect(stage.locator('[aria-busy=true]')).toHaveCount(0);
        expect(await sidewaysRoom(page)).toBeLessThanOrEqual(0);
        await stage.screenshot({
          path: test.info().outputPath(`stage-${lang}-${width}-${theme}.png`),
        });
      });
