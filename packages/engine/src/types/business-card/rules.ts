import type { TypeRules } from '../../compose/compose.ts';
import { composeBusinessCard } from './compose.ts';

export const businessCardRules: TypeRules = { compose: composeBusinessCard };
