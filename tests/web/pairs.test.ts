import { expect, test } from 'vitest';
import { leaveOut } from '../../web/src/page/store/pairs';

const PAIRS =
  "Go.\tVa !\nHe's calm.\tIl est calme.\nHe's calm.\tIl reste calme.\r\nShe's calm.\tElle est calme.\n";

test('leaves out every pair of one source sentence, and nothing else', () => {
  expect(leaveOut(PAIRS, "He's calm.")).toBe("Go.\tVa !\nShe's calm.\tElle est calme.\n");
});

test('a sentence that is not there, or a piece of one, leaves all as it is', () => {
  expect(leaveOut(PAIRS, 'Calm.')).toBe(PAIRS);
  expect(leaveOut(PAIRS, "He's")).toBe(PAIRS);
  expect(leaveOut('', 'Go.')).toBe('');
});
