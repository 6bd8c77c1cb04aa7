import type { ExtractedValue } from '@millrace/document-model';
import { hasPlace, hasStreet, isAddressLike } from '../../candidates/address-lines.ts';
import { monthOf } from '../../candidates/date.ts';
import type { Findings, TypeRules } from '../../compose/compose.ts';
import { labelBefore } from '../../compose/labelled-rows.ts';
import { composePeriod } from '../../compose/period.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { isBranch, partyBlocksOf } from '../../parties/blocks.ts';
import { partyRolesOf } from '../../parties/parties.ts';
import type { ScoredValue } from '../../score/score.ts';
import { type OtherValues, withoutOthers } from '../../score/sift.ts';
import { isBesidePeriod } from '../payslip/year-to-date.ts';
import { addressUnderBranch, composeBankStatement, isOfCard, withIbanAsNumber } from './compose.ts';
import { bankStatement } from './definition.ts';
import { checkedByRows, withFirstBalance, withoutOtherStart, withPrintedSums } from './statement-rows.ts';

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
      if (typeof each.value !== 'number') return [name, each];
      if (totals.has(name)) return [name, { ...each, value: Math.abs(each.value) }];
      if (mark === undefined) return [name, each];
      const isOwed = mark === 'dr';
      return balances.has(name) ? [name, { ...each, value: Math.abs(each.value) * (isOwed ? -1 : 1) }] : [name, each];
    }),
  );
}

/** What kind of address it is, or which branch's, before the address itself. */
const leadOfAddress =
  /^(?:(?:sede (?:legale|social)e?|registered office|head office|si[eè]ge social|domicilio social|direzione generale) ?:? |(?:filiale|agenzia|agence|sucursal|oficina|ag[eê]ncia|filiaal|branch)(?: \p{L}+){1,4} ?[-–:,] ?)(?=.*\d)/iu;

/** The fields with the bank's address alone: `Filiale di Tradate - Corso Bernacchi 41, 21049 Tradate`. */
function withBareAddress(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const address = fields.bank_address;
  const bare = String(address?.value ?? '').replace(leadOfAddress, '');
  return address && hasStreet(bare) ? { ...fields, bank_address: { ...address, value: bare } } : { ...fields };
}

/** The fields without an account's number that is the statement's. */
function withoutTwin(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { account_number: account, ...others } = fields;
  return account && account.value !== fields.statement_number?.value ? { ...fields } : others;
}

/** Islands whose banks have the codes of the country that their accounts are counted among. */
const sharedCountries: Readonly<Record<string, readonly string[]>> = {
  GB: ['GG', 'JE', 'IM'],
  FR: ['MC', 'RE', 'GP', 'MQ', 'GF'],
};

/** The fields without a bank's code of another country than the account's: a word with a number may look like one. */
function withoutForeignBic(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { bic, ...others } = fields;
  const [country, account] = [String(bic?.value ?? '').slice(4, 6), String(fields.iban?.value ?? '').slice(0, 2)];
  const isForeign = account !== '' && country !== account && !sharedCountries[account]?.includes(country);
  return bic && isForeign ? others : { ...fields };
}

