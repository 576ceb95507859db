import { EngineError } from '../../shared/protocol';

/** Nothing is swallowed: whatever was thrown becomes an Error that a block can show. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Something newer was asked for, or the block is gone: no news for the reader. */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}

/** A part of the page that was to come when it is needed. */
export class LoadError extends Error {
  override name = 'LoadError';
}

/** The core says so where it can; the browser says it in its own words when the module cannot even start. */
export function isOutOfMemory(thrown: unknown): boolean {
  if (!(thrown instanceof EngineError)) return false;
  return thrown.reason.code === 'memory' || /out of memory|allocate memory/i.test(thrown.message);
}

/** Page and engine come from two builds: only the whole page anew helps. */
export function isOtherVersion(thrown: unknown): thrown is EngineError {
  return thrown instanceof EngineError && thrown.reason.code === 'version';
}

export function isCrash(thrown: unknown): boolean {
  return thrown instanceof EngineError && thrown.type === 'Crash';
}
