import { expect, test } from './lab';

/** The stage of the Transformer's page at a step, in a pass. */
const at = (step: string, pass = 'forward'): string => `#walk.pass=${pass}&walk.step=${step}`;

test('stage: the lines of PyTorch and of the core that made the step stand beside its numbers', async ({
  lesson,
}) => {
  await lesson.open('transformer', 'en', at('encoder.0.attention.scores'));
  const code = (await lesson.block('stage')).locator('.code');
  await expect(code).toContainText('scores = queries @ keys.transpose(-2, -1)');
  await expect(code).toContainText('return scale(matmul_transposed(queries, keys)');
  await expect(code.locator('figcaption')).toContainText([
    /^tests\/parity\/transformer\.py:\d+$/,
    /^src\/nn\/attention\.cpp:\d+$/,
  ]);
  // A query has its colour here, too.
  await expect(code.locator('.tq').first()).toHaveText('queries');
  await expect(code.locator('.tk').first()).toHaveText('keys');
});

test('stage: on the way back stand the lines of the op’s gradient, and its formula', async ({
  lesson,
}) => {
  await lesson.open('transformer', 'en', at('encoder.0.attention.weights', 'backward'));
  const stage = await lesson.block('stage');
  await expect(stage.locator('.code')).toContainText('loss.backward()');
  await expect(stage.locator('.code')).toContainText('kernels::softmax_row_backward(');
  await expect(stage.locator('.formula .cur')).not.toHaveCount(0);
});

test('stage: the optimiser’s steps have formulas and lines, too', async ({ lesson }) => {
  await lesson.open('transformer', 'en', at('update.norm', 'update'));
  const stage = await lesson.block('stage');
  await expect(stage.locator('.code')).toContainText('norm = torch.sqrt(');
  await expect(stage.locator('.code')).toContainText('gradient_norm(gradients)');
  await expect(stage.locator('.formula .cur')).toHaveCount(1);
});

test('stage: real sizes stand under the symbols of a formula', async ({ lesson }) => {
  await lesson.open('transformer', 'en', at('encoder.0.attention.scores'));
  const stage = await lesson.block('stage');
  // The stage reads padding, too, so that every sentence is ten tokens long; a head of the shipped model has 16 features.
  const sizes = stage.locator('.formula [data-size]');
  await expect(sizes).toHaveText(['10', '16', '10', '16']);
});
