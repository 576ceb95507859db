import { EngineError } from '../../shared/protocol';

/** Nothing is swallowed: whatever was thrown becomes an Error that a block can show. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Something newer was asked for, or the block is gone: no news for the reader. */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}

export function isCrash(thrown: unknown): boolean {
  return thrown instanceof EngineError && thrown.type === 'Crash';
}
