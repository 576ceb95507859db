import type { KeyGroup } from '../../../shared/keys';
import { object, text, type Parsed } from '../../../shared/schema';
import { session } from '../options';

export const options = object({
  session, // of a translator that pads to its num_steps (`book_padding`), opened with the corpus
  words: session, // of the lab `bleu`: it cuts a text as the translators do
  line: text, // states: which line of the corpus (from 1), and the two texts that are followed
  source: text,
  target: text,
});
export type Options = Parsed<typeof options>;

export const keys: KeyGroup[] = ['field'];

export const room = () => ({ wide: 32, narrow: 52 });
