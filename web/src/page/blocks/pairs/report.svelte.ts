// What the engine makes of the learner's pairs: read once as a whole, for a report on every line, without a model.

import type { DataReport } from '../../../shared/engine';
import { asError } from '../../store/errors';
import type { Lab } from '../../store/lab';

const READER = 'loss-floor'; // a lab that reads pairs and makes nothing of them before it is run

export type Line = DataReport['bad_lines'][number];

export class Report {
  found = $state.raw<DataReport>();
  error = $state.raw<Error>();
  busy = $state(true);
  /** Lines that are no UTF-8, which the engine does not get to see. */
  unreadable = $state.raw<number[]>([]);

  #asked = 0;

  constructor(private readonly lab: Lab) {}

  readonly bad = $derived.by((): Line[] => {
    const own = this.unreadable.map((line) => ({ line, reason: 'not UTF-8', code: 'line.utf8' }));
    return [...own, ...(this.found?.bad_lines ?? [])].sort((a, b) => a.line - b.line);
  });
  readonly badCount = $derived(this.unreadable.length + (this.found?.bad_line_count ?? 0));

  /** Of this text, if it is one of pairs; otherwise it throws, and the last report stays. */
  async read(text: string): Promise<DataReport> {
    const now = ++this.#asked;
    this.busy = true;
    try {
      const data = await this.#ask(text);
      if (now === this.#asked) this.found = data;
      return data;
    } finally {
      if (now === this.#asked) this.busy = false;
    }
  }

  /** Of what lies on the desk. */
  async look(): Promise<void> {
    this.error = undefined;
    try {
      await this.read(await this.lab.desk.text());
    } catch (error) {
      this.error = asError(error);
    }
  }

  async #ask(pairs: string): Promise<DataReport> {
    const { look } = this.lab;
    const book_text = 'book' in this.lab.state.fields && this.lab.state.get('book') === true;
    const { head } = await look.call('open', {
      ...{ model: READER, config: { book_text }, data: { pairs } },
    });
    await look.call('close', { session: head.session });
    return head.data!;
  }
}
