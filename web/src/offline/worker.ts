// The service worker: after one visit every page answers from a cache of its own build, with or without a network.
//
// A build is one cache. It is filled completely and each file is checked against its digest, or it is never used: half an answer
// and a mixture of two builds both fail the check. A page gets the newest build's; the hashed files that it then asks for are
// looked for in the newest cache and in the one before, so that a page of the old build that is still open goes on with its own
// code, for the name of a hashed file never changes its content.

import { relaxedSimd } from 'wasm-feature-detect';

declare const self: ServiceWorkerGlobalScope;

/** A path from the site's root ('' is its front door) and the digest of what lies there. */
type File = [path: string, integrity: string];

/** Put in place of this name when the site is built (pages/offline.ts). */
declare const SITE_FILES: {
  build: string;
  files: File[]; // of every page
  engines: Record<string, File[]>; // by variant: a browser needs one
  later: string[]; // kept when they are first asked for
};
const site = SITE_FILES;

const AT_ONCE = 6;
const scope = self.registration.scope;
// Copies of the site in two folders of one host share the host's caches.
const PREFIX = `attention-lab ${scope} `;
const NAME = PREFIX + site.build;
const LATER = new Set([
  ...site.later,
  ...Object.values(site.engines)
    .flat()
    .map(([path]) => path),
]);

const isHashed = (path: string): boolean => path.startsWith('assets/');
const own = (): Promise<Cache> => caches.open(NAME);
const builds = async (): Promise<string[]> =>
  (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);

/** What a host redirected cannot answer a navigation: the same as an answer of its own. */
const plain = ({ body, headers, status }: Response): Response =>
  new Response(body, { headers, status });

/** As the browser has it, where it is what was built; a stale or broken copy is passed by. */
async function fetched([path, integrity]: File): Promise<Response> {
  const url = new URL(path, scope);
  const ask = (cache: RequestCache): Promise<Response> => fetch(url, { integrity, cache });
  const response = await ask(isHashed(path) ? 'default' : 'no-cache').catch(() => ask('reload'));
  if (!response.ok) throw new Error(`${url.href}: ${response.status}`);
  return response.redirected ? plain(response) : response;
}

async function keep(cache: Cache, file: File): Promise<void> {
  const url = new URL(file[0], scope);
  if (await cache.match(url, { ignoreVary: true })) return; // an installation that was interrupted goes on
  const before = isHashed(file[0]) ? await caches.match(url, { ignoreVary: true }) : undefined;
  await cache.put(url, before ?? (await fetched(file)));
}

async function install(): Promise<void> {
  const cache = await own();
  const engine = site.engines[(await relaxedSimd()) ? 'relaxed' : 'simd'] ?? [];
  const left = [...engine, ...site.files];
  const worker = async (): Promise<void> => {
    for (let file = left.shift(); file; file = left.shift()) await keep(cache, file);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await self.skipWaiting(); // nothing mixes: open pages keep finding their own files
}

async function activate(): Promise<void> {
  const older = await builds(); // in the order in which they were made
  await Promise.all(older.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const search = url.search; // says how a page is shown, not which
  url.search = url.hash = '';
  const path = url.href.slice(scope.length);
  const cache = await own();
  const found =
    (await cache.match(url, { ignoreVary: true })) ??
    (isHashed(path) ? await caches.match(url, { ignoreVary: true }) : undefined);
  if (found) return found;
  if (request.mode === 'navigate' && (await cache.match(`${url.href}/`, { ignoreVary: true })))
    return Response.redirect(`${url.href}/${search}`);
  const response = await fetch(request);
  // Where there is no room for it, it is fetched again the next time.
  if (response.ok && LATER.has(path)) await cache.put(url, response.clone()).catch(() => undefined);
  return response;
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const asked = request.method === 'GET' && request.url.startsWith(scope);
  // `no-store` and `reload` ask for what the host has now.
  if (asked && !['no-store', 'reload'].includes(request.cache)) event.respondWith(answer(request));
});
