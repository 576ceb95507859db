import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { readdirSync } from 'node:fs';
import { figure } from '../../tools/figures.mjs';
import { expect, LANGS, ROOT, sidewaysRoom, test } from './lab';

const SLUGS = readdirSync(`${ROOT}lessons`).flatMap((name) => /^\d\d-(.+)$/.exec(name)?.[1] ?? []);
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

const WIDE = { width: 1440, height: 1000 };
const NARROW = { width: 360, height: 740 };

async function complaints(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const { violations, passes, incomplete, inapplicable } = found;
  figure('axe rules run', [violations, passes, incomplete, inapplicable].flat().length);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

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
      for (const size of [WIDE, NARROW]) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme: size === WIDE ? 'light' : 'dark' });
        expect(await sidewaysRoom(page)).toBeLessThanOrEqual(0);
        if (size === own) expect(await complaints(page)).toEqual([]);
      }
      figure('pages of lessons in Chromium, two languages', 1);
    });
