// Options that several kinds of block have.

import { bound, stateRef } from '../../shared/lesson';
import { dictionary, either, object, optional, text, type Parsed } from '../../shared/schema';

/** A sentence in both languages. */
export const both = object({ zh: text, en: text });
export type Both = Parsed<typeof both>;

/** A session's name, or the state in which the learner picks one. */
export const session = either(stateRef, text);

export const inputs = optional(dictionary(bound), {});
