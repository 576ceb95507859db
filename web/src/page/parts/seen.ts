/** For `{@attach …}`: calls back once, when most of a block is on the screen, so that it may move by
 *  itself a little. Not for those who asked for less motion, and not once they have touched it. */
export function whenFirstSeen(move: () => void) {
  return (target: HTMLElement): (() => void) | undefined => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const block = target.closest('.block') ?? target;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        done();
        move();
      },
      { threshold: 0.7 },
    );
    const done = (): void => {
      observer.disconnect();
      for (const event of TOUCHES) block.removeEventListener(event, done);
    };
    for (const event of TOUCHES) block.addEventListener(event, done);
    observer.observe(target);
    return done;
  };
}

/** For `{@attach …}`: calls back once, when a reader has left a block behind, upwards, without touching it. */
export function whenPassed(go: () => void) {
  return (target: HTMLElement): (() => void) => {
    const block = target.closest('.block') ?? target;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry || entry.isIntersecting || entry.boundingClientRect.bottom > 0) return;
      done();
      go();
    });
    const done = (): void => {
      observer.disconnect();
      for (const event of TOUCHES) block.removeEventListener(event, done);
    };
    for (const event of TOUCHES) block.addEventListener(event, done);
    observer.observe(target);
    return done;
  };
}

const TOUCHES = ['pointerdown', 'keydown'];
