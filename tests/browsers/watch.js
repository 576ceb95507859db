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

  const trains = () => document.querySelector('[data-kind=train], [data-kind=course]');
  /** To train and pause, to train one epoch, to go back to the start. */
  const controls = (block) => all('.controls > button.control', block);

  /** The middle of an element that was there a moment ago too: what comes alive above may still push it. */
  let last = '';
  function standing(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const place = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
    const still = JSON.stringify(place) === last && place.y > 0 && place.y < innerHeight;
    last = JSON.stringify(place);
    if (!still) element.scrollIntoView({ block: 'center', behavior: 'instant' });
    return still && place;
  }

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
      const busy = () => all('[aria-busy=true]').filter(visible);
      await until('nothing is being computed', () => busy().length === 0, 180).catch((error) => {
        const where = busy().map((each) => each.closest('.block')?.dataset.block);
        throw new Error(`${error.message}; busy: ${where.join(', ')}`);
      });
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

    /** Where a pointer has to press to train, or to pause; null where the lesson trains nothing or nothing is left to pause. */
    async trainButton(again) {
      const block = trains();
      if (!block) return null;
      const [button, step, reset] = await until('the buttons are there', () => controls(block)[2] && controls(block));
      if (button.disabled && !again) return null;
      block.dispatchEvent(new Event('pointerdown')); // touched, it does not begin by itself under the pointer
      const runs = () => step.disabled && !button.disabled;
      if (again) await until('what trains by itself when it is passed is done', () => !runs());
      if (button.disabled) reset.click();
      await until('the button can be pressed', () => !button.disabled);
      button.scrollIntoView({ block: 'center', behavior: 'instant' });
      return until('the button stands still in the window', () => standing(button));
    },

    /** Whether a press on the button has been heard. */
    begins: () => until('it begins', () => !controls(trains())[2].disabled, 5).catch(() => false),

    /** So many epochs have been trained. Returns how many it is by then. */
    async trained(epochs) {
      const reached = () => Number(trains().querySelector('[data-epoch]')?.dataset.epoch);
      return until('it is trained', () => reached() >= epochs && reached(), 180);
    },

    /** The loss of each epoch, as the table beside the curve tells it. */
    async losses() {
      const table = trains().querySelector('details');
      table.open = true;
      const told = () => all('tbody td:nth-child(2)', table).map((cell) => Number(cell.textContent.replaceAll('−', '-')));
      return until('the losses are told', () => told().length > 0 && told());
    },

    /** Paused, or done, and no error beside it. */
    async rests() {
      const block = trains();
      const [main, step] = controls(block);
      await until('the training rests', () => main.disabled || !step.disabled);
      return all('.error', block).length === 0;
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
