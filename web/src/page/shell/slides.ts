// A stage as slides: alone, in large type, over the whole screen where the browser lets it. Arrow keys step, as always; so do the
// keys of a presenter's remote. Esc leads back to the lesson.

import { mark, unmark } from './embed';

const root = document.documentElement;
const REMOTE: Record<string, string> = { PageDown: 'ArrowRight', PageUp: 'ArrowLeft' };

let leave: (() => void) | undefined;

/** Keys that reach no part of the stage go to the stage. */
function onkey(stage: HTMLElement): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) return leave?.();
    const outside = !stage.contains(event.target as Node);
    const key = REMOTE[event.key] ?? (outside ? event.key : undefined);
    if (key === undefined || event.defaultPrevented || !event.isTrusted) return;
    if (key !== event.key) event.preventDefault();
    stage.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  };
}

function enter(block: HTMLElement, stage: HTMLElement): void {
  const before = { embed: root.dataset['embed'], focus: document.activeElement };
  const others = [...document.querySelectorAll<HTMLElement>('[data-embedded]')];
  others.forEach(unmark);
  root.dataset['embed'] = block.dataset['block'] ?? '';
  root.dataset['slides'] = 'true';
  mark(block);
  stage.tabIndex = -1;
  stage.focus({ preventScroll: true });
  scrollTo({ top: 0, behavior: 'instant' });
  const keys = onkey(stage);
  const changed = (): void => {
    if (!document.fullscreenElement) leave?.();
  };
  addEventListener('keydown', keys);
  leave = () => {
    leave = undefined;
    removeEventListener('keydown', keys);
    document.removeEventListener('fullscreenchange', changed);
    if (document.fullscreenElement) void document.exitFullscreen();
    delete root.dataset['slides'];
    if (before.embed === undefined) delete root.dataset['embed'];
    else root.dataset['embed'] = before.embed;
    unmark(block);
    others.forEach(mark);
    dispatchEvent(new Event('resize'));
    block.scrollIntoView({ block: 'start', behavior: 'instant' });
    (before.focus as HTMLElement | null)?.focus({ preventScroll: true });
  };
  // Forbidden in some frames, and unknown to some phones: then it fills the window.
  void Promise.resolve(root.requestFullscreen?.()).then(
    () => document.addEventListener('fullscreenchange', changed),
    () => undefined,
  );
  dispatchEvent(new Event('resize'));
}

/** In, or out again. */
export function toggleSlides(within: Element): void {
  if (leave) return leave();
  const block = within.closest<HTMLElement>('[data-block]');
  const stage = block?.querySelector<HTMLElement>('.stage');
  if (block && stage) enter(block, stage);
}