const plainAddress = /^(?:customer |mailing |communication |registered )?address\s*:?/iu;
const holderCaption =
  /^(?:account|a\/c|customer|client|holder)(?:'s)? ?(?:name|holder|title)?\s*:?|^name\s*:?|^(?:titular|titulaire|kontoinhaber)/iu;

/** Whether an address stands in the rows of the account's holder: `Account name`, and below it `Address`. */
function isOfHolder({ candidate }: ScoredValue): boolean {
  const [line] = candidate.lines;
  if (!line) return false;
  const holder = partyRolesOf(bankStatement, candidate.layout).get('recipient');
  if (candidate.lines.some((each) => holder?.addressLines.includes(each))) return true;
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

/** In what a bank states of itself at the foot of its pages, which is no address to its end. */
const registration =
  /\. \p{Lu}?\p{L}*(?:registered|inscrita|iscritta|immatricul|amtsgericht|handelsregister|authori[sz]ed)/iu;

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

/** Whether a number has another number's caption beside it, or is a day or a period. */
function isOtherNumber({ candidate }: ScoredValue): boolean {
  const [line] = candidate.lines;
  if (line && pageCaption.test(line.text.slice(0, candidate.start))) return true;
  if (/\d{1,2}[./-]\d{1,2}[./-]\d{4}/.test(candidate.text)) return true;
  const left = line && candidate.start < 3 ? neighboursOf(candidate.layout, line).left : null;
  return otherNumber.test(line && candidate.start >= 3 ? line.text : (left?.text ?? ''));
}

/** What a card may be charged with, of which nothing came in or went out. */
const ofCredit =
  /(?<!\p{L})(?:credit (?:limit|line|available)|(?:available|total|remaining) credit(?: limit| line)?$|cash (?:advance )?(?:limit|line)|disponible|plafond)/iu;

/** Whether an amount is the year of a day, of the year to date beside the period's own, or what a card may be charged with. */
function isOtherSum(value: ScoredValue): boolean {
  const { candidate } = value;
  return isYear(value) || isBesidePeriod(candidate) || ofCredit.test(labelBefore(candidate));
}

/** The holder's among the addresses of the bank, other numbers among the statement's, and addresses and branches for names. */
const isOther: OtherValues = {
  bank_address: (value) => isOfHolder(value) || registration.test(value.candidate.text),
  bank_name: ({ candidate }) => hasPlace(candidate.text) || isBranch(candidate.text) || isAddressLike(candidate.text),
  account_holder: ({ candidate }) =>
    /^(?:bic|iban|swift|ifsc)(?!\p{L})|^the (?:directors?|managers?|secretary|occupier|partners)$/iu.test(
      candidate.text,
    ),
  account_number: isYear,
  ...Object.fromEntries([...balances, ...totals].map((name) => [name, isOtherSum])),
  // What is paid on a card comes in.
  total_debits: (value) =>
    isOtherSum(value) ||
    (isOfCard(value.candidate.layout) && /^payments?(?!\p{L})/u.test(labelBefore(value.candidate))),
  statement_number: (value) => isYear(value) || isOtherNumber(value),
};

/** The fields without a sum of nothing that came in or went out, where the balances differ by more than the other sum. */
export function withoutEmptySums(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const [opening, closing, credits, debits] = [...balances, ...totals].map((name) => fields[name]?.value);
  if (typeof opening !== 'number' || typeof closing !== 'number') return { ...fields };
  const moved = Math.abs(closing - opening);
  const isEmpty = ([name, { value }]: [string, ExtractedValue]) => {
    const other = name === 'total_credits' ? debits : credits;
    return totals.has(name) && value === 0 && Math.abs(moved - Math.abs(Number(other ?? 0))) > 0.005;
  };
  return Object.fromEntries(Object.entries(fields).filter((entry) => !isEmpty(entry)));
}

/** The fields with the last day of the printed period that their first day begins, for which another day was taken: that of printing. */
function withPeriodsEnd(
  fields: Readonly<Record<string, ExtractedValue>>,
  findings: Findings,
): Record<string, ExtractedValue> {
  const { statement_start_date: start, statement_end_date: end } = fields;
  const period = composePeriod(findings, 'statement_start_date', 'statement_end_date');
  const last = period.statement_end_date;
  return last && last.value !== end?.value && start?.value === period.statement_start_date?.value
    ? { ...fields, statement_end_date: last }
    : { ...fields };
}

export const bankStatementRules: TypeRules = {
  compose: composeBankStatement,
  sift: (scored) => withoutOthers(scored, isOther),
  check: (fields, rows, findings) => {
    const branch = addressUnderBranch(findings.layout);
    const own = withPeriodsEnd(branch ? { ...fields, bank_address: branch } : fields, findings);
    const marked = withoutEmptySums(withMarkedSigns(withoutOtherStart(own, rows)));
    const balanced = withFirstBalance(marked, rows, findings.candidates);
    return withoutTwin(
      withBareAddress(
        withoutForeignBic(
          withIbanAsNumber(withPrintedSums(checkedByRows(balanced, rows), rows, findings.candidates), findings),
        ),
      ),
    );
  },
};
