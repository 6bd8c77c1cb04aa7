import type { TypeRules } from '../../compose/compose.ts';
import { composeTaxForm } from './compose.ts';

export const taxFormRules: TypeRules = { compose: composeTaxForm };
