import AxeBuilder from '@axe-core/playwright';
import { mkdirSync, readdirSync } from 'node:fs';
import { expect, LANGS, ROOT, test } from './lab';

const SLUGS = readdirSync(`${ROOT}lessons`).flatMap((name) => /^\d\d-(.+)$/.exec(name)?.[1] ?? []);
const SHOTS = `${ROOT}build/test/shots`;
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

for (const slug of SLUGS)
  for (const lang of LANGS)
    for (const theme of ['light', 'dark'] as const)
      for (const width of [1440, 360])
        test.describe(() => {
          test.use({
            viewport: { width, height: width === 360 ? 740 : 1000 },
            colorScheme: theme,
          });

          test(`${slug} ${lang} ${theme} ${width}: every block computes, axe finds nothing, nothing sticks out`, async ({
            lesson,
            page,
          }) => {
            await lesson.open(slug, lang);
            const blocks = await lesson.everyBlock();
            await lesson.settled();
            for (const block of blocks) await expect(block.locator('.error')).toHaveCount(0);

            const { scrollWidth, clientWidth } = await page.evaluate(
              () => document.documentElement,
            );
            expect(scrollWidth).toBeLessThanOrEqual(clientWidth);

            const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
            expect(
              violations.map(
                ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
              ),
            ).toEqual([]);

            mkdirSync(SHOTS, { recursive: true });
            await page.evaluate(() => scrollTo(0, 0));
            await page.screenshot({
              path: `${SHOTS}/${slug}-${lang}-${theme}-${width}.png`,
              fullPage: true,
            });
          });
        });
