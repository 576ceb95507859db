// The lesson on paper: every experiment is brought to life and drawn as wide as the paper, in light colours, with all folds open;
// afterwards the page is as it was.

const LONGEST_MS = 30_000; // for all experiments to answer: then what is there is printed
const root = document.documentElement;

let undo: (() => void) | undefined;

/** At once, so that it also holds where the browser's own menu prints. */
function prepare(): void {
  if (undo) return;
  const { theme } = root.dataset;
  const folds = [...document.querySelectorAll<HTMLDetailsElement>('details.why:not([open])')];
  root.dataset['theme'] = 'light';
  root.dataset['printing'] = 'true';
  folds.forEach((fold) => (fold.open = true));
  dispatchEvent(new Event('resize')); // what is drawn measures itself anew
  undo = () => {
    undo = undefined;
    root.dataset['theme'] = theme;
    delete root.dataset['printing'];
    folds.forEach((fold) => (fold.open = false));
    dispatchEvent(new Event('resize'));
  };
}

const frame = (): Promise<number> => new Promise(requestAnimationFrame);

/** All experiments are there, and none is busy, twice in a row. */
async function settled(): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  for (let calm = 0; calm < 2 && performance.now() < end;) {
    await new Promise((done) => setTimeout(done, 250));
    const busy = document.querySelector('.block[data-block]:not([data-alive]), [aria-busy=true]');
    calm = busy ? 0 : calm + 1;
  }
}

export async function printLesson(): Promise<void> {
  root.dataset['showAll'] = 'true'; // for main.ts, whether it listens already or not
  document.dispatchEvent(new CustomEvent('show-all'));
  prepare();
  await settled();
  await frame();
  print();
}

export function printing(): void {
  addEventListener('beforeprint', prepare);
  addEventListener('afterprint', () => undo?.());
  addEventListener('keydown', (event) => {
    const asked = event.key.toLowerCase() === 'p' && (event.ctrlKey || event.metaKey);
    if (!asked || event.shiftKey || event.altKey || event.defaultPrevented) return;
    if (!document.querySelector('.block[data-block]')) return;
    event.preventDefault(); // the same, once all of it is there
    void printLesson();
  });
}
