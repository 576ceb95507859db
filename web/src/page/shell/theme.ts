import { remember } from './storage';

const CHOICES = ['system', 'light', 'dark'] as const;
type Choice = (typeof CHOICES)[number];

const root = document.documentElement;

const present = (): Choice =>
  CHOICES.find((choice) => choice === root.dataset['themeChoice']) ?? 'system';

/** One button walks through the three choices and says which one holds. */
export function themeSwitch(): void {
  const button = document.querySelector<HTMLButtonElement>('#theme');
  if (!button) return;
  const label = (): void => {
    const words = button.dataset[present()] ?? '';
    button.setAttribute('aria-label', words);
    button.title = words;
  };
  button.addEventListener('click', () => {
    const next = CHOICES[(CHOICES.indexOf(present()) + 1) % CHOICES.length]!;
    remember('theme', next);
    document.dispatchEvent(new CustomEvent('theme-chosen', { detail: next })); // first-paint.js applies it
    label();
  });
  label();
}
