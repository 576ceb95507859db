// A glossary term shows its definition beside itself, on hover and on focus; the list at the lesson's
// end holds the same words for those without a script.

const GAP = 8;

function place(card: HTMLElement, link: HTMLElement): void {
  const at = link.getClientRects()[0] ?? link.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const left = Math.min(Math.max(GAP, at.left), document.documentElement.clientWidth - width - GAP);
  const above = at.top - height - GAP;
  card.style.left = `${left + scrollX}px`;
  card.style.top = `${(above > GAP ? above : at.bottom + GAP) + scrollY}px`;
}

function asParagraph(part: Element): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.append(...[...part.childNodes].map((node) => node.cloneNode(true)));
  return paragraph;
}

function makeCard(): HTMLElement {
  const card = document.createElement('div');
  card.id = 'term-card';
  card.className = 'term-card';
  card.setAttribute('role', 'tooltip');
  card.hidden = true;
  document.body.append(card);
  return card;
}

export function showTerms(): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('a.term');
  if (links.length === 0) return;
  const card = makeCard();
  let shown: HTMLAnchorElement | undefined;

  const hide = (): void => {
    shown?.removeAttribute('aria-describedby');
    shown = undefined;
    card.hidden = true;
  };
  const show = (link: HTMLAnchorElement): void => {
    const entry = document.getElementById(link.hash.slice(1));
    if (!entry) return;
    hide();
    card.replaceChildren(...[...entry.children].map(asParagraph));
    card.hidden = false;
    place(card, link);
    link.setAttribute('aria-describedby', card.id);
    shown = link;
  };

  for (const link of links) {
    link.addEventListener('pointerenter', () => show(link));
    link.addEventListener('focus', () => show(link));
    link.addEventListener('pointerleave', (event) => {
      if (event.relatedTarget !== card) hide();
    });
    link.addEventListener('blur', hide);
    link.addEventListener('click', (event) => event.preventDefault()); // the card says it all
  }
  card.addEventListener('pointerleave', hide);
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
  });
}
