// By hand: the book's whole recipe in the playground, in Chromium, on a file of pairs that does not come with this project.
//
//     node tests/e2e/whole-recipe.mjs PAIRS.txt [bahdanau] [transformer] [seq2seq]     (the site must be built)
//
// The file's last 40 pairs are held out, the first 601 of 641 learnt. Prints one JSON line a model.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '../../tools/serve.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { chromium } = createRequire(`${ROOT}web/package.json`)('@playwright/test');
const HOURS = 3 * 3600 * 1000;

const [pairs, ...wanted] = process.argv.slice(2);
if (!pairs) throw new Error('which file of pairs? node tests/e2e/whole-recipe.mjs PAIRS.txt');
const models = wanted.length > 0 ? wanted : ['bahdanau', 'transformer'];

const { port, close } = await serve({ root: `${ROOT}build/site`, port: 18200 });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage();
page.on('pageerror', (error) => console.error(error.message));
const block = (id) => page.locator(`[data-block=${id}]`);

async function near(id) {
  await block(id).scrollIntoViewIfNeeded();
  await block(id).and(page.locator('[data-alive=true]')).waitFor();
  return block(id);
}

async function learn(model) {
  const recipe = await near('recipe');
  await recipe.locator(`input[value=${model}]`).first().check();
  await recipe.locator('[data-preset=book]').click();
  const course = await near('course');
  await course.locator('button.main').first().click();
  const phase = course.locator('.phase');
  await phase.and(page.getByText('done')).waitFor({ timeout: HOURS });
  const row = course.locator(`tr[data-model=${model}]`);
  const of = async (what) => (await row.locator(`[data-of=${what}]`).textContent()).trim();
  return {
    model,
    epochs: Number(await course.locator('[data-epoch]').getAttribute('data-epoch')),
    loss_per_token: Number(await of('learnt')),
    book_loss: Number(await of('book')),
    seconds: Number(await row.locator('[data-of=seconds]').getAttribute('data-value')),
    held_out: { loss_per_token: await of('loss_per_token'), bleu: await of('bleu') },
  };
}

await page.goto(`http://localhost:${port}/en/playground/`);
const own = await near('pairs');
await own.locator('.drop input').setInputFiles({
  name: basename(pairs),
  mimeType: 'text/plain',
  buffer: readFileSync(pairs),
});
await own.getByText(basename(pairs)).waitFor();
for (const model of models) {
  const began = performance.now();
  const result = await learn(model);
  const wall = Math.round((performance.now() - began) / 100) / 10;
  console.log(JSON.stringify({ ...result, wall_seconds: wall }));
}
await browser.close();
close();
