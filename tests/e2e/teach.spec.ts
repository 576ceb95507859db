// For those who teach: an experiment in a page of one's own, a stage as slides, the lesson on paper, a citation; and the page of
// deviations from the book.

import { expect, LANGS, named, sidewaysRoom, test } from './lab';

test('the code of a frame shows one experiment alone, in the state that was set, without what was left out', async ({
  lesson,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await lesson.open('bahdanau');
  const say = await named(page, 'translate');
  await say.getByRole('textbox').fill('I lost.');
  await say.getByRole('button', { name: 'Translate' }).click();
  await expect(page).toHaveURL(/#.*sentence=/);
  await named(page, 'step');
  const kit = page.locator('#teach');
  await kit.locator('summary').click();
  await kit.getByLabel('Experiment').selectOption('step');
  await kit.getByLabel('the code', { exact: true }).check();
  await kit.getByRole('button', { name: 'Copy' }).first().click();
  await expect(kit.locator('#embed-code-said')).toHaveText('Copied.');
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toMatch(
    /^<iframe src="http[^"]+\/en\/bahdanau\/\?embed=step&amp;hide=code#[^"]*sentence=[^"]+" title="[^"<]+" width="100%" height="\d+" /,
  );
  const src = /src="([^"]+)"/.exec(code)![1]!.replaceAll('&amp;', '&');
  await page.goto(src);
  const stage = await named(page, 'step');
  await expect(stage.getByRole('rowheader', { name: "j'ai" })).toBeVisible();
  await expect(stage.locator('[data-part=code]')).toBeHidden();
  await expect(page.locator('#teach')).toBeHidden();
  await expect(page.locator('[data-block=translate]')).toBeHidden();
});

test('each experiment offers its own frame, which holds that one alone; so does the key E inside it', async ({
  lesson,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await lesson.open('self-attention');
  const layer = await named(page, 'layer');
  const figure = page.locator('.figure', { has: layer });
  const button = figure.locator('.frame-code');
  await expect(button).toHaveCSS('opacity', '0');
  await figure.hover();
  await expect(button).toHaveCSS('opacity', '1');
  await button.click();
  await expect(page.getByRole('status').filter({ hasText: 'Copied.' })).toHaveCount(1);
  await expect(button).toHaveAttribute('data-said', 'Copied.');
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  const code = await copied();
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await layer.getByRole('button').first().focus();
  await page.keyboard.press('e');
  await expect.poll(copied).toBe(code);
  await page.goto(/src="([^"]+)"/.exec(code)![1]!.replaceAll('&amp;', '&'));
  await expect(page.locator('[data-block=layer][data-alive]')).toBeVisible();
  await expect(page.locator('.block:visible')).toHaveCount(1);
  await expect(page.locator('.frame-code')).toHaveCount(0);
});

test('a citation has the lesson, its address without what the reader typed, and the day', async ({
  lesson,
  page,
}) => {
  for (const lang of LANGS) {
    await lesson.open('bahdanau', lang, '#sentence=my%20secret');
    await page.locator('#teach summary').click();
    await expect(page.locator('#cite-bibtex')).not.toHaveValue('');
    const bibtex = await page.locator('#cite-bibtex').inputValue();
    const plain = await page.locator('#cite-text').inputValue();
    const title = await page.locator('h1').innerText();
    for (const text of [bibtex, plain]) {
      expect(text).toContain(title);
      expect(text).toContain(`/${lang}/bahdanau/`);
      expect(text).not.toContain('secret');
      expect(text).toContain(new Date().toISOString().slice(0, 10));
    }
    expect(bibtex).toMatch(/^@misc\{attention-lab-bahdanau,\n(  \w+ = \{.+\},?\n)+\}$/);
  }
});

test('a stage as slides: alone, in larger type, stepped by a remote; Esc leads back to where one was', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau');
  const stage = await named(page, 'step');
  const slider = stage.getByRole('slider', { name: 'Move through the steps' });
  await expect(slider).toHaveAttribute('aria-valuetext', 'forward: weights');
  const size = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  const before = await size();
  const button = stage.getByRole('button', { name: /^Slides/ });
  await button.click();
  await expect(page.locator('.page-top')).toBeHidden();
  await expect(page.locator('[data-block=translate]')).toBeHidden();
  expect(Number.parseFloat(await size())).toBeGreaterThan(Number.parseFloat(before));
  await page.keyboard.press('PageDown');
  await expect(slider).toHaveAttribute('aria-valuetext', 'forward: context');
  await page.keyboard.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', 'forward: weights');
  expect(await sidewaysRoom(page)).toBeLessThanOrEqual(0);
  await page.keyboard.press('Escape');
  await expect(page.locator('.page-top')).toBeVisible();
  await expect(button).toBeFocused();
  expect(await size()).toBe(before);
});

test('on paper every experiment is there as it stands, in light colours, and nothing to press; afterwards all is as it was', async ({
  lesson,
  page,
}) => {
  test.setTimeout(180_000);
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', 'true');
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await lesson.open('scoring-functions');
  await page.keyboard.press('ControlOrMeta+p');
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-printed', 'true', { timeout: 60_000 });
  await expect(root).toHaveAttribute('data-theme', 'light');
  await expect(page.locator('.block[data-block]:not([data-alive])')).toHaveCount(0);
  await expect(page.locator('.block .error')).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  for (const gone of ['.page-top', '.page-menu', '#teach', '.block .control.main', '.block .save'])
    await expect(page.locator(gone).first()).toBeHidden();
  await expect(page.locator('.why > :not(summary)').first()).toBeVisible();
  await expect(page.locator('.block table').first()).toBeVisible();
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  const pdf = await page.pdf({ format: 'A4', printBackground: true }); // tells the page that it was printed
  expect(pdf.length).toBeGreaterThan(50_000);
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('details.why[open]')).toHaveCount(0);
});

test('the deviations from the book: each with its reason, its switch and a link to where it is seen', async ({
  lesson,
  page,
}) => {
  for (const lang of LANGS) {
    await lesson.open('deviations', lang);
    const all = page.locator('.deviation');
    expect(await all.count()).toBeGreaterThan(25);
    const first = all.filter({ has: page.locator('#B1') });
    await expect(first.locator('code')).toHaveText('book_position');
    for (const one of await all.all()) expect(await one.locator('dt').count()).toBeGreaterThan(2);
    expect(await sidewaysRoom(page)).toBeLessThanOrEqual(0);
    const link = first.getByRole('link');
    await link.click();
    await expect(page).toHaveURL(new RegExp(`/${lang}/transformer/#place$`));
    await expect(page.locator('#place')).toBeInViewport();
    await page.getByRole('contentinfo').getByRole('link').nth(1).click();
    await expect(page).toHaveURL(new RegExp(`/${lang}/deviations/$`));
  }
});
