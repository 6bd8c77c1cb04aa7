import type { ExtractedValue } from '@millrace/document-model';
import { hasPlace, isAddressLike } from '../../candidates/address-lines.ts';
import { monthOf } from '../../candidates/date.ts';
import type { TypeRules } from '../../compose/compose.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { isBranch, partyBlocksOf } from '../../parties/blocks.ts';
import type { ScoredValue } from '../../score/score.ts';
import { type OtherValues, withoutOthers } from '../../score/sift.ts';
import { composeBankStatement } from './compose.ts';
import { checkedByRows, withoutOtherStart } from './statement-rows.ts';

const balances: ReadonlySet<string> = new Set(['opening_balance', 'closing_balance']);
const totals: ReadonlySet<string> = new Set(['total_credits', 'total_debits']);

/**
 * The sums with the signs that their marks have for an account's holder: `Cr` is what the bank owes, which bills take off,
 * and `Dr` what is overdrawn.
 */
export function withMarkedSigns(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]) => {
      const mark = /(?<!\p{L})(cr|dr)\.?$/iu.exec(each.provenance[0]?.text ?? '')?.[1]?.toLowerCase();
      if (typeof each.value !== 'number' || mark === undefined) return [name, each];
      if (totals.has(name)) return [name, { ...each, value: Math.abs(each.value) }];
      const isOwed = mark === 'dr';
      return balances.has(name) ? [name, { ...each, value: Math.abs(each.value) * (isOwed ? -1 : 1) }] : [name, each];
    }),
  );
}

const plainAddress = /^(?:customer |mailing |communication |registered )?address\s*:?/iu;
const holderCaption =
  /^(?:account|a\/c|customer|client|holder)(?:'s)? ?(?:name|holder|title)?\s*:?|^name\s*:?|^(?:titular|titulaire|kontoinhaber)/iu;

/** Whether an address stands in the rows of the account's holder: `Account name`, and below it `Address`. */
function isOfHolder({ candidate }: ScoredValue): boolean {
  const [line] = candidate.lines;
  if (!line) return false;
  // A line of the holder's address and another one that is no part of it are no address.
  const own = partyBlocksOf(candidate.layout).find(({ addressLines }) =>
    candidate.lines.some((each) => addressLines.includes(each)),
  );
  if (own && candidate.lines.some((each) => own.nameLines.includes(each) || each.box.y1 <= own.addressLines[0]!.box.y0))
    return true;
  const { left } = neighboursOf(candidate.layout, line);
  const caption = plainAddress.test(line.text) ? line : left && plainAddress.test(left.text) ? left : null;
  const above = caption && neighboursOf(candidate.layout, caption).above;
  return above !== null && above !== undefined && holderCaption.test(above.text);
}

const otherNumber =
  /^(?:cif|cust(?:omer)?|client|member|branch|ifsc|micr|swift|page|account|phone|tel(?:ephone|efon)?|fax|mobile|sort|routing)(?!\p{L})/iu;

/** Whether a number is the year behind a month: `Kontoauszug Mai 2025`. */
function isYear({ candidate }: ScoredValue): boolean {
  const before = candidate.lines[0]?.text
    .slice(0, candidate.start)
    .split(/[ .]+/)
    .findLast((word) => word !== '');
  return /^(?:19|20)\d{2}$/.test(String(candidate.value)) && before !== undefined && monthOf(before) !== null;
}

const pageCaption = /(?<!\p{L})(?:page|seite|blatt|sheet|p[áa]g(?:ina)?|hoja|folha|foglio|blad(?:nummer)?)[.:]? ?$/iu;

/** Whether a number has another number's caption beside it. */
function isOtherNumber({ candidate }: ScoredValue): boolean {
  const [line] = candidate.lines;
  if (line && pageCaption.test(line.text.slice(0, candidate.start))) return true;
  const left = line && candidate.start < 3 ? neighboursOf(candidate.layout, line).left : null;
  return otherNumber.test(line && candidate.start >= 3 ? line.text : (left?.text ?? ''));
}

/** The holder's among the addresses of the bank, other numbers among the statement's, and addresses and branches for names. */
const isOther: OtherValues = {
  bank_address: isOfHolder,
  bank_name: ({ candidate }) => hasPlace(candidate.text) || isBranch(candidate.text) || isAddressLike(candidate.text),
  account_holder: ({ candidate }) =>
    /^(?:bic|iban|swift|ifsc)(?!\p{L})|^the (?:directors?|managers?|secretary|occupier|partners)$/iu.test(
      candidate.text,
    ),
  account_number: isYear,
  statement_number: (value) => isYear(value) || isOtherNumber(value),
};

export const bankStatementRules: TypeRules = {
  compose: composeBankStatement,
  sift: (scored) => withoutOthers(scored, isOther),
  check: (fields, rows) => checkedByRows(withMarkedSigns(withoutOtherStart(fields, rows)), rows),
};
