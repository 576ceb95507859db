// After one visit the whole site works without its host; a new build never mixes with an old one; a page out of an old cache
// mends itself or says what is wrong. On a host as plain as any: Python's own, from a folder, without special headers.

import type { Page } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { figure } from '../../tools/figures.mjs';
import { expect, LANGS, nested, ROOT, serve, SITE, apart, type Lang } from './lab';

const test = apart.extend({ serviceWorkers: 'allow' });
const SLUGS = readdirSync(`${ROOT}lessons`).flatMap((name) => /^\d\d-(.+)$/.exec(name)?.[1] ?? []);

// eslint-disable-next-line no-empty-pattern
test.afterEach(({}, { status }) => {
  if (status === 'passed') figure('faults survived', 1);
});

/** The whole site is kept; the page says so. */
async function kept(page: Page): Promise<void> {
  await expect(page.locator('#kept')).toBeVisible({ timeout: 60_000 });
}

async function firstBlockLives(page: Page): Promise<void> {
  const block = page.locator('.block[data-block]').first();
  await block.scrollIntoViewIfNeeded();
  await expect(block).toHaveAttribute('data-alive', 'true');
  await expect(page.locator('.error')).toHaveCount(0);
}

async function translates(page: Page): Promise<void> {
  const block = page.locator('[data-kind=translate]').first();
  await block.scrollIntoViewIfNeeded();
  await expect(block.locator('[data-text]')).toHaveAttribute('data-text', /\S/);
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

async function python(root: string): Promise<{ origin: string; host: ChildProcess }> {
  const port = await freePort();
  const host = spawn('python3', ['-m', 'http.server', `${port}`, '--bind', '127.0.0.1'], {
    cwd: root,
    stdio: 'ignore',
  });
  const origin = `http://localhost:${port}`;
  await expect(async () => expect((await fetch(origin)).ok).toBe(true)).toPass();
  return { origin, host };
}

/** Every request of this context that leaves the origin. */
function strangers(page: Page, origin: string): string[] {
  const found: string[] = [];
  page.context().on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !['blob:', 'data:'].includes(url.protocol)) found.push(url.href);
  });
  return found;
}

test('after one visit to one lesson every lesson works in both languages with the host gone', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const { origin, host } = await python(nested());
  const elsewhere = strangers(page, origin);
  const site = `${origin}/some/folder/site`;
  try {
    await page.goto(`${site}/en/attention-cues/`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await kept(page);
    // What is left is what the service worker keeps.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.clearBrowserCache');
  } finally {
    host.kill();
  }
  await expect(fetch(origin)).rejects.toThrow();
  for (const lang of LANGS)
    for (const slug of SLUGS) {
      await page.goto(`${site}/${lang}/${slug}/`);
      await firstBlockLives(page);
    }
  await page.goto(`${site}/zh/bahdanau?embed=translate`); // neither the slash nor the query is needed
  await translates(page);
  // Where there is a graphics card its engine comes first, and was not kept: the one that was answers.
  await page.goto(`${site}/en/bahdanau/?engine=gpu`);
  await translates(page);
  await page.goto(site + '/');
  await expect(page.locator('a.enter').first()).toBeVisible();
  expect(elsewhere).toEqual([]);
});

const digest = (bytes: Buffer): string =>
  `sha256-${createHash('sha256').update(bytes).digest('base64')}`;

