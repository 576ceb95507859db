import { integer, list, object, optional, text, type Parsed } from '../../../shared/schema';
import { inputs, session } from '../options';

export const options = object({
  session,
  inputs,
  step: optional(text), // which the script computes again
  cell: optional(list(integer)), // of it
});
export type Options = Parsed<typeof options>;

export const room = () => ({ wide: 15, narrow: 19 });
