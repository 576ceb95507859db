// The help sheet: `?` and the header's button open it, Esc and a click beside it close it.

import { recall, remember } from './storage';

const TYPING = 'input, textarea, select, [contenteditable]';
const KEPT = 'help-key'; // "off": the key is left alone

/** Where text is typed a question mark is one. */
export const types = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches(TYPING) && !target.matches('[type=range]');

/** Whether letters and signs are keys: the sheet has a switch for those who type by voice. */
export const lettersAreKeys = (): boolean =>
  document.querySelector<HTMLInputElement>('#help-key')?.checked === true;

export function helpSheet(): void {
  const sheet = document.querySelector<HTMLDialogElement>('#help');
  const key = document.querySelector<HTMLInputElement>('#help-key');
  if (!sheet || !key) return;
  const open = (): void => {
    if (!document.querySelector('dialog[open]')) sheet.showModal();
  };
  key.checked = recall(KEPT) !== 'off';
  key.addEventListener('change', () => remember(KEPT, key.checked ? 'on' : 'off'));
  document.querySelector('#help-open')?.addEventListener('click', open);
  addEventListener('keydown', (event) => {
    if (event.key !== '?' || event.defaultPrevented || types(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || !lettersAreKeys()) return;
    event.preventDefault();
    open();
  });
}

/** Of every sheet: its own button closes it, and a click on what is around it. */
export function closeSheets(): void {
  document.addEventListener('click', ({ target }) => {
    const at = target as Element;
    const id = at.closest<HTMLElement>('[data-close]')?.dataset['close'];
    if (id !== undefined) document.querySelector<HTMLDialogElement>(`#${id}`)?.close();
    else if (at.matches('dialog.sheet')) (at as HTMLDialogElement).close(); // its backdrop: all else lies on its children
  });
}
