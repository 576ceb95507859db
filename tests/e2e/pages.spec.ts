import { readdirSync } from 'node:fs';
import { figure } from '../../tools/figures.mjs';
import { complaints, expect, LANGS, ROOT, sidewaysRoom, test } from './lab';

const SLUGS = readdirSync(`${ROOT}lessons`).flatMap((name) => /^\d\d-(.+)$/.exec(name)?.[1] ?? []);

const WIDE = { width: 1440, height: 1000 };
const NARROW = { width: 360, height: 740 };
const LYING = { width: 740, height: 340 }; // a phone on its side
const HUGE = { width: 3840, height: 2160 };

for (const slug of SLUGS)
  for (const lang of LANGS)
    test(`${slug} ${lang}: every block computes, axe finds nothing, nothing sticks out`, async ({
      lesson,
      page,
    }) => {
      test.setTimeout(300_000); // axe looks at every cell of some forty blocks
      await lesson.open(slug, lang);
      for (const block of await lesson.everyBlock())
        await expect(block.locator('.error')).toHaveCount(0);
      await lesson.settled();
      // Both sizes, and each with its own theme and language in the hands of axe: colours know no language, rooms no theme.
      const own = lang === 'zh' ? NARROW : WIDE;
      for (const size of [HUGE, LYING, WIDE, NARROW]) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme: size === WIDE ? 'light' : 'dark' });
        expect(await sidewaysRoom(page)).toBeLessThanOrEqual(0);
        if (size === own) expect(await complaints(page)).toEqual([]);
      }
      figure('pages of lessons in Chromium, two languages', 1);
    });

/** Pages of no lesson; the proof has tests of its own. */
const OTHERS = ['', 'zh/', 'en/', 'zh/deviations/', 'en/deviations/'];

test('the other pages: axe finds nothing in light and dark, nothing sticks out, and they say what they are', async ({
  lesson,
  page,
}) => {
  for (const path of OTHERS) {
    await lesson.open(path === '' ? '..' : `../${path}`.replace(/\/$/, ''), 'en');
    for (const size of [HUGE, LYING, WIDE, NARROW]) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: size === WIDE ? 'light' : 'dark' });
      expect(await sidewaysRoom(page)).toBeLessThanOrEqual(0);
      if (size === WIDE || size === NARROW) expect(await complaints(page)).toEqual([]);
    }
    expect(await page.locator('meta[name=description]').getAttribute('content')).toMatch(/\S{5}/);
    const twins = await page
      .locator('link[hreflang]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    expect(twins.every((href) => /^http:.*\/(zh|en)\//.test(href ?? ''))).toBe(true);
    expect(twins).toHaveLength(path === '' ? 0 : 2);
  }
});
