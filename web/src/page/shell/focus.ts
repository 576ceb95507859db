// A control that computes is disabled meanwhile, and the browser takes the focus away from what is disabled: a keyboard would be
// nowhere, and a screen reader silent. It gets the focus back as soon as it can be used again, unless the reader has gone on.

let lost: HTMLElement | undefined;

/** Also a fieldset around it, or the whole form, may be what is disabled. */
const usable = new MutationObserver(() => {
  if (!lost || lost.matches(':disabled')) return;
  const back = lost;
  forget();
  if (back.isConnected) back.focus({ preventScroll: true });
});

function forget(): void {
  lost = undefined;
  usable.disconnect();
}

export function keepFocus(): void {
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget || !(target instanceof HTMLElement) || !target.matches(':disabled')) return;
    lost = target;
    usable.observe(document.body, { attributeFilter: ['disabled'], subtree: true });
  });
  document.addEventListener('focusin', forget);
  document.addEventListener('pointerdown', forget);
}
