// How much of the page a stage takes: enough before it is there, no more than it needs afterwards, and steady while it is walked.

const MOST = 640; // pixels that are kept for the next step: a table that was unfolded is not

/** Columns are as high as the highest step so far, so that what stands below does not go up and down with every step. */
export function steady(node: HTMLElement): () => void {
  let width = 0;
  let most = 0;
  const observer = new ResizeObserver(([entry]) => {
    const { inlineSize = 0, blockSize = 0 } = entry?.borderBoxSize[0] ?? {};
    if (inlineSize !== width) {
      width = inlineSize;
      most = 0;
      node.style.minHeight = '';
    } else if (blockSize > most) {
      most = blockSize;
      node.style.minHeight = `${Math.min(most, MOST)}px`;
    }
  });
  observer.observe(node);
  return () => observer.disconnect();
}

/** The room that the page kept for the block: from now on its content says how much it is. */
export function freed(node: HTMLElement): void {
  const block = node.closest<HTMLElement>('[data-block]');
  if (block) block.style.minHeight = '0';
}
