// Which blocks stand in another page's frame. What is hidden is said by embed.css.

const root = document.documentElement;

/** Marks the blocks that `?embed=` names, and says whether a block is to be shown. A page of no known block is shown whole: a
 *  lesson may have changed since the link was made. */
export function embedded(blocks: Iterable<HTMLElement>): (block: HTMLElement) => boolean {
  const wanted = root.dataset['embed']?.split(' ');
  if (!wanted) return () => true;
  const chosen = [...blocks].filter((block) => wanted.includes(block.dataset['block'] ?? ''));
  if (chosen.length === 0) {
    delete root.dataset['embed'];
    return () => true;
  }
  for (const block of chosen) mark(block);
  return (block) => chosen.includes(block);
}

/** The block, and what it stands in: by attributes, since `:has()` would be looked at whenever anything on the page changes. */
export function mark(block: HTMLElement): void {
  block.dataset['embedded'] = 'true';
  for (let at = block.parentElement; at && !at.matches('.lesson-text'); at = at.parentElement)
    at.dataset['around'] = 'true';
}

/** Not what it stands in, if another block is there that is marked. */
export function unmark(block: HTMLElement): void {
  delete block.dataset['embedded'];
  for (let at = block.parentElement; at && !at.matches('.lesson-text'); at = at.parentElement)
    if (!at.querySelector('[data-embedded]')) delete at.dataset['around'];
}
