import { stateRef } from '../../../shared/lesson';
import { object, type Parsed } from '../../../shared/schema';

export const options = object({
  session: stateRef, // the state in which the learner picks a model; its choices are compared
});
export type Options = Parsed<typeof options>;

export const room = () => ({ wide: 42, narrow: 54 });
