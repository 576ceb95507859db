import { object, text, type Parsed } from '../../../shared/schema';

export const options = object({
  session: text, // learns from them: it says what it makes of them
});
export type Options = Parsed<typeof options>;

export const room = () => ({ wide: 25, narrow: 34 });
