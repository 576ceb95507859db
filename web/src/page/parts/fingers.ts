// Fingers on a map. One that rests a moment reads like a mouse: it points as it is drawn along, scrolls nothing and picks nothing.
// Two make the map larger and smaller. A tap and a swipe stay the browser's.

const REST_MS = 350;
const STILL = 8; // pixels: a finger that moves farther before that is scrolling

interface Uses {
  onread: (x: number, y: number) => void; // where the finger is on the screen
  onpinch?: (by: number, x: number, y: number) => void; // how far apart the fingers are against the moment before, and their middle
}

interface Spread {
  apart: number;
  x: number;
  y: number;
}

function spread(touches: TouchList): Spread {
  const [a, b] = [touches[0]!, touches[1]!];
  return {
    apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
    x: (a.clientX + b.clientX) / 2,
    y: (a.clientY + b.clientY) / 2,
  };
}

class Hand {
  #reading = false;
  #start: Touch | undefined;
  #spread: Spread | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly uses: Uses) {}

  start(event: TouchEvent): void {
    const { touches } = event;
    clearTimeout(this.#timer);
    if (touches.length === 2 && this.uses.onpinch) {
      this.#spread = spread(touches);
      event.preventDefault();
    }
    if (touches.length !== 1) return;
    const start = touches[0]!;
    this.#start = start;
    this.#timer = setTimeout(() => {
      this.#reading = true;
      this.uses.onread(start.clientX, start.clientY);
    }, REST_MS);
  }

  move(event: TouchEvent): void {
    const { touches } = event;
    const finger = touches[0]!;
    if (this.#spread && touches.length === 2) {
      const now = spread(touches);
      event.preventDefault();
      this.uses.onpinch?.(now.apart / Math.max(1, this.#spread.apart), now.x, now.y);
      this.#spread = now;
    } else if (this.#reading) {
      event.preventDefault();
      this.uses.onread(finger.clientX, finger.clientY);
    } else if (this.#start) {
      const far = Math.hypot(
        finger.clientX - this.#start.clientX,
        finger.clientY - this.#start.clientY,
      );
      if (far > STILL) clearTimeout(this.#timer);
    }
  }

  end(event: TouchEvent): void {
    clearTimeout(this.#timer);
    if (this.#reading || this.#spread) event.preventDefault(); // no click follows
    if (event.touches.length === 0) this.#reading = false;
    this.#spread = undefined;
    this.#start = undefined;
  }

  /** What a browser offers for a finger that rests would lie over the number. */
  menu(event: Event): void {
    if (this.#start) event.preventDefault();
  }
}

/** For `{@attach …}`. */
export function fingers(uses: Uses) {
  return (target: HTMLElement): (() => void) => {
    const hand = new Hand(uses);
    const active = { passive: false }; // may keep the page from scrolling
    const on: [string, (event: Event) => void][] = [
      ['touchstart', (event) => hand.start(event as TouchEvent)],
      ['touchmove', (event) => hand.move(event as TouchEvent)],
      ['touchend', (event) => hand.end(event as TouchEvent)],
      ['touchcancel', (event) => hand.end(event as TouchEvent)],
      ['contextmenu', (event) => hand.menu(event)],
    ];
    for (const [name, listen] of on) target.addEventListener(name, listen, active);
    return () => {
      for (const [name, listen] of on) target.removeEventListener(name, listen);
    };
  };
}
