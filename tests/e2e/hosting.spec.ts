import { expect, nested, serve, SITE, test } from './lab';

async function translates(page: import('@playwright/test').Page, url: string): Promise<void> {
  await page.goto(url);
  const block = page.locator('[data-kind=translate]').first();
  await expect(block.locator('[data-text]')).toHaveAttribute('data-text', /\S/);
}

test('the site works from a folder of a plain static host, without special headers', async ({
  page,
}) => {
  const { port, close } = await serve({
    root: nested(),
    port: 18180,
    isolation: false,
  });
  try {
    await translates(page, `http://localhost:${port}/some/folder/site/zh/bahdanau/`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  } finally {
    close();
  }
});

test('an engine that does not load is told, and a second try succeeds', async ({ page }) => {
  const { port, close } = await serve({ root: SITE, port: 18280 });
  try {
    await page.route(/attn-.*\.wasm$/, (route) => route.abort());
    await page.goto(`http://localhost:${port}/en/bahdanau/`);
    const block = page.locator('[data-kind=translate]').first();
    await expect(block.getByRole('alert')).toContainText('The engine has stopped');
    await page.unroute(/attn-.*\.wasm$/);
    await block.getByRole('button', { name: 'Restart the engine' }).click();
    await expect(block.locator('[data-text]')).toHaveAttribute('data-text', /\S/);
    await expect(block.getByRole('alert')).toHaveCount(0);
  } finally {
    close();
  }
});

test('an engine that dies is told, and the page goes on with a new one', async ({ page }) => {
  const { port, close } = await serve({ root: SITE, port: 18480 });
  try {
    await page.goto(`http://localhost:${port}/en/bahdanau/`);
    const block = page.locator('[data-kind=translate]').first();
    await expect(block.locator('[data-text]')).toHaveAttribute('data-text', /\S/);
    await page.workers()[0]!.evaluate(() => {
      setTimeout(() => {
        throw new Error('killed by the test');
      });
    });
    await block.getByRole('textbox').fill('Go.');
    await block.getByRole('textbox').press('Enter');
    await expect(block.getByRole('alert')).toContainText('killed by the test');
    await block.getByRole('button', { name: 'Restart the engine' }).click();
    await expect(block.locator('[data-text]')).toHaveAttribute('data-text', 'va !');
    await expect(block.getByRole('alert')).toHaveCount(0);
  } finally {
    close();
  }
});

test('weights that are cut off in half are refused with a reason', async ({ page }) => {
  const { port, close } = await serve({ root: SITE, port: 18380 });
  try {
    await page.route(/\.safetensors$/, async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      await route.fulfill({
        status: 200,
        body: body.subarray(0, body.length / 2),
      });
    });
    await page.goto(`http://localhost:${port}/en/bahdanau/`);
    const alert = page.locator('[data-kind=translate]').first().getByRole('alert');
    await expect(alert).toContainText('This data does not work');
    await page.unroute(/\.safetensors$/);
  } finally {
    close();
  }
});
