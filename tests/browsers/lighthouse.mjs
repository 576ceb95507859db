// Lighthouse on the built site, in a Chromium of its own: for the test of what it demands, and for the bench's row of speed. CHROMIUM
// overrides which one.

import lighthouse, { desktopConfig } from 'lighthouse';
import puppeteer from 'puppeteer-core';

/** One page of each kind, from the site's root. */
export const PAGES = {
  door: '',
  map: 'zh/',
  lesson: 'en/bahdanau/',
  playground: 'zh/playground/',
  proof: 'en/proof/',
  deviations: 'zh/deviations/',
};

const ARGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

// By default speed is computed from what a network without brakes does ("simulate"), and nothing waits five seconds for silence,
// as it does where the network is slowed down or left alone. The picture of the whole page says nothing in a test.
const SETTINGS = { output: 'json', logLevel: 'silent', disableFullPageScreenshot: true };

/**
 * On the site at `origin`.
 * `audit(path, categories, { phone })` resolves to Lighthouse's result: `categories` with scores of 0 … 1, `audits`. A page is
 * audited on a desktop unless on a phone, each time as if nobody had been there.
 */
export async function startLighthouse(origin) {
  const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS, headless: true });
  return {
    async audit(path, categories, { phone = false } = {}) {
      const page = await browser.newPage();
      try {
        const flags = { ...SETTINGS, onlyCategories: categories };
        const run = await lighthouse(`${origin}/${path}`, flags, phone ? undefined : desktopConfig, page);
        return run.lhr;
      } finally {
        await page.close();
      }
    },
    close: () => browser.close(),
  };
}

/** What keeps a category from its full score, in words. */
export const shortcomings = ({ categories, audits }) =>
  Object.values(categories).flatMap(({ id, score, auditRefs }) =>
    score === 1
      ? []
      : auditRefs
          .filter((ref) => ref.weight > 0 && audits[ref.id].score !== null && audits[ref.id].score < 1)
          .map((ref) => `${id}: ${audits[ref.id].title} ${JSON.stringify(audits[ref.id].details?.items ?? [])}`),
  );
