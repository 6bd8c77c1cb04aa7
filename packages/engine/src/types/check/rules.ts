import type { TypeRules } from '../../compose/compose.ts';
import { composeCheck } from './compose.ts';

export const checkRules: TypeRules = { compose: composeCheck };
