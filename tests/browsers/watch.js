// Runs in the page before anything else of it: hears what the page complains of, and holds what a journey does with a lesson,
// so that it is the same in every browser, whatever its driver can do.

(() => {
  const complaints = [];
  const complain = (what) => complaints.push(String(what));

  addEventListener('error', ({ message, target }) => {
    // Of a module that runs already Firefox says that its preload failed; one that is really missing fails where it is imported.
    if (target?.rel === 'modulepreload') return;
    // No fault: what is measured anew is told in the next frame.
    if (/^ResizeObserver loop/.test(message)) return;
    complain(message ?? `${target.localName} ${target.src ?? target.href} did not load`);
  }, true);
  addEventListener('unhandledrejection', ({ reason }) => complain(`unhandled: ${reason}`));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    complain(`policy: ${violatedDirective} forbids ${blockedURI}`));
  const error = console.error.bind(console);
  console.error = (...said) => (complain(said.join(' ')), error(...said));

  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const visible = (element) => element.getClientRects().length > 0;

  /** Until `holds` says something truthy, which is returned. */
  async function until(what, holds, seconds = 90) {
    for (const end = Date.now() + 1000 * seconds; ; await sleep(50)) {
      const found = holds();
      if (found) return found;
      if (Date.now() > end) throw new Error(`${what}: waited ${seconds} s`);
    }
  }

  const seen = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };

  const tasks = {
    /** Every block comes alive, computes, and shows no error. Returns how many there are. */
    async everyBlock() {
      for (const fold of all('details.why')) fold.open = true; // some hold a block
      const blocks = all('.block[data-block]');
      for (const block of blocks)
        await until(`block ${block.dataset.block} comes alive`, () => {
          // Again, where what came alive above has pushed it out of sight.
          if (!seen(block)) block.scrollIntoView({ block: 'center' });
          return block.dataset.alive === 'true';
        });
      await until('nothing is being computed', () => all('[aria-busy=true]').filter(visible).length === 0);
      const errors = all('.error').map((box) => `${box.closest('.block')?.dataset.block}: ${box.textContent.trim()}`);
      if (errors.length > 0) throw new Error(errors.join('\n'));
      return blocks.length;
    },

    /** The first stage, from its first state to the last by the button, and back. Returns what was passed each way. */
    async stage() {
      const block = document.querySelector('[data-kind=stage]');
      if (!block) return null;
      block.scrollIntoView({ block: 'center' });
      const range = await until('the stage is there', () => block.querySelector('.scrub input[type=range]'));
      const [back, forward] = await until('the buttons are there', () => {
        const found = all('.scrub .buttons button', block).slice(-2);
        return found.length === 2 && !found.every(({ disabled }) => disabled) && found;
      });
      const stands = () => `${range.value} ${block.querySelector('.chip[aria-current=step]')?.title}`;
      const go = async (button) => {
        const passed = [stands()];
        while (!button.disabled) {
          const before = range.value;
          button.click();
          await until('the stage moves', () => range.value !== before);
          passed.push(stands());
        }
        return passed;
      };
      await go(back);
      return { there: await go(forward), back: await go(back) };
    },

    /** What a pointer has to press to train: scrolled to, its place in the window. */
    async trainButton() {
      const block = document.querySelector('[data-kind=train], [data-kind=course]');
      if (!block) return null;
      const button = await until('the button is there', () => block.querySelector('.control.main:not(:disabled)'));
      button.scrollIntoView({ block: 'center', behavior: 'instant' });
      await sleep(200);
      const { left, top, width, height } = button.getBoundingClientRect();
      return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
    },

    async trained(epochs) {
      const block = document.querySelector('[data-kind=train], [data-kind=course]');
      const reached = () => Number(block.querySelector('[data-epoch]')?.dataset.epoch);
      await until(`${epochs} epochs`, () => reached() >= epochs, 120);
      return reached();
    },

    async rests() {
      const block = document.querySelector('[data-kind=train], [data-kind=course]');
      const button = block.querySelector('.control.main');
      const label = block.querySelector('.phase').textContent;
      await until('the training rests', () => button.textContent !== label && !block.querySelector('.error'));
      return block.querySelector('.phase').textContent;
    },

    /** What the page complained of, and what it fetched from elsewhere. */
    complaints() {
      const strangers = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
      return [
        ...complaints,
        ...strangers.filter((url) => url.protocol.startsWith('http') && url.origin !== location.origin).map(String),
      ];
    },
  };

  window.journey = tasks;
})();
