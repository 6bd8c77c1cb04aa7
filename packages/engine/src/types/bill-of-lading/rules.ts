import type { TypeRules } from '../../compose/compose.ts';
import { composeBillOfLading } from './compose.ts';

export const billOfLadingRules: TypeRules = { compose: composeBillOfLading };
