// The lesson on Bahdanau attention by keyboard alone, with the text of a screen reader: open it, translate a sentence of one's own,
// step, open a cell, read a map's table, train, save. No pointer, no focus but what Tab gives.

import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import type { Config } from '../../web/src/shared/engine';
import { expect, ROOT, test } from './lab';

interface Entry {
  data_offsets: [number, number];
}

/** What a file of weights says: how the model was made, and its parameters, one after another. */
function model(file: Uint8Array): { config: Config; parameters: Map<string, Float32Array> } {
  const data = new DataView(file.buffer, file.byteOffset);
  const start = 8 + Number(data.getBigUint64(0, true));
  const { __metadata__: about, ...entries } = JSON.parse(
    new TextDecoder().decode(file.subarray(8, start)),
  ) as Record<string, Entry> & { __metadata__: { config: string } };
  const numbers = ({ data_offsets: [from, to] }: Entry): Float32Array =>
    new Float32Array(file.slice(start + from, start + to).buffer);
  return {
    config: JSON.parse(about.config) as Config,
    parameters: new Map(Object.entries(entries).map(([name, entry]) => [name, numbers(entry)])),
  };
}

interface NativeEngine {
  call(verb: string, request: string): { head: string; bytes?: Uint8Array };
}

/** The same model before it has learnt anything, from the same core. */
async function untrained(config: Config): Promise<Uint8Array> {
  const { default: factory } = (await import(`${ROOT}build/wasm-simd/attn.mjs`)) as {
    default: () => Promise<{ Engine: new () => NativeEngine }>;
  };
  const engine = new (await factory()).Engine();
  const [pairs, valid] = ['eng-fra.tsv', 'eng-fra.valid.tsv'].map((name) =>
    readFileSync(`${ROOT}lessons/corpus/${name}`, 'utf8'),
  );
  const request = { model: 'bahdanau', config, data: { pairs, valid } };
  const { session } = JSON.parse(engine.call('open', JSON.stringify(request)).head) as {
    session: number;
  };
  return engine.call('save', JSON.stringify({ session })).bytes!;
}

/** How far a parameter of one file is from that of the other, at most. */
function farthest(one: Uint8Array, two: Uint8Array): number {
  const others = model(two).parameters;
  return Math.max(
    ...[...model(one).parameters].map(([name, numbers]) =>
      numbers.reduce((most, each, i) => Math.max(most, Math.abs(each - others.get(name)![i]!)), 0),
    ),
  );
}

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
  // What computes is disabled meanwhile, and has the focus again afterwards.
  await keys.to(/^One epoch$/, 'train');
  const epoch = Number(await train.locator('[data-epoch]').getAttribute('data-epoch'));
  await keys.press('Enter');
  await expect(train.locator('[data-epoch]')).not.toHaveAttribute('data-epoch', String(epoch));
  await expect.poll(async () => (await focused(page)).name).toBe('One epoch');

  // Save: what was learnt, as a file. Nothing of it goes away under the fingers.
  await keys.to(/^Take this model with you$/, 'while-learning');
  await keys.press('Enter');
  const home = page.locator('[data-block=while-learning] [data-part=home]');
  await expect(home.getByRole('button', { name: 'The weights' })).toBeEnabled();
  await keys.to(/^The weights/, 'while-learning');
  const download = page.waitForEvent('download');
  await keys.press('Enter');
  const file = new Uint8Array(readFileSync(await (await download).path()));
  const { config } = model(file);
  expect(config).toMatchObject({ examples: 600 }); // what this lesson trains, not what it ships
  expect(farthest(file, await untrained(config))).toBeGreaterThan(0.01);
  await expect.poll(async () => (await focused(page)).name).toMatch(/^The weights/);

  // To the very end: nothing holds the focus, and all of it could be seen and has a name.
  await keys.to(/PyTorch.s on your own engine/);
  expect(keys.unseen).toEqual([]);
  expect(keys.nameless).toEqual([]);
});
