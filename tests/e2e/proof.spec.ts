import type { Page } from '@playwright/test';
import { mkdirSync } from 'node:fs';
import { complaints, expect, LANGS, ROOT, sidewaysRoom, test } from './lab';

const SHOTS = `${ROOT}build/test/shots`;
const STEPS = /\/bahdanau-[^/]*\.json$/;

const rows = (page: Page) => page.locator('tr[data-check]');
const still = async (page: Page): Promise<void> =>
  expect(page.locator('.proof')).toHaveAttribute('data-state', 'still', { timeout: 60_000 });

// 'gpu': in a browser that has none (gpu.spec.ts has one), the same engine as relaxed.
for (const variant of ['simd', 'relaxed', 'gpu'])
  test(`proof: every model agrees with PyTorch, forward, backward and while it trains (${variant})`, async ({
    lesson,
    page,
  }) => {
    await lesson.open('proof', 'en', `?engine=${variant}`);
    await still(page);
    await expect(page.locator('main').getByRole('status')).toContainText('all agree with PyTorch');
    // Kernel regression, and three translators correct and as the book has them: values, gradients, losses.
    await expect(rows(page)).toHaveCount(21);
    await expect(page.locator('tr.good[data-check]')).toHaveCount(21);
    for (const row of await rows(page).all()) {
      const [numbers, difference] = await row.locator('td').allInnerTexts();
      expect(Number(numbers!.replaceAll(',', ''))).toBeGreaterThanOrEqual(5);
      // Two float32 engines that were never apart would not have been compared.
      expect(difference).toMatch(/^\d\.\de−\d/);
    }
    await expect(page.locator('.engine [aria-current]')).toHaveCount(1);
  });

test('proof: a golden of which one number is another turns its row red, and no other', async ({
  lesson,
  page,
}) => {
  await page.route(STEPS, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const golden = JSON.parse(text) as {
      correct?: { given: { gradients: Record<string, { values: number[] }> } };
    };
    const weights = golden.correct?.given.gradients['encoder.embedding.weight'];
    if (weights) weights.values[20]! += 0.001;
    await route.fulfill({ response, json: golden });
  });
  await lesson.open('proof', 'en');
  await still(page);
  await expect(page.locator('tr.bad[data-check]')).toHaveCount(1);
  const row = page.locator('tr.bad[data-check]');
  await expect(row).toHaveAttribute('data-check', 'bahdanau gradients correct');
  await expect(row).toContainText('encoder.embedding.weight');
  await expect(row).toContainText('✗ differs');
  await expect(page.locator('tr.good[data-check]')).toHaveCount(20);
  await expect(page.locator('main').getByRole('status')).toContainText(
    'Not in agreement with PyTorch: 1',
  );
});

test('proof: goldens that do not come are told in their rows, and the others go on', async ({
  lesson,
  page,
  expected,
}) => {
  expected.push(/404|Failed to load/);
  await page.route(STEPS, (route) => route.fulfill({ status: 404 }));
  await lesson.open('proof', 'en');
  await still(page);
  await expect(page.locator('tr[data-state=failed]').first()).toContainText('404');
  await expect(page.locator('tr.good[data-check]')).not.toHaveCount(0);
});

test('proof: it can be stopped, and begun again', async ({ lesson, page }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(STEPS, async (route) => {
    await held;
    await route.continue().catch(() => undefined); // given up meanwhile
  });
  await lesson.open('proof', 'en');
  await page.getByRole('button', { name: 'Stop' }).click();
  await still(page);
  await expect(page.locator('main').getByRole('status')).toContainText('Stopped');
  release();
  await page.getByRole('button', { name: 'Compare again' }).click();
  await still(page);
  await expect(page.locator('main').getByRole('status')).toContainText('all agree');
});

test('proof: linked from the foot of every page', async ({ lesson, page }) => {
  await lesson.open('kernel-regression', 'zh');
  await page
    .locator('.page-foot')
    .getByRole('link', { name: /PyTorch/ })
    .click();
  await expect(page).toHaveURL(/\/zh\/proof\/$/);
  await expect(page.locator('h1')).toContainText('PyTorch');
});

for (const lang of LANGS)
  test(`proof: axe finds nothing, nothing sticks out (${lang})`, async ({ lesson, page }) => {
    mkdirSync(SHOTS, { recursive: true });
    await lesson.open('proof', lang);
    await still(page);
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1440, 'dark'],
      [360, 'light'],
      [360, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect(await sidewaysRoom(page)).toBeLessThanOrEqual(0);
      await page.screenshot({
        path: `${SHOTS}/proof-${lang}-${colorScheme}-${width}.png`,
        fullPage: true,
      });
    }
    expect(await complaints(page)).toEqual([]);
  });
