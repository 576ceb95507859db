import { object, type Parsed } from '../../../shared/schema';

export const options = object({});
export type Options = Parsed<typeof options>;

export const room = () => ({ wide: 12, narrow: 21 });
