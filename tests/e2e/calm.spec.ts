// Motion that nobody asked for, and colours that the system forces.

import type { Page } from '@playwright/test';
import { expect, named, test } from './lab';

/** In milliseconds, how long each of the page's animations and transitions goes on; Infinity for one without an end. */
const lasting = (page: Page): Promise<unknown[]> =>
  page.evaluate(() =>
    document.getAnimations().map((each) => each.effect!.getComputedTiming().endTime),
  );

/** How many changes of the lesson come in a while. */
const changes = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let seen = 0;
        const observer = new MutationObserver((all) => (seen += all.length));
        const main = document.getElementById('main')!;
        observer.observe(main, { subtree: true, childList: true, attributes: true });
        setTimeout(() => resolve(seen), 1500);
      }),
  );

test('with less motion nothing moves by itself; without that wish, what moves comes to rest', async ({
  lesson,
  page,
}) => {
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    await page.emulateMedia({ reducedMotion });
    await lesson.open('attention-cues');
    await lesson.everyBlock();
    await lesson.settled();
    const ends = await lasting(page);
    if (reducedMotion === 'reduce') expect(ends).toEqual([]);
    for (const end of ends) expect(end).toBeLessThan(5000);
    if (reducedMotion === 'reduce') expect(await changes(page)).toBe(0);
    else await expect.poll(() => changes(page)).toBe(0);
    expect(await lasting(page)).toEqual([]);
  }
});

test('where the system forces colours, the current step is told apart and heat maps keep theirs', async ({
  lesson,
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await lesson.open('bahdanau');
  const stage = await named(page, 'step');
  const ground = (selector: string): Promise<string[]> =>
    stage
      .locator(selector)
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
  await expect(stage.locator('.chip[aria-current]')).toHaveCount(1);
  const [current] = await ground('.chip[aria-current]');
  expect(await ground('.chip:not([aria-current])')).not.toContain(current);
  const map = page.locator('[role=grid]:has([role=gridcell])').first();
  await map.scrollIntoViewIfNeeded();
  const cells = await map
    .locator('[role=gridcell]')
    .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
  expect(new Set(cells).size).toBeGreaterThan(1);
});