/** Another build in the place of this one: one page is new, and one part that the old page comes to need is gone. */
function renew(folder: string, slug: string): void {
  const replaced = (path: string, change: (text: string) => string): void => {
    const file = join(folder, path);
    const before = readFileSync(file);
    writeFileSync(file, change(before.toString()));
    for (const end of ['.br', '.gz']) rmSync(file + end, { force: true });
    worker = worker.replaceAll(digest(before), digest(readFileSync(file)));
  };
  let worker = readFileSync(join(folder, 'sw.js'), 'utf8');
  replaced(`en/${slug}/index.html`, (html) => html.replace('<h1', '<h1 data-renewed="true"'));
  for (const name of readdirSync(join(folder, 'assets'))) {
    if (!/^(View|corpus|Question|plotting)-|\.safetensors/.test(name)) continue;
    rmSync(join(folder, 'assets', name));
    if (/\.(br|gz)$/.test(name)) continue;
    worker = worker.replaceAll(
      new RegExp(`\\[[\`"']assets/${name}[\`"'],\\s*[\`"']sha256-[^\\]]*\\],?`, 'g'),
      '',
    );
  }
  const build = /build:\s*[`"'](\w+)[`"']/.exec(worker)![1]!;
  writeFileSync(join(folder, 'sw.js'), worker.replaceAll(build, 'another-build'));
  for (const end of ['.br', '.gz']) rmSync(join(folder, `sw.js${end}`), { force: true });
}

test('a new build waits for the reader: the open page keeps its own code, and a reload brings the new one', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const root = `${ROOT}build/test/renewed`;
  rmSync(root, { recursive: true, force: true });
  cpSync(SITE, root, { recursive: true });
  const { port, close } = await serve({ root, port: 18980 });
  try {
    await page.goto(`http://localhost:${port}/en/bahdanau/`);
    await kept(page);
    await page.reload(); // from now on the page comes from what is kept
    await firstBlockLives(page);
    await page.getByRole('textbox').first().fill('Go.');
    renew(root, 'bahdanau');
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    const notice = page.locator('#renewed');
    await expect(notice).toBeVisible({ timeout: 60_000 });
    await expect(notice).toContainText('A newer version of this site is here');
    // Its own parts are gone from the host, and still come.
    for (const block of (await page.locator('.block[data-block]').all()).slice(0, 6)) {
      await block.scrollIntoViewIfNeeded();
      await expect(block).toHaveAttribute('data-alive', 'true');
    }
    await expect(page.locator('.error')).toHaveCount(0);
    await expect(page.locator('h1')).not.toHaveAttribute('data-renewed', 'true');
    const address = page.url();
    await notice.getByRole('button', { name: 'Reload the page' }).click();
    await expect(page.locator('h1')).toHaveAttribute('data-renewed', 'true');
    expect(page.url()).toBe(address);
    await expect(notice).toBeHidden();
  } finally {
    close();
  }
});

test('a file that is not what was built is not kept: the site goes on from its host', async ({
  page,
}) => {
  const root = `${ROOT}build/test/broken`;
  rmSync(root, { recursive: true, force: true });
  cpSync(SITE, root, { recursive: true });
  const half = readdirSync(`${root}/assets`).find((name) =>
    /^transformer-.*\.safetensors$/.test(name),
  )!;
  const file = `${root}/assets/${half}`;
  writeFileSync(file, readFileSync(file).subarray(0, 1000));
  for (const end of ['.br', '.gz']) rmSync(file + end, { force: true });
  const { port, close } = await serve({ root, port: 19080 });
  try {
    await page.goto(`http://localhost:${port}/en/bahdanau/`);
    await translates(page);
    const state = await page.evaluate(async () => {
      const found = await navigator.serviceWorker.register('../../sw.js', { scope: '../../' });
      const worker = found.installing ?? found.waiting ?? found.active;
      if (worker && worker.state === 'installing')
        await new Promise((done) => worker.addEventListener('statechange', done, { once: true }));
      return worker?.state;
    });
    expect(state).toBe('redundant');
    await expect(page.locator('#kept')).toBeHidden();
  } finally {
    close();
  }
});

const NEW: Record<Lang, string> = {
  zh: '页面有一部分没有收到',
  en: 'Part of this page did not arrive',
};

for (const lang of LANGS)
  test(`${lang}: a page out of an old cache, whose scripts the host has no more, is fetched anew once, then it says so`, async ({
    page,
  }) => {
    const { port, close } = await serve({ root: SITE, port: 19180 });
    try {
      const scripts = /assets\/shell-[\w-]+\.js$/;
      let asked = 0;
      await page.route(scripts, (route) => {
        asked += 1;
        return route.fulfill({ status: 404, body: '' });
      });
      await page.goto(`http://localhost:${port}/${lang}/bahdanau/`);
      const notice = page.locator('#broken');
      await expect(notice).toContainText(NEW[lang]);
      expect(asked).toBe(2);
      await page.unroute(scripts);
      const anew = page.waitForEvent('load');
      await notice.getByRole('button').click();
      await anew;
      await translates(page);
      await expect(notice).toBeHidden();
    } finally {
      close();
    }
  });
