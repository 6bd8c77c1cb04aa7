import type { TypeRules } from '../../compose/compose.ts';
import { composeInsuranceCard } from './compose.ts';

export const insuranceCardRules: TypeRules = { compose: composeInsuranceCard };
