// One number followed through a whole model: forward from the answer down to a weight, and backward from that weight's
// gradient up to the loss. And what the stage shows, held to PyTorch: the golden files of tests/parity stand in for the weights
// that ship with the site.

import type { Locator, Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { expect, number, ROOT, test, type Lesson, type OwnBlocks } from './lab';

const GOLDENS = `${ROOT}tests/parity/goldens`;

const slider = (stage: Locator): Locator => stage.getByRole('slider').first();
const working = (stage: Locator): Locator => stage.locator('.working');
const stored = (stage: Locator): Promise<number> =>
  working(stage).getAttribute('data-stored').then(Number);

interface Model {
  name: 'bahdanau' | 'transformer' | 'kernel-regression';
  session: Record<string, unknown>;
  inputs: Record<string, string | number>;
}

const PAIR = { sentence: "I'm home.", target: 'Je suis chez moi.' };
const MODELS: Model[] = [
  {
    name: 'bahdanau',
    session: { model: 'bahdanau', config: {}, weights: 'bahdanau' },
    inputs: PAIR,
  },
  {
    name: 'transformer',
    session: { model: 'transformer', config: {}, weights: 'transformer' },
    inputs: PAIR,
  },
  {
    name: 'kernel-regression',
    session: { model: 'kernel-regression', config: { seed: 5 } },
    inputs: {},
  },
];

function stageOf(model: Pick<Model, 'session' | 'inputs'>, more: object = {}): OwnBlocks {
  return {
    sessions: { it: model.session },
    blocks: { walk: { kind: 'stage', session: 'it', inputs: model.inputs, from: 'loss', ...more } },
  };
}

interface Operand {
  step: string;
  node: number;
  gradient: boolean;
  value: number;
}

async function operands(stage: Locator): Promise<Operand[]> {
  const folds = working(stage).locator('.fold');
  while ((await folds.count()) > 0) await folds.first().click();
  return working(stage)
    .locator('p:not(.result) .operand')
    .evaluateAll((all) =>
      all.map((each) => {
        const { step = '', node, gradient } = (each as HTMLElement).dataset;
        const text = (each as HTMLElement).title.split(' = ')[1]!;
        return {
          step,
          node: Number(node),
          gradient: gradient === 'true',
          value: Number(text.replaceAll('−', '-')),
        };
      }),
    );
}

/** Clicks operand after operand, each the first that `wanted` likes best; every number that opens is the one clicked. */
async function follow(
  stage: Locator,
  rank: (operand: Operand) => number,
  until: (last: Operand) => boolean,
): Promise<Operand[]> {
  const way: Operand[] = [];
  for (let depth = 0; depth < 80; depth++) {
    const all = await operands(stage);
    if (all.length === 0) break;
    const best = all.reduce((a, b, i) => (rank(b) > rank(all[a]!) ? i : a), 0);
    const next = all[best]!;
    await working(stage).locator('p:not(.result) .operand').nth(best).click();
    await expect(stage.locator('.trail button')).toHaveCount(way.length + 1);
    // The title has seven digits.
    const off = Math.abs((await stored(stage)) - next.value);
    expect(off).toBeLessThanOrEqual(1e-6 * Math.abs(next.value));
    way.push(next);
    if (until(next)) break;
  }
  return way;
}

const isWeight = (step: string): boolean => /(weight|bias|_l\d)$/.test(step);

/** Open the largest number of a map by its keys: no arithmetic of the test's own stands between the clicks. */
async function openFirstCell(stage: Locator): Promise<void> {
  const small = stage.locator('.map [role=gridcell]').first();
  const large = stage.locator('.map > .heatmap [role=application]');
  await expect(small.or(large).first()).toBeVisible();
  if ((await large.count()) > 0) {
    await large.focus();
    await large.press('ArrowRight');
    await large.press('Enter');
  } else await small.click();
  await expect(working(stage)).toBeVisible();
}

const LAST: Record<Model['name'], string> = {
  bahdanau: 'decoder.probabilities',
  transformer: 'decoder.probabilities',
  'kernel-regression': 'learned.weights',
};
const ENTRY: Record<Model['name'], string> = {
  bahdanau: 'encoder.embedding.weight',
  transformer: 'encoder.embedding.weight',
  'kernel-regression': 'learned.w',
};

/** The entry that the backward journey begins with: of a word of the sentence, since no other has a gradient. */
async function cellOf(lesson: Lesson, model: Model): Promise<string> {
  if (model.name === 'kernel-regression') return '0';
  await lesson.openWith(stageOf(model, { start: 'source.ids' }));
  const stage = await lesson.block('stage');
  const cell = stage.locator('.map [role=gridcell]').nth(1);
  const id = number((await cell.getAttribute('aria-label'))!.split(' ').at(-1)!);
  return `${id},0`;
}

for (const model of MODELS) {
  test(`${model.name}: from a probability by clicks alone down to ${ENTRY[model.name]}`, async ({
    lesson,
  }) => {
    test.setTimeout(240_000);
    await lesson.openWith(stageOf(model, { start: LAST[model.name] }));
    const stage = await lesson.block('stage');
    await openFirstCell(stage);
    // Into the encoder wherever there is a way; weights are ends, but for the one looked for.
    const rank = ({ step }: Operand): number => {
      if (step === ENTRY[model.name]) return 9;
      if (isWeight(step)) return -1;
      const order = [/./, /context|cross|scores|weights/, /keys/, /values/, /^encoder\./];
      return order.findLastIndex((pattern) => pattern.test(step));
    };
    const way = await follow(stage, rank, ({ step }) => step === ENTRY[model.name]);
    expect(way.at(-1)!.step).toBe(ENTRY[model.name]);
    await expect(stage.locator('.end')).toContainText('parameter');
  });

  test(`${model.name}: from the gradient of ${ENTRY[model.name]} by clicks alone up to the loss`, async ({
    lesson,
    page,
  }) => {
    test.setTimeout(240_000);
    const spec = stageOf(model, { pass: 'backward', start: 'loss' });
    const cell = await cellOf(lesson, model);
    await lesson.openWith(spec);
    const stage = await lesson.block('stage');
    await expect(stage.locator('.chip[aria-current]')).toHaveAttribute('title', 'loss');
    await expect(working(stage)).toHaveAttribute('data-stored', '1');
    // The slider leads to the weight; its entry is opened.
    const there = stage.locator(`.chip[aria-current][title="${ENTRY[model.name]}"]`);
    for (let i = 0; i < 400 && (await there.count()) === 0; i++)
      await slider(stage).press('ArrowRight');
    const entry = { step: ENTRY[model.name], cell: cell.split(',').map(Number) };
    await shownAt(page, stage, 'backward', entry);
    const way = await follow(
      stage,
      ({ node, gradient }) => (gradient ? node : -1), // what was computed last is nearest the loss,
      ({ step, gradient }) => gradient && step === 'loss',
    );
    expect(way.at(-1)).toMatchObject({ step: 'loss', gradient: true, value: 1 });
  });
}

/** What PyTorch has at every cell of a step; `values` row-major. */
interface Golden {
  shape: number[];
  values: number[];
}
interface Goldens {
  sentence: string;
  target: string;
  correct: { given: { steps: Record<string, Golden>; gradients: Record<string, Golden> } };
}

interface RegressionGoldens {
  runs: { inputs: Record<string, string | number>; steps: Record<string, Golden> }[];
  gradients: Record<string, Record<string, Golden>>; // by what they start from
}

const read = (path: string): unknown => JSON.parse(readFileSync(`${GOLDENS}/${path}`, 'utf8'));

/** The same cells in every run: steps in turn, cells by a fixed stride. */
function sampled(
  all: Record<string, Golden>,
  n: number,
): { step: string; cell: number[]; value: number }[] {
  const steps = Object.keys(all);
  return Array.from({ length: n }, (_, i) => {
    const step = steps[(i * 7 + 3) % steps.length]!;
    const { shape, values } = all[step]!;
    const index = (i * 104729 + 17) % values.length;
    let left = index;
    const cell = shape.toReversed().map((size) => {
      const at = left % size;
      left = (left - at) / size;
      return at;
    });
    return { step, cell: cell.toReversed(), value: values[index]! };
  });
}

/** Goes to a cell as a link would, and reads what the stage says. */
async function shownAt(
  page: Page,
  stage: Locator,
  pass: string,
  { step, cell }: { step: string; cell: number[] },
): Promise<number> {
  const place = { 'walk.step': step, 'walk.pass': pass, 'walk.cell': cell.join() };
  await page.evaluate((fragment) => (location.hash = fragment), String(new URLSearchParams(place)));
  const sign = pass === 'backward' ? '∂' : '';
  await expect(working(stage)).toHaveAttribute('data-of', `${sign}${step}[${cell.join()}]`);
  return stored(stage);
}

/** The place on the stage stands in the link: every number is gone to, and held to PyTorch's. */
async function compared(
  page: Page,
  stage: Locator,
  steps: Record<string, Golden>,
  gradients: Record<string, Golden>,
): Promise<void> {
  await expect(stage.locator('.strip')).toBeVisible();
  for (const at of sampled(steps, 20)) {
    const off = Math.abs((await shownAt(page, stage, 'forward', at)) - at.value);
    expect(off, `${at.step}[${at.cell}]`).toBeLessThanOrEqual(
      1e-5 * Math.max(1, Math.abs(at.value)),
    );
  }
  for (const at of sampled(gradients, 20)) {
    const largest = Math.max(...gradients[at.step]!.values.map(Math.abs));
    const off = Math.abs((await shownAt(page, stage, 'backward', at)) - at.value);
    expect(off, `∂ ${at.step}[${at.cell}]`).toBeLessThanOrEqual(1e-5 * largest);
  }
}

for (const name of ['bahdanau', 'transformer'] as const)
  test(`${name}: twenty numbers on the stage are PyTorch's, and twenty gradients`, async ({
    lesson,
    page,
  }) => {
    test.setTimeout(240_000);
    const { sentence, target, correct } = read(`steps/${name}.json`) as Goldens;
    await page.route(`**/${name}-*.safetensors`, (route) =>
      route.fulfill({ body: readFileSync(`${GOLDENS}/files/${name}.safetensors`) }),
    );
    const session = { model: name, config: {}, weights: name };
    await lesson.openWith(stageOf({ session, inputs: { sentence, target } }));
    const { steps, gradients } = correct.given;
    await compared(page, await lesson.block('stage'), steps, gradients);
  });

test("kernel-regression: twenty numbers on the stage are PyTorch's, and twenty gradients", async ({
  lesson,
  page,
}) => {
  test.setTimeout(240_000);
  // Eight points and the first weight, all drawn from the seed: no file of weights is needed.
  const plain = read('files/plain.json') as Record<string, Record<string, unknown>>;
  const { runs, gradients } = read('steps/kernel_regression.json') as RegressionGoldens;
  const { inputs, steps } = runs[0]!;
  const session = { model: 'kernel-regression', config: plain['kernel-regression'] };
  await lesson.openWith(stageOf({ session, inputs }));
  await compared(page, await lesson.block('stage'), steps, gradients['loss']!);
});
