// Files of the site that a page fetches when it needs them.

import { asError } from './errors';

export async function fetched(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response;
}

/** A file's text, once it is there. */
export class TextFile {
  text = $state.raw<string>();
  error = $state.raw<Error>();

  constructor(private readonly url: string) {
    this.again();
  }

  again(): void {
    this.error = undefined;
    fetched(this.url)
      .then((response) => response.text())
      .then(
        (text) => (this.text = text),
        (error: unknown) => (this.error = asError(error)),
      );
  }
}
