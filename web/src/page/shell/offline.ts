// Keeps the whole site in this browser after the first visit, and tells when a newer build has taken the place of the one that
// this page is of. Nothing reloads by itself: an open page goes on with its own code (src/offline/worker.ts).

const LATER_MS = 2000; // what a reader is waiting for comes first

/** The root of the site, wherever it is hosted, is where its manifest lies. */
const root = (): string | undefined =>
  document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href;

const show = (id: string): void => document.getElementById(id)?.removeAttribute('hidden');

async function register(from: string): Promise<void> {
  const { serviceWorker } = navigator;
  try {
    const scope = new URL('./', from).href;
    await serviceWorker.register(new URL('sw.js', from), { scope, updateViaCache: 'none' });
    await serviceWorker.ready;
    show('kept');
  } catch {
    // Forbidden here, no room, or no network just now: the page works as it did, and the next visit tries again.
  }
}

function listenToNotice(): void {
  const notice = document.getElementById('renewed');
  notice?.querySelector('[data-reload]')?.addEventListener('click', () => location.reload());
  notice?.querySelector('[data-close]')?.addEventListener('click', () => (notice.hidden = true));
}

/** In another page's frame nothing is kept: that is for who reads the lesson. */
export function keepOffline(): void {
  const from = root();
  if (from === undefined || !('serviceWorker' in navigator) || window.top !== window) return;
  listenToNotice();
  const { serviceWorker } = navigator;
  // Another controller than the one that this page came from is of another build.
  if (serviceWorker.controller)
    serviceWorker.addEventListener('controllerchange', () => show('renewed'));
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const later = (): unknown => setTimeout(() => void register(from), LATER_MS);
  if (document.readyState === 'complete') later();
  else addEventListener('load', later, { once: true });
}
