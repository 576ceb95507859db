import { stateRef } from '../../../shared/lesson';
import { object, type Parsed } from '../../../shared/schema';

export const options = object({
  session: stateRef, // the state in which the learner picks a model
});
export type Options = Parsed<typeof options>;

export const room = () => ({ wide: 22, narrow: 30 });
