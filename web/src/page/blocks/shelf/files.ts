// Files that come back: of weights, and of what training needs besides. What is in them is for the engine to judge; here
// they are only told apart.

const HEADER = 16 * 1024 * 1024; // as the engine has it

export function isCheckpoint(bytes: Uint8Array): boolean {
  try {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    if (length > HEADER) return false;
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
    const { __metadata__: metadata } = header as { __metadata__?: { checkpoint?: unknown } };
    return typeof metadata?.checkpoint === 'string';
  } catch {
    return false; // then the engine says what is wrong with it
  }
}

/** A name that any file system takes. */
export function fileName(name: string, fallback: string): string {
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '');
  return safe === '' ? fallback : safe.slice(0, 60);
}
