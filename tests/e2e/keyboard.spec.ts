// The lesson on Bahdanau attention by keyboard alone, with the text of a screen reader: open it, translate a sentence of one's own,
// step, open a cell, read a map's table, train, save. No pointer, no focus but what Tab gives.

import type { Page } from '@playwright/test';
import { statSync } from 'node:fs';
import { expect, test } from './lab';

interface Stop {
  name: string;
  role: string;
  seen: boolean; // there is something that shows where the focus is
}

/** What has the focus. */
function focused(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const at = document.activeElement as HTMLElement;
    const labelled = (at as HTMLInputElement).labels?.[0]?.textContent ?? '';
    const name = at.getAttribute('aria-label') ?? (labelled || at.textContent || at.title);
    const drawn = (element: Element | null): boolean => {
      if (!element) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
      );
    };
    return {
      name: name.replace(/\s+/g, ' ').trim(),
      role: at.getAttribute('role') ?? at.tagName.toLowerCase(),
      seen: drawn(at) || drawn(at.nextElementSibling), // a hidden radio shows it on its face
    };
  });
}

class Keys {
  readonly unseen: string[] = [];
  readonly nameless: string[] = [];
  private last = '';

  constructor(private readonly page: Page) {}

  /** One Tab, no faster than a person: what is near has come alive before, and what comes near after it. */
  async tab(): Promise<Stop> {
    await this.#alive();
    await this.page.keyboard.press('Tab');
    await this.#alive();
    const stop = await focused(this.page);
    const where = `${stop.role} "${stop.name.slice(0, 60)}", behind "${this.last}"`;
    if (!stop.seen) this.unseen.push(where);
    if (stop.name === '') this.nameless.push(where);
    this.last = stop.name.slice(0, 60);
    return stop;
  }

  async #alive(): Promise<void> {
    await this.page.waitForFunction(() =>
      [...document.querySelectorAll('.block[data-block]:not([data-alive])')].every((block) => {
        const { top, bottom } = block.getBoundingClientRect();
        return top > innerHeight + 400 || bottom < -400 || (top === 0 && bottom === 0);
      }),
    );
  }

  /** On to the next stop that is wanted, and in this block. */
  async to(wanted: RegExp, block = '', most = 500): Promise<Stop> {
    for (let i = 0; i < most; i += 1) {
      const stop = await this.tab();
      const inside = await this.page.evaluate(
        (id) => id === '' || document.activeElement?.closest(`[data-block="${id}"]`) !== null,
        block,
      );
      if (inside && wanted.test(stop.name)) return stop;
    }
    throw new Error(`${most} times Tab, and no ${String(wanted)}`);
  }

  press(...keys: string[]): Promise<void> {
    return keys.reduce(
      (before, key) => before.then(() => this.page.keyboard.press(key)),
      Promise.resolve(),
    );
  }
}

test('the lesson on Bahdanau attention by keyboard alone: open, translate, step, open a cell, read a table, train, save', async ({
  lesson,
  page,
}) => {
  test.setTimeout(300_000);
  const keys = new Keys(page);
  await lesson.open('.', 'en'); // the table of contents
  await keys.to(/^Bahdanau attention/);
  await keys.press('Enter');
  await expect(page).toHaveURL(/\/en\/bahdanau\/$/);
  expect((await keys.tab()).name).toBe('Skip to the lesson');
  await keys.press('Enter');

  // Translate a sentence of one's own.
  const say = page.locator('[data-block=translate]');
  await keys.to(/Write an English sentence/, 'translate');
  await keys.press('ControlOrMeta+A');
  await page.keyboard.type('I lost.');
  await keys.press('Enter');
  await expect(say.locator('[data-text]')).toHaveAttribute('data-text', "j'ai perdu .");
  expect((await keys.to(/probability/, 'translate')).name).toMatch(/^j'ai, probability \d+%$/);
  await keys.press('Enter');
  await expect(say.locator('.others li')).not.toHaveCount(0);

  // Its heat map, cell by cell, and the sum of one.
  expect((await keys.to(/^j'ai × i /, 'translate')).role).toBe('gridcell');
  await keys.press('ArrowRight');
  expect((await focused(page)).name).toMatch(/^j'ai × lost 0\.\d+$/);
  await keys.press('ArrowDown', 'End');
  expect((await focused(page)).name).toMatch(/^perdu × <eos> 0\.\d+$/);
  await keys.press('ArrowRight');
  expect((await focused(page)).name).toBe('perdu Σ 1.000');
  await keys.press('ArrowLeft', 'Enter');
  const number = (await focused(page)).name.split(' ').at(-1)!;
  const working = say.getByRole('region', { name: 'Where this number comes from' });
  await expect(working).toContainText(`= ${number}`);
  expect((await keys.to(/^−?\d/, 'translate')).role).toBe('button'); // an operand, which opens in turn
  await keys.press('Enter');
  await expect(working).not.toContainText(`= ${number}`);

  // A large map, and the table of its numbers.
  await keys.to(/^Bahdanau: the context at each step$/, 'context-moving');
  const moving = page.locator('[data-block=context-moving]');
  await keys.press('ArrowRight', 'ArrowDown');
  const told = (await moving.locator('.readout').innerText()).replace(/\s+/g, ' ');
  expect(told).toMatch(/^perdu × 1 −?\d\.\d+$/);
  await keys.to(/^Table of numbers$/, 'context-moving');
  await keys.press('Enter');
  await keys.to(/^−?\d\.\d+$/, 'context-moving');
  await keys.press('ArrowRight', 'ArrowDown');
  expect((await focused(page)).name).toBe(told.split(' ').at(-1));

  // Step.
  await keys.to(/^Move through the steps$/, 'step');
  const slider = page.locator('[data-block=step]').getByRole('slider');
  await expect(slider.first()).toHaveAttribute('aria-valuetext', 'forward: weights');
  await keys.press('ArrowRight');
  await expect(slider.first()).toHaveAttribute('aria-valuetext', 'forward: context');
  await keys.press('Home');
  await expect(slider.first()).toHaveAttribute('aria-valuetext', 'forward: encoder states');

  // Train.
  await keys.to(/^Train$/, 'train');
  await keys.press('Enter');
  const train = page.locator('[data-block=train]');
  await expect
    .poll(async () => Number(await train.locator('[data-epoch]').getAttribute('data-epoch')), {
      timeout: 60_000,
    })
    .toBeGreaterThan(0);
  expect((await focused(page)).name).toBe('Pause');
  await keys.press('Space');
  await expect(train.locator('.phase')).toHaveText('paused');

  // Save: what was learnt, as a file.
  await keys.to(/^The weights/, 'take');
  const download = page.waitForEvent('download');
  await keys.press('Enter');
  expect(statSync(await (await download).path()).size).toBeGreaterThan(1000);

  // To the very end: nothing holds the focus, and all of it could be seen and has a name.
  await keys.to(/PyTorch.s on your own engine/);
  expect(keys.unseen).toEqual([]);
  expect(keys.nameless).toEqual([]);
});
