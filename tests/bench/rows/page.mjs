// What a visitor of the built site waits for: load.first, load.alive, stage.step, heatmap.256.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../table.mjs';

const STAGE = 'bahdanau'; // the lesson whose stage is measured
const STEPS = 60;

export const rows = ['load.first', 'load.alive', 'stage.step', 'heatmap.256'];

/** A row where less is better, held to what it may be at most. */
const least = (name, unit, ours, limits, more = {}) => ({
  name, unit, ours, peers: {}, ratio: null, ...limits, pass: ours <= limits.at_least, ...more,
});

/** In the page: notes when a canvas of a block first has something on it. */
function watchForLife() {
  const drawn = (canvas) => {
    const { width, height } = canvas;
    if (width === 0 || height === 0) return false;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    return data.some((value, i) => i % 4 === 3 && value > 0);
  };
  const look = () => {
    if ([...document.querySelectorAll('.block canvas')].some(drawn)) globalThis.alive = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** In the page: `cost(act)` is how long the page works on what `act` does, until it is painted; waiting is not counted. */
function addCost() {
  const rendered = () =>
    new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done(performance.now());
      port2.postMessage(undefined); // a task of its own, behind the frame
    });
  globalThis.cost = async (act) => {
    const spans = [];
    const frame = (work) =>
      new Promise((done) => {
        requestAnimationFrame(async () => {
          const start = performance.now();
          const next = work?.();
          spans.push((await rendered()) - start);
          done(next);
        });
      });
    let second;
    await frame(() => {
      second = frame(); // in case that something puts its drawing off to the next frame
      act();
    });
    await second;
    return spans.reduce((sum, span) => sum + span, 0);
  };
}

const prepare = async (page) => {
  await page.addInitScript(watchForLife);
  await page.addInitScript(addCost);
};

const alive = (page) => page.waitForFunction(() => globalThis.alive, undefined, { timeout: 60e3 }).then((found) => found.jsonValue());

async function firstLoad({ browser, root }) {
  const slug = readdirSync(join(root, 'lessons')).filter((name) => /^\d+-/.test(name)).sort()[0].replace(/^\d+-/, '');
  const { page, address, sent, close } = await browser.visit(prepare);
  await page.goto(`${address}/en/${slug}/`);
  await page.evaluate(async () => {
    for (const block of document.querySelectorAll('.block')) {
      block.scrollIntoView();
      await new Promise((done) => setTimeout(done, 300));
    }
  });
  await page.waitForLoadState('networkidle');
  const bytes = sent();
  await close();
  return least('load.first', 'KiB', bytes / 1024, { at_least: 700, aim: 400 }, { lesson: slug });
}

async function firstLife({ browser, rounds }) {
  const times = [];
  for (let i = 0; i < rounds; i += 1) {
    const { page, address, close } = await browser.visit(prepare);
    await page.goto(`${address}/en/${STAGE}/`);
    await page.evaluate(() => document.querySelector('[data-kind=stage]').scrollIntoView());
    times.push(await alive(page));
    await close();
  }
  return least('load.alive', 'ms', median(times), { at_least: 1000, aim: 400 });
}

/** In the page: the costs of so many steps of the stage. */
async function walk(count) {
  const range = document.querySelector('[data-kind=stage] input[type=range]');
  const press = (key) => range.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  await globalThis.cost(() => press('Home'));
  const costs = [];
  let key = 'ArrowRight';
  for (let i = 0; i < count; i += 1) {
    const before = range.value;
    costs.push(await globalThis.cost(() => press(key)));
    if (range.value === before) key = key === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight';
  }
  return costs;
}

async function stageStep({ browser }) {
  const { page, address, close } = await browser.visit(prepare);
  await page.goto(`${address}/en/${STAGE}/`);
  await page.locator('[data-kind=stage]').first().scrollIntoViewIfNeeded();
  await alive(page);
  await page.locator('[data-kind=stage] input[type=range]').first().waitFor();
  await page.evaluate(walk, STEPS); // warms up
  const still = median(await page.evaluate(walk, STEPS));
  await page.locator('[data-kind=train]').first().scrollIntoViewIfNeeded();
  const play = page.locator('[data-kind=train] button').first();
  await play.click();
  await page.locator('[data-kind=stage] input[type=range]').first().scrollIntoViewIfNeeded();
  await page.waitForTimeout(1000);
  const training = median(await page.evaluate(walk, STEPS));
  await close();
  return least('stage.step', 'ms', Math.max(still, training), { at_least: 16, aim: 8 }, { still, training });
}

/** Puts a heat map of 256 × 256 where the lesson has its own: products of sinusoids of positions, one number a pair. */
async function withLargeMap(page) {
  await prepare(page);
  await page.route('**/en/*/', async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replace(
      /(<script[^>]*\bid="lesson"[^>]*>)([\s\S]*?)(<\/script>)/,
      (_, open, json, end) => {
        const lesson = JSON.parse(json);
        const at = lesson.lesson ?? lesson;
        at.sessions.large = { model: 'positions', config: {} };
        const map = Object.values(at.blocks).find(({ kind }) => kind === 'heatmap');
        Object.assign(map, { session: 'large', inputs: { positions: 256 }, step: 'product', role: 'ink' });
        return open + JSON.stringify(lesson).replaceAll('<', '\\u003c') + end;
      },
    );
    await route.fulfill({ response, body: html });
  });
}

/** In the page: the costs of pointing at other cells, and of scrolling with the pointer over the map. */
async function pointAndScroll(count) {
  const map = document.querySelector('[data-kind=heatmap]');
  const canvas = map.querySelector('canvas');
  canvas.scrollIntoView({ block: 'center' });
  const hover = [], scroll = [];
  const point = (i) => {
    const box = canvas.getBoundingClientRect();
    const share = 0.3 + (0.6 * ((i * 7) % count)) / count;
    const at = { clientX: box.left + box.width * share, clientY: box.top + box.height * (1.2 - share), bubbles: true };
    for (const [Kind, type] of [[PointerEvent, 'pointermove'], [MouseEvent, 'mousemove']])
      canvas.dispatchEvent(new Kind(type, at));
  };
  for (let i = 0; i < count; i += 1) hover.push(await globalThis.cost(() => point(i)));
  for (let i = 0; i < count; i += 1)
    scroll.push(
      await globalThis.cost(() => {
        scrollBy(0, i % 20 < 10 ? 24 : -24);
        point(i);
      }),
    );
  return { hover, scroll };
}

async function largeMap({ browser }) {
  const { page, address, close } = await browser.visit(withLargeMap);
  await page.goto(`${address}/en/${STAGE}/`);
  await page.locator('[data-kind=heatmap]').first().scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector('[data-kind=heatmap] canvas')?.width > 100, undefined, { timeout: 60e3 });
  await page.waitForTimeout(500);
  await page.evaluate(pointAndScroll, STEPS);
  const { hover, scroll } = await page.evaluate(pointAndScroll, STEPS);
  const found = { hover: median(hover), scroll: median(scroll) };
  await close();
  return least('heatmap.256', 'ms', Math.max(found.hover, found.scroll), { at_least: 8, aim: 4 }, found);
}

export async function measure(context) {
  const out = [];
  for (const [name, measureRow] of Object.entries({ 'load.first': firstLoad, 'load.alive': firstLife, 'stage.step': stageStep, 'heatmap.256': largeMap }))
    if (context.chosen(name)) {
      context.say(name);
      out.push(await measureRow(context));
    }
  return out;
}
