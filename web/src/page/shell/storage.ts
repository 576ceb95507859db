// Small things that this browser remembers. Where storage is forbidden the page works and forgets.

const PREFIX = 'attention-lab.';

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // forbidden or full
  }
}
