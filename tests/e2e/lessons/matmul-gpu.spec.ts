// The lesson on matrix products where the browser has WebGPU, in software: what is told of it. No test here asks how fast it is.

import config from '../../../web/playwright.config';
import { apart, expect } from '../lab';
import { SOFTWARE_GPU } from '../software-gpu';

const launch = config.use!.launchOptions!;
const test = apart.extend<object, object>({
  launchOptions: [{ ...launch, args: [...launch.args!, ...SOFTWARE_GPU] }, { scope: 'worker' }],
});

test('a software adapter is told of, and taken only by those who insist', async ({
  lesson,
  page,
}) => {
  await lesson.open('matmul', 'en');
  const engine = page.locator('[data-block=engine]');
  await engine.scrollIntoViewIfNeeded();
  await expect(engine.locator('[data-engine]')).toHaveAttribute('data-engine', 'relaxed');
  await expect(engine).toContainText('there is only a software adapter');
  await engine.getByRole('link', { name: 'use this one' }).last().click();
  await expect(page).toHaveURL(/engine=gpu/);
  await engine.scrollIntoViewIfNeeded();
  await expect(engine.locator('[data-engine]')).toHaveAttribute('data-engine', 'gpu');
  await expect(engine).toContainText('says nothing of a graphics card');
  const worst = Number(await engine.locator('[data-worst]').getAttribute('data-worst'));
  expect(worst).toBeLessThanOrEqual(1e-4);
  await engine.getByRole('radio', { name: 'never the card' }).check();
  await expect(engine.getByRole('radio', { name: 'never the card' })).toBeChecked();
});

test('the products of the card stand beside the others, compared with the loops', async ({
  lesson,
  page,
}) => {
  await lesson.open('matmul', 'en', '#all.at=0');
  const all = page.locator('[data-block=all]');
  await all.scrollIntoViewIfNeeded();
  await all.getByRole('button', { name: 'Measure', exact: true }).click();
  const gpu = all.locator('tr[data-way="3"]');
  await expect(gpu).toHaveAttribute('data-measured', 'true', { timeout: 60_000 });
  const apart = gpu.locator('[data-metric=largest_difference]');
  await expect(apart).toHaveAttribute('data-value', /./);
  expect(Number(await apart.getAttribute('data-value'))).toBeLessThan(1e-4);
  await expect(all).toContainText('a software adapter: says nothing of a graphics card');
  await all.getByRole('button', { name: 'Stop' }).click();
});
