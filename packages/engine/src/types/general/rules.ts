import type { TypeRules } from '../../compose/compose.ts';
import { composeGeneral } from './compose.ts';

export const generalRules: TypeRules = { compose: composeGeneral };
