// A file of the learner's as text. What is in it is for the engine to say.

/** Bytes that are no UTF-8 cannot reach the engine as they are: their lines are emptied, so that the others keep their numbers. */
export interface Text {
  text: string;
  unreadable: number[]; // lines, from 1
}

const LINE_FEED = 10;

export function textOf(bytes: Uint8Array): Text {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: decode(bytes, 'utf-16le'), unreadable: [] };
  if (first === 0xfe && second === 0xff) return { text: decode(bytes, 'utf-16be'), unreadable: [] };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), unreadable: [] };
  } catch {
    return lineByLine(bytes);
  }
}

const decode = (bytes: Uint8Array, as: string): string => new TextDecoder(as).decode(bytes);

function lineByLine(bytes: Uint8Array): Text {
  const strict = new TextDecoder('utf-8', { fatal: true });
  const lines: string[] = [];
  const unreadable: number[] = [];
  for (let begin = 0; begin <= bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, begin);
    const end = found < 0 ? bytes.length : found;
    try {
      lines.push(strict.decode(bytes.subarray(begin, end)));
    } catch {
      lines.push('');
      unreadable.push(lines.length);
    }
    begin = end + 1;
  }
  return { text: lines.join('\n'), unreadable };
}

/** The first so many bytes, up to the end of a line: of a file that is too large to be read whole. */
export function wholeLines(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(LINE_FEED);
  return end < 0 ? bytes : bytes.subarray(0, end);
}
