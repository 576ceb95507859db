// Sentences that the model translates while it learns, so that one sees what the loss means.

import type { Scalar } from '../../../shared/engine';
import { isAbort } from '../../store/errors';
import type { Session } from '../../store/sessions.svelte';

export interface Check {
  source: string;
  target: string;
}

export interface Answered extends Check {
  text: string | undefined; // what the model wrote last
  right: boolean;
}

export class Checks {
  answers = $state.raw<Answered[]>([]);
  readonly allRight = $derived(
    this.answers.length > 0 && this.answers.every((answer) => answer.right),
  );

  #wanted: string[] | undefined;

  constructor(
    private readonly session: Session,
    private readonly checks: Check[],
    private readonly input: string,
    onerror: (error: unknown) => void,
  ) {
    this.#forget();
    $effect(() => {
      void [session.revision, session.bench.look.life];
      if (checks.length === 0) return;
      if (session.trainer.phase === 'start') return this.#forget();
      const stop = new AbortController();
      this.#round(stop.signal).catch((error: unknown) => {
        if (!isAbort(error)) onerror(error);
      });
      return () => stop.abort();
    });
  }

  #forget(): void {
    this.answers = this.checks.map((check) => ({ ...check, text: undefined, right: false }));
  }

  async #round(signal: AbortSignal): Promise<void> {
    this.#wanted ??= await this.#asTokens(signal);
    const answers: Answered[] = [];
    for (const [i, check] of this.checks.entries()) {
      const text = await this.#translate({ [this.input]: check.source }, signal);
      answers.push({ ...check, text, right: text === this.#wanted[i] });
    }
    if (!signal.aborted) this.answers = answers;
  }

  /** `Va !` as the model would write it. How a text is cut into tokens is the model's affair: it is
   *  asked to write the wanted sentence, and what it has then written is what counts as right. */
  async #asTokens(signal: AbortSignal): Promise<string[]> {
    const wanted: string[] = [];
    for (const { source, target } of this.checks)
      wanted.push(await this.#translate({ [this.input]: source, target }, signal));
    return wanted;
  }

  async #translate(inputs: Record<string, Scalar>, signal: AbortSignal): Promise<string> {
    const { head } = await this.session.run({ inputs, want: [] }, signal);
    await this.session.bench.look.call('close', { run: head.run });
    return head.translation?.text ?? '';
  }
}
