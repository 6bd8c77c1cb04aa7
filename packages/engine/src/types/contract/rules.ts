import type { TypeRules } from '../../compose/compose.ts';
import { composeContract } from './compose.ts';

export const contractRules: TypeRules = { compose: composeContract };
