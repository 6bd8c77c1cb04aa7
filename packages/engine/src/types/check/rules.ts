import type { ExtractedValue } from '@millrace/document-model';
import type { TypeRules } from '../../compose/compose.ts';
import { withoutOthers } from '../../score/sift.ts';
import { composeCheck } from './compose.ts';
import { withoutMisread } from './handwriting.ts';
import { isBankStamp } from './numbers.ts';
import { isBankName, isGovernment, isNobody } from './parties.ts';

/** The caption of a note, where nothing was written behind it. */
const caption = /^(?:memo|for|re)[\W_]*$/iu;

/** For how long a check may be cashed, which forms print: `Valid for three months from the date of issue`. */
const validity = /^(?:\d{1,3}|three|six|twelve|ninety) (?:days|months)(?!\p{L})/iu;

/** A note without the numbers of the line of magnetic ink that is printed close below it. */
function withoutNumbers(memo: ExtractedValue, numbers: readonly (ExtractedValue | undefined)[]): ExtractedValue {
  const text = String(memo.value);
  const at = numbers
    .map((number) => (number ? text.indexOf(` ${String(number.value)}`) : -1))
    .filter((from) => from > 0);
  return at.length === 0 ? memo : { ...memo, value: text.slice(0, Math.min(...at)).trimEnd() };
}

/** Who draws a check without the amount in words, in whose lines a block of a name and its address may begin. */
function withoutAmount(payer: ExtractedValue, words: ExtractedValue | undefined): ExtractedValue {
  const parts = payer.provenance.filter(({ text }) => !words || !isPartOf(text, String(words.value)));
  return parts.length === 0 || parts.length === payer.provenance.length
    ? payer
    : { ...payer, value: parts.map(({ text }) => text).join(' '), provenance: parts };
}

function isPartOf(text: string, words: string): boolean {
  return text.length > 5 && words.toLowerCase().startsWith(text.toLowerCase());
}

/** Who is paid is no amount in words and not the bank, and who signs `for` a company is no note on the purpose. */
function withoutTwins(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { account_number: account, bank_name: bank, memo: noted, payee_name, payer_name: payer, ...others } = fields;
  const payee = isBankAlone(fields) ? undefined : payee_name;
  const memo = noted && withoutNumbers(noted, [fields.routing_number, fields.account_number]);
  return {
    ...others,
    ...(account && account.value !== fields.check_number?.value ? { account_number: account } : {}),
    ...(payer && !isPartOfBank(payer, bank) && { payer_name: withoutAmount(payer, fields.amount_words) }),
    ...(payee && !isNobody(String(payee.value)) ? { payee_name: payee } : {}),
    ...(bank && bank.value !== payee?.value ? { bank_name: bank } : {}),
    ...(memo && memo.value !== payer?.value && !isNoNote(String(memo.value)) ? { memo } : {}),
  };
}

/** Whether what was taken for who draws a check is a part of the bank's name. */
function isPartOfBank({ value }: ExtractedValue, bank: ExtractedValue | undefined): boolean {
  const name = String(bank?.value ?? '').toLowerCase();
  const part = String(value).toLowerCase();
  return name.length > part.length && name.includes(part);
}

/** Whether who is paid is the bank, and is surer to be that: on a check that is not filled in, its name stands alone. */
function isBankAlone({ bank_name: bank, payee_name: payee }: Readonly<Record<string, ExtractedValue>>): boolean {
  return !!bank && !!payee && bank.value === payee.value && bank.confidence > payee.confidence;
}

function isNoNote(text: string): boolean {
  return caption.test(text) || validity.test(text) || /(?<!\p{L})unless crossed(?!\p{L})/iu.test(text);
}

/** The fields without dollars of the United States by a sign that pesos have too, on a check in Spanish or Portuguese. */
function withoutForeignDollars(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { currency, ...others } = fields;
  const isSign = currency?.value === 'USD' && currency.provenance.every(({ text }) => text.trim() === '$');
  const isAmerican = fields.routing_number?.flags.includes('check_digit_holds');
  return isSign && !isAmerican && /^(?:es|pt)$/.test(String(fields.language?.value)) ? others : { ...fields };
}

export const checkRules: TypeRules = {
  compose: composeCheck,
  sift: (scored) =>
    withoutOthers(scored, {
      payer_name: ({ candidate }) => isBankName(candidate.text) || isNobody(candidate.text),
      // A bank is paid where the words before the name say so, and otherwise the one that is drawn on.
      payee_name: ({ candidate }) => isNobody(candidate.text) || isBankName(candidate.text),
      bank_name: ({ candidate }) => isNobody(candidate.text) || isGovernment(candidate.text),
      date: ({ candidates }) => candidates.every(({ lines }) => lines.some(({ text }) => isBankStamp(text))),
      amount: ({ candidate }) => typeof candidate.value === 'number' && candidate.value <= 0,
    }),
  check: (fields, _rows, { layout }) => withoutMisread(withoutForeignDollars(withoutTwins(fields)), layout),
};
