import type { TypeRules } from '../../compose/compose.ts';
import { composeBankStatement } from './compose.ts';
import { checkedByRows } from './statement-rows.ts';

export const bankStatementRules: TypeRules = { compose: composeBankStatement, check: checkedByRows };
