// What Lighthouse demands of one page of each kind, in Chromium: accessibility, best practices, what search engines read. Its score
// of speed depends on the machine, and is a row of the bench.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { figure } from '../../tools/figures.mjs';
import { serve } from '../../tools/serve.mjs';
import { PAGES, shortcomings, startLighthouse } from './lighthouse.mjs';

const SITE = fileURLToPath(new URL('../../build/site', import.meta.url));
const DEMANDED = ['accessibility', 'best-practices', 'seo'];
const ON_A_PHONE = ['lesson', 'deviations'];

let lighthouse, server;
before(async () => {
  server = await serve({ root: SITE, port: 18700 });
  lighthouse = await startLighthouse(`http://localhost:${server.port}`);
});
after(async () => {
  await lighthouse?.close();
  server?.close();
});

for (const [kind, path] of Object.entries(PAGES))
  test(`${kind}: Lighthouse gives 100 for accessibility, best practices and SEO`, async () => {
    const found = await lighthouse.audit(path, DEMANDED, { phone: ON_A_PHONE.includes(kind) });
    assert.deepEqual(shortcomings(found), []);
    const scores = Object.values(found.categories).map(({ id, score }) => [id, score]);
    assert.deepEqual(scores, DEMANDED.map((id) => [id, 1]));
    figure('pages under Lighthouse', 1);
  });
