import { describe, expect, it } from 'vitest';
import { clamp, readDrawn, stroke, writeDrawn } from '../../web/src/page/blocks/draw/drawn';

describe('a drawn curve', () => {
  it('goes to a link and comes back', () => {
    const heights = [1, -0.5, 2.25, 0];
    expect(writeDrawn(heights)).toBe('1,-0.5,2.25,0');
    expect(readDrawn('1,-0.5,2.25,0', 4)).toEqual(heights);
    expect(writeDrawn([1 / 3, -1e-9])).toBe('0.33,0');
  });

  it('is none if heights are missing, or are no numbers', () => {
    for (const text of ['', '1,2', '1,2,3,4,5', '1,,2,3', '1,2,x,4', '1,2,..,4'])
      expect(readDrawn(text, 4)).toBeUndefined();
  });

  it('fits into a link with fifty places of the widest heights', () => {
    expect(writeDrawn(Array.from({ length: 50 }, () => -0.99)).length).toBeLessThan(380);
  });

  it('follows a fast hand in a straight line, in both directions, and leaves the rest', () => {
    const flat = [0, 0, 0, 0, 0, 0];
    const [from, to] = [
      { place: 1, height: 1 },
      { place: 4, height: 4 },
    ];
    expect(stroke(flat, from, to)).toEqual([0, 1, 2, 3, 4, 0]);
    expect(stroke(flat, to, from)).toEqual([0, 1, 2, 3, 4, 0]);
    expect(stroke(flat, to, to)).toEqual([0, 0, 0, 0, 4, 0]);
  });

  it('stays inside its frame', () => {
    expect([-9, 2, 9].map((height) => clamp(height, [-1, 5]))).toEqual([-1, 2, 5]);
  });
});
