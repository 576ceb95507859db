import { expect, LANGS, number, test } from './lab';

for (const lang of LANGS)
  test(`${lang}: data, truth and three predictions stand in one plot`, async ({ lesson }) => {
    await lesson.open('kernel-regression', lang);
    const plot = await lesson.block('plot');
    await expect(plot.locator('.legend li')).toHaveCount(5);
    await expect(plot.locator('svg.plot').first().locator('[aria-label=line] path')).toHaveCount(4);
    await expect(plot.locator('svg.plot').first().locator('[aria-label=dot] circle')).toHaveCount(
      50,
    );
  });

test('pointing at a test point shows its 50 weights, and so does the keyboard', async ({
  lesson,
  page,
}) => {
  await lesson.open('kernel-regression');
  const plot = await lesson.block('plot');
  const pick = plot.getByRole('slider');
  await pick.hover({ position: { x: 200, y: 120 } });
  const at = Number(await pick.getAttribute('aria-valuenow'));
  const weights = plot.locator('.focus svg [aria-label=dot]').first().locator('circle');
  await expect(weights).toHaveCount(50);
  await expect(plot.locator('.focus svg [aria-label=link] path')).toHaveCount(50);
  await page.mouse.move(0, 0);
  await pick.focus();
  await page.keyboard.press('ArrowRight');
  await expect(pick).toHaveAttribute('aria-valuenow', String(at + 1));
  await expect(pick).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`x = ${((at + 1) / 10).toFixed(2)}`),
  );
});

test('the selected point is the selected row of the heat map', async ({ lesson }) => {
  await lesson.open('kernel-regression');
  const plot = await lesson.block('plot');
  const pick = plot.getByRole('slider');
  await pick.focus();
  await pick.press('Home');
  await pick.press('ArrowRight');
  await pick.press('ArrowRight');
  const map = await lesson.block('heatmap');
  await expect(map.locator('.sum')).toContainText('Row 0.2 sums to 1.000');
  await expect(map.locator('rect.current')).toHaveCount(1);
});

test('the average weighs all points alike, the learned kernel does not', async ({ lesson }) => {
  await lesson.open('kernel-regression');
  const plot = await lesson.block('plot');
  const heaviest = async (): Promise<number> => {
    const text = await plot.locator('.readout .tw').textContent();
    return number(/weight ([\d.]+)/.exec(text ?? '')![1]!);
  };
  await plot.getByRole('radio', { name: 'average' }).check();
  expect(await heaviest()).toBe(0.02);
  await plot.getByRole('radio', { name: 'fixed kernel' }).check();
  expect(await heaviest()).toBeGreaterThan(0.02);
});

test('a prediction on the stage is the sum of 50 products', async ({ lesson }) => {
  await lesson.open('kernel-regression');
  const stage = await lesson.block('stage');
  await stage.locator('.chip[title="fixed.prediction"]').click();
  await stage.locator('.heatmap [role=application]').click({ position: { x: 300, y: 30 } });
  await expect(stage.locator('.fold')).toContainText('45 more');
  await stage.locator('.fold').click();
  const values = await stage
    .locator('.working p')
    .first()
    .locator('.operand')
    .evaluateAll((all) => all.map((each) => (each as HTMLElement).title.split(' = ')[1]!));
  expect(values).toHaveLength(100);
  const total = values.reduce(
    (sum, value, i) => (i % 2 ? sum : sum + number(value) * number(values[i + 1]!)),
    0,
  );
  const stored = Number(await stage.locator('.working').getAttribute('data-stored'));
  expect(Math.abs(total - stored)).toBeLessThan(1e-5);
});
