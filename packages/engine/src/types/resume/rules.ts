import type { TypeRules } from '../../compose/compose.ts';
import { composeResume } from './compose.ts';

export const resumeRules: TypeRules = { compose: composeResume };
