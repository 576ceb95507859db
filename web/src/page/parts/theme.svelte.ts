// The site's colours and its size as numbers, for what is drawn and not styled. Follows theme and window.

import type { Rgb } from './palette';

function rootSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

class Theme {
  /** How much larger than usual everything is: on large screens the whole page grows (shell/base.css). */
  zoom = $state(rootSize());
  #version = $state(0);
  /** What was read since the last change: to ask the browser again makes it settle the whole page's style first. */
  #read = new Map<string, string>();
  #pen = document.createElement('canvas').getContext('2d');

  constructor() {
    const changed = (): void => {
      this.#read.clear();
      this.#version += 1;
    };
    new MutationObserver(changed).observe(document.documentElement, {
      attributeFilter: ['data-theme', 'class'],
    });
    addEventListener('resize', () => (this.zoom = rootSize()));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  }

  /** `--w` as `#c8452b` or any other way CSS can write a colour. */
  css(name: string): string {
    void this.#version;
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const style = getComputedStyle(document.documentElement);
    const value = style.getPropertyValue(`--${name}`).trim();
    this.#read.set(name, value);
    return value;
  }

  rgb = (name: string): Rgb => {
    if (!this.#pen) return [128, 128, 128];
    this.#pen.fillStyle = this.css(name);
    return hex(this.#pen.fillStyle);
  };
}

/** A canvas gives an opaque colour back as `#rrggbb`. */
function hex(text: string): Rgb {
  const value = Number.parseInt(text.slice(1, 7), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export const theme = new Theme();
