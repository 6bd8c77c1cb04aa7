import type { TypeRules } from '../../compose/compose.ts';
import { composeUtilityBill } from './compose.ts';

export const utilityBillRules: TypeRules = { compose: composeUtilityBill };
