// Links inside the page, and the link to the other language.

const holdsState = (): boolean => location.hash.includes('=');

/** The fragment may hold what the learner set (`#sentence=…`): a jump must not wipe it out. */
function jump(event: Event, link: HTMLAnchorElement): void {
  const id = decodeURIComponent(link.hash.slice(1));
  const target = document.getElementById(id);
  if (!target || id.includes('=')) return;
  if (holdsState()) {
    event.preventDefault();
    target.scrollIntoView();
    target.focus({ preventScroll: true });
  }
  document.querySelector<HTMLElement>('#lessons')?.hidePopover?.();
}

/** Search engines want them whole. */
function wholeAlternates(): void {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel=alternate][hreflang]');
  for (const link of links) link.setAttribute('href', link.href);
}

export function followLinks(): void {
  wholeAlternates();
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
    if (link && !event.defaultPrevented) jump(event, link);
  });
  const language = document.querySelector<HTMLAnchorElement>('#language');
  const plain = language?.href;
  // At the last moment, so that the other language opens in the state of this one.
  for (const event of ['click', 'auxclick', 'contextmenu', 'focus'])
    language?.addEventListener(event, () => (language.href = plain + location.hash));
}
