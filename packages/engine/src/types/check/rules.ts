import type { ExtractedValue } from '@millrace/document-model';
import type { TypeRules } from '../../compose/compose.ts';
import { composeCheck } from './compose.ts';

/** The caption of a note, where nothing was written behind it. */
const caption = /^(?:memo|for|re)[\W_]*$/iu;

/** Who is paid is not the bank, and who signs `for` a company is no note on the purpose. */
function withoutTwins(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { bank_name: bank, memo, ...others } = fields;
  return {
    ...others,
    ...(bank && bank.value !== fields.payee_name?.value ? { bank_name: bank } : {}),
    ...(memo && memo.value !== fields.payer_name?.value && !caption.test(String(memo.value)) ? { memo } : {}),
  };
}

export const checkRules: TypeRules = { compose: composeCheck, check: withoutTwins };
