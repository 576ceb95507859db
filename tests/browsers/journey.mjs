// A journey through every lesson, the same for each browser: it opens, computes its blocks, steps the stage to the end and back,
// trains a little and gets as far as anywhere, and complains of nothing.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { figure } from '../../tools/figures.mjs';
import { serve } from '../../tools/serve.mjs';
import { BANDS, outside } from './bands.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SITE = join(ROOT, 'build', 'site');
const FIRST = '<meta charset="utf-8">';

export const SLUGS = readdirSync(join(ROOT, 'lessons')).flatMap((name) => /^\d\d-(.+)$/.exec(name)?.[1] ?? []);

/** The built site, each page of which loads watch.js before anything else. */
export function watchedSite(name) {
  const to = join(ROOT, 'build', 'test', `watched-${name}`);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(SITE, { recursive: true })) {
    if (!entry.endsWith('.html')) continue;
    const html = readFileSync(join(SITE, entry), 'utf8');
    assert(html.includes(FIRST), `${entry} does not say its encoding where it is looked for`);
    const up = '../'.repeat(entry.split('/').length - 1);
    mkdirSync(join(to, entry, '..'), { recursive: true });
    writeFileSync(join(to, entry), html.replace(FIRST, `${FIRST}<script src="${up}watch.js"></script>`));
  }
  for (const { name: file } of readdirSync(SITE, { withFileTypes: true }).filter((each) => each.isFile()))
    if (!/\.html/.test(file)) cpSync(join(SITE, file), join(to, file));
  symlinkSync(join(SITE, 'assets'), join(to, 'assets'));
  cpSync(new URL('watch.js', import.meta.url), join(to, 'watch.js'));
  return to;
}

/** Again, where the page has moved under the pointer: WebKitGTK does not hold it where it is read while blocks above come alive. */
async function startsTraining(browser) {
  for (let tries = 0; tries < 5; tries++) {
    const start = await browser.evaluate('journey.trainButton(true)');
    if (!start) return false;
    await browser.click(start);
    if (await browser.evaluate('journey.begins()')) return true;
  }
  throw new Error('a press on the button starts no training');
}

async function throughLesson(browser, slug) {
  const blocks = await browser.evaluate('journey.everyBlock()');
  assert(blocks > 0, 'no block');
  const stage = await browser.evaluate('journey.stage()');
  if (stage) {
    assert(stage.there.length > 2, `only ${stage.there.length} states`);
    assert.deepEqual(stage.back, stage.there.toReversed());
  }
  if (!(await startsTraining(browser))) return;
  const band = BANDS[slug];
  const epochs = band?.epoch ?? 1;
  assert(await browser.evaluate(`journey.trained(${epochs})`) >= epochs);
  if (band) assert.equal(outside(slug, await browser.evaluate('journey.losses()')), null);
  const pause = await browser.evaluate('journey.trainButton(false)');
  if (!pause) return; // it is done already
  await browser.click(pause);
  assert(await browser.evaluate('journey.rests()'), 'an error beside the training');
}

/** Registers the tests of one browser in one language. */
export function journey({ start, lang }) {
  let browser, server;
  before(async () => {
    server = await serve({ root: watchedSite(lang), port: 18600 });
    browser = await start();
    console.log(`# ${browser.name} ${await browser.version()}`);
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });
  for (const slug of SLUGS)
    test(`${slug} ${lang}: opens, computes, steps to the end and back, trains, complains of nothing`, async () => {
      await browser.open(`http://localhost:${server.port}/${lang}/${slug}/`);
      await throughLesson(browser, slug);
      assert.deepEqual(await browser.evaluate('journey.complaints()'), []);
      figure(`pages of lessons in ${browser.name}, one language`, 1);
    });
}
