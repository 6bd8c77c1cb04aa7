import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { isWholeAddress } from '../../candidates/address-lines.ts';
import { isoDate } from '../../candidates/date.ts';
import { isHeading, isSentence } from '../../candidates/headings.ts';
import type { PlacedCandidate } from '../../candidates/placed.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { labelledRows, labelOf } from '../../compose/labelled-rows.ts';
import { isPersonName, letterHeight, titleCased } from '../../compose/names.ts';
import { composeMonth, composePeriod, yearBefore } from '../../compose/period.ts';
import { candidateValue, composedValue, onlyValue } from '../../compose/value.ts';
import { neighboursOf, rowOf, visualRows } from '../../layout/neighbours.ts';
import { onceFor } from '../../layout/once-for.ts';
import { captionForm } from '../../lines/vocabulary.ts';
import { addressOfBlock, isBranch, partyBlocksOf } from '../../parties/blocks.ts';
import { isBesidePeriod } from '../payslip/year-to-date.ts';
import { branchAddress } from './branch-address.ts';

/** A bank by its legal name, such as `Northgate Bank, N.A.` or `Pennine & Humber Bank plc`, wherever on its statement it stands. */
const legalBank =
  /(?<![\p{L}&.'’-])(?:\p{Lu}[\p{L}&.'’-]*,?\s(?:(?:of|&)\s)?){1,6}?(?:N\.\s?A\.|plc|PLC|NA)(?!\p{L})/gu;
/** In the name of a bank; `N.A.` stands for a national association, which is one. */
const bankWord = /bank|N\.\s?A\.$/i;
const lineLimit = 2_000;

/** A statement's bank, where its legal name is printed, and its period, where it is printed as a range. */
export function composeBankStatement(findings: Findings): ComposedFields {
  return {
    ...periodOfBalances(findings),
    ...composeMonth(findings.layout, 'statement_start_date', 'statement_end_date', statementOf),
    ...composePeriod(findings, 'statement_start_date', 'statement_end_date'),
    bank_name: bankOf(findings.layout) ?? stackedBank(findings.layout) ?? registeredBank(findings.layout),
    bank_address:
      branchAddress(findings.layout) ?? addressUnderBank(findings.layout) ?? registeredAddress(findings.layout),
    statement_number: numberedTitle(findings.layout) ?? captionedNumber(findings.layout),
    account_holder: holderAboveNumber(findings.layout),
    account_number: accountWithinIban(findings) ?? maskedAccount(findings.layout),
    bic: bicOfIban(findings),
    ...captionedBalances(findings),
    ...balancesInColumns(findings),
    ...datedBalances(findings),
    ...totalsOfColumns(findings),
    ...sumsOfCard(findings),
  };
}

/** What only the statement of a card says, on which payments come in. */
const ofCard =
  /(?<!\p{L})(?:minimum (?:amount|payment)|credit (?:limit|line)|mindestzahlung|pago m[íi]nimo|paiement minimum)(?!\p{L})/iu;

/** Whether a statement is that of a card. */
export const isOfCard = onceFor((layout): boolean =>
  layout.lines.slice(0, lineLimit).some(({ text }) => text.length < 60 && ofCard.test(text)),
);

const paid = /^(?:(?:total )?payments?(?: received)?|payments?(?: and |\/| )(?:other )?credits)$/u;
const charged =
  /^(?:(?:total )?(?:new )?(?:purchases|charges|transactions|activity)|purchases(?: and |\/| )(?:other )?(?:charges|debits|adjustments))$/u;

/** What was paid on a card and what was charged to it, by labels whose amounts lead from the previous balance to the new one. */
function sumsOfCard({ layout, candidates }: Findings): ComposedFields {
  if (!isOfCard(layout)) return {};
  const rows = labelledRows(layout, candidates).filter(({ values }) => values.length === 1);
  const amountOf = (pattern: RegExp) => {
    const values = rows.filter(({ label }) => pattern.test(label)).map(({ values: [value] }) => value!);
    return values.length > 0 && values.every(({ value }) => value === values[0]!.value) ? values[0]! : null;
  };
  const [opening, closing, payments, charges] = [sums[0]![1], sums[1]![1], paid, charged].map(amountOf);
  if (!opening || !closing || !payments || !charges) return {};
  const [from, to, less, more] = [opening, closing, payments, charges].map(({ value }) => Number(value));
  if (Math.abs(from! - Math.abs(less!) + Math.abs(more!) - to!) > 0.005) return {};
  const proven = (amount: PlacedCandidate) => ({
    ...candidateValue(amount, 91, ['arithmetic_holds']),
    value: Math.abs(Number(amount.value)),
  });
  return { total_credits: proven(payments), total_debits: proven(charges) };
}

/** What a statement of a month is called before it: `Kontoauszug Mai 2025`. */
const statementOf =
  /(?<!\p{L})(?:statement|kontoauszug|auszug|relev[ée]|extracto|extrato|estratto(?: conto)?|rekeningafschrift|afschrift)(?!\p{L})/iu;

const numbered = /^(?:statement|sheet) (?:no\.? ?|number )?(\d{1,4})(?= ?\(page|$)/iu;

/** Below its title a statement has its number, perhaps before its day: `n° 4 au 30/04/2024`. */
const numberedBelow = /^n(?:[°ºo]|r)\.? ?(\d{1,4}(?:\/\d{2,4})?)(?= |$)/iu;
const statementTitle = /^(?:relev[ée]|kontoauszug|extracto|estratto|extrato|rekeningafschrift|account statement)/iu;

const numberedKind =
  /^(?:kontoauszug|auszug|relev[ée]|extracto|estratto|extrato|rekeningafschrift|afschrift)(?: \p{L}+){0,3}(?: [-–])? n(?:r|[.°ºo]+)?\.? ?[°º]? ?(\d{1,4}(?:[/-]\d{2,4})?)(?![\d/-])/iu;

/** The number behind or below a statement's title: `Statement 44 (Page 1 of 2)`, `Extrato combinado n.º 4/2025`. */
function numberedTitle(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, titleLines)) {
    const over = numberedBelow.test(line.text) ? neighboursOf(layout, line).above : null;
    const pattern = over && statementTitle.test(over.text) ? numberedBelow : numbered;
    const [all, number] = pattern.exec(line.text) ?? numberedKind.exec(line.text) ?? [];
    if (all === undefined || number === undefined) continue;
    return composedValue(number, 80, [{ line, start: all.length - number.length, end: all.length }]);
  }
  return null;
}

/** Captions of a statement's own number. */
const numberCaption =
  /^(?:volg|afschrift|volgn|bladn?)(?:nummer|nr)$|^(?:statement|sheet) (?:no|number)$|^(?:konto)?auszugs?(?:nummer| ?nr| no)?$|^n(?:o|r|umero)? (?:du |de |di |do |d'|del )?(?:releve|extracto|estratto(?: conto)?|extrato)$|^(?:releve|extracto|estratto(?: conto)?|extrato) n(?:o|r|umero)?$/u;

const captionAndNumber =
  /^(?:volgn(?:umme)?r|afschriftn(?:umme)?r|(?:konto)?auszug-?(?:s?nummer|s?-?nr)|relev[ée] n|n[°º] (?:de )?relev[ée]|extracto n|estratto (?:conto )?n|extrato n)[.°º:]* ?[.°º:]* ?(\d{1,4}(?:[/-]\d{2,4})?)(?= |$)/iu;

/** The number of a statement behind, below or right of its caption alone in a cell, such as `Volgnr.`. */
function captionedNumber(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, titleLines)) {
    const [all, number] = captionAndNumber.exec(line.text) ?? [];
    if (all !== undefined && number !== undefined)
      return composedValue(number, 80, [{ line, start: all.length - number.length, end: all.length }]);
    if (!numberCaption.test(labelOf(line.text))) continue;
    const { below, right } = neighboursOf(layout, line);
    const value = [below, right].find((each) => each && /^\d{1,4}(?:[/-]\d{2,4})?$/.test(each.text));
    if (value) return composedValue(value.text, 80, [{ line: value }]);
  }
  return null;
}

/** A card's holder, who stands without an address right above its number: `Account ending in 8814`. */
function holderAboveNumber(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, titleLines)) {
    if (!/^(?:account|card)(?: number)?:? ending in:? \d{3,5}$/iu.test(line.text)) continue;
    const { above } = neighboursOf(layout, line);
    if (above && isPersonName(titleCased(above.text))) return composedValue(above.text, 80, [{ line: above }]);
  }
  return null;
}

const leastAccount = 6;
const countryAndCheck = 4;
/** The characters of an IBAN behind the account's number, such as France's key. */
const mostBehindAccount = 2;

/** The number that is printed apart and is the account's within the one IBAN of a statement. */
function accountWithinIban({ candidates }: Findings): ExtractedValue | null {
  const placed = candidates as readonly PlacedCandidate[];
  const ibans = placed.filter(({ kind }) => kind === 'iban');
  const [iban, ...others] = new Set(ibans.map(({ value }) => String(value)));
  if (iban === undefined || others.length > 0) return null;
  const printed = ({ value }: PlacedCandidate) => String(value).replaceAll(/[^\p{L}\d]/gu, '');
  const numbered = placed.filter(({ kind, lines }) => kind === 'identifier' && lines.length === 1);
  // Some countries print all of it but its beginning as well: Portugal's NIB, Spain's CCC.
  const whole = [...ibans, ...numbered.filter((each) => printed(each) === iban.slice(countryAndCheck))];
  const isWithinIban = ({ lines: [line], start, end }: PlacedCandidate) =>
    whole.some((each) => each.lines.includes(line!) && each.start < end && start < each.end);
  const numbers = numbered.flatMap((candidate) => {
    if (isWithinIban(candidate)) return [];
    const digits = printed(candidate).replace(/^0+/, '');
    const behind = iban.length - iban.lastIndexOf(digits) - digits.length;
    const isAccount = digits.length >= leastAccount && iban.includes(digits) && behind <= mostBehindAccount;
    return isAccount ? [{ candidate, length: digits.length }] : [];
  });
  const [longest] = numbers.toSorted((a, b) => b.length - a.length);
  return longest ? withGroupsBefore(longest.candidate, iban) : null;
}

/** An account's number with the groups of digits before it that the IBAN has there as well: `04 188 22 N 034`. */
function withGroupsBefore(candidate: PlacedCandidate, iban: string): ExtractedValue {
  const line = candidate.lines[0]!;
  const groups = /(?:(?<![\p{L}\d])[\dA-Z]{1,5} )+$/u.exec(line.text.slice(0, candidate.start))?.[0] ?? '';
  const text = line.text.slice(candidate.start - groups.length, candidate.end);
  const isWhole = groups !== '' && iban.includes(text.replaceAll(/[^\p{L}\d]/gu, ''));
  return isWhole
    ? composedValue(text, 89, [{ line, start: candidate.start - groups.length, end: candidate.end }])
    : candidateValue(candidate, 89);
}

/** A card's number of which the first digits are hidden: `XXXX XXXX XXXX 4188`, `4929 **** **** 1188`. */
const maskedNumber =
  /(?<![\p{L}\d*•])(?:\d{4}|[Xx*•]{4})[ -]?(?:\d{2}[Xx*•]{2}|[Xx*•]{4})[ -]?[Xx*•]{4}[ -]?\d{4}(?!\d)/u;
const ofAccount =
  /(?<!\p{L})(?:account|card|konto|karten?|compte|carte|cuenta|tarjeta|conto|carta|conta|cartão|rekening|kaart)[-. ]?(?:number|no|num(?:mer|ero|éro)?|nr|n[.°º]+)?[.:]*\s*$/iu;

/** The one card that a statement is for, by its hidden number at a caption. */
function maskedAccount(layout: Layout): ExtractedValue | null {
  const found = layout.lines.slice(0, lineLimit).flatMap((line) => {
    const match = line.text.length > 120 ? null : maskedNumber.exec(line.text);
    if (!match) return [];
    const { left, above } = neighboursOf(layout, line);
    const captions = match.index > 2 ? [line.text.slice(0, match.index)] : [left?.text ?? '', above?.text ?? ''];
    const isCaptioned = captions.some((text) => ofAccount.test(text));
    return isCaptioned ? [{ text: match[0], line, start: match.index, end: match.index + match[0].length }] : [];
  });
  const [first] = found;
  return first && found.every(({ text }) => text === first.text) ? composedValue(first.text, 84, [first]) : null;
}

/** The countries whose IBANs begin with the letters by which their banks are known abroad. */
const lettersInIban: ReadonlySet<string> = new Set(['GB', 'IE', 'NL', 'LV', 'RO', 'BG', 'MT', 'GI']);

/** The bank's code that begins as the account of its IBAN does: `GB41PENB…` and `PENBGB2108K`. */
function bicOfIban({ candidates }: Findings): ExtractedValue | null {
  const placed = candidates as readonly PlacedCandidate[];
  const heads = placed.flatMap(({ kind, value }) =>
    kind === 'iban' && lettersInIban.has(String(value).slice(0, 2))
      ? [`${String(value).slice(4, 8)}${String(value).slice(0, 2)}`]
      : [],
  );
  const found = placed.find(({ kind, value }) => kind === 'bic' && heads.includes(String(value).slice(0, 6)));
  return found ? candidateValue(found, 89) : null;
}

const accountCaption =
  /^(?:(?:bank)?rekening(?:nummer|nr)?|konto(?:nummer|nr)?|account (?:no|number)|n(?:o|umero)? (?:de |di |du )?(?:compte|cuenta|conta|conto))(?: iban)?$/u;

/** The IBAN that stands at the caption of an account's number, as where an account has no other one. */
function ibanAtCaption({ layout, candidates }: Pick<Findings, 'layout' | 'candidates'>): ExtractedValue | null {
  const placed = (candidates as readonly PlacedCandidate[]).filter(({ kind }) => kind === 'iban');
  const found = placed.find(({ lines: [line], start }) => {
    if (!line) return false;
    const { left, above } = neighboursOf(layout, line);
    const captions = start > 2 ? [line.text.slice(0, start)] : [left?.text ?? '', above?.text ?? ''];
    return captions.some((text) => accountCaption.test(labelOf(text)));
  });
  return found ? candidateValue(found, 84) : null;
}

/** The fields with the IBAN as the account's number where it stands at that caption, and no number within it is another. */
export function withIbanAsNumber(
  fields: Readonly<Record<string, ExtractedValue>>,
  findings: Pick<Findings, 'layout' | 'candidates'>,
): Record<string, ExtractedValue> {
  const iban = ibanAtCaption(findings);
  const digits = String(fields.account_number?.value ?? '').replace(/\D/g, '');
  const [place, own] = [iban?.provenance[0], fields.account_number?.provenance[0]];
  const isPart = place && own && place.page === own.page && place.box.y0 === own.box.y0 && own.box.x0 >= place.box.x0;
  const isWithin = digits !== '' && String(iban?.value).includes(digits) && !isPart;
  return iban && !isWithin ? { ...fields, account_number: iban } : { ...fields };
}

const titleLines = 60;

/** What rows and columns of a statement's summary call its four sums, as labels are compared. */
const sums: readonly (readonly [name: string, label: RegExp])[] = [
  [
    'opening_balance',
    /^(?:(?:your )?(?:beginning|opening|start(?:ing)?|previous|prior|last) (?:(?:statement )?bal(?:ance)?|(?:account |portfolio )?value)|(?:balance )?brought forward|balance from (?:the )?(?:(?:last|previous) )?statement|alter (?:konto)?(?:stand|saldo)|anfangssaldo|ancien solde|solde (?:initial|precedent)|saldo (?:inicial|anterior|iniziale)|(?:vorig|oud|begin) ?saldo)(?!\p{L})/u,
  ],
  [
    'closing_balance',
    /^(?:(?:your )?(?:end(?:ing)?|closing|new|current) (?:statement )?bal(?:ance)?|(?:your )?(?:ending|closing) (?:account |portfolio )?value|(?:your )?balance at close of business|(?:balance )?carried forward|neuer (?:konto)?(?:stand|saldo)|endsaldo|nouveau solde|solde final|saldo (?:final|finale|nuevo|actual)|nieuw saldo|eindsaldo)(?!\p{L})/u,
  ],
  [
    'total_credits',
    /^(?:total )?(?:deposits|credits|additions|money in|paid in)(?!\p{L})|^totaal (?:bedrag )?bij|^(?:total|summe|gesamt|totale) (?:de |des |a )?(?:credits?|creditos?|abonos|ingresos|haben|gutschriften|entrate|avere|accrediti)(?!\p{L})/u,
  ],
  [
    'total_debits',
    /^(?:total )?(?:withdrawals|debits|deductions|subtractions|checks|money out|paid out)(?!\p{L})|^totaal (?:bedrag )?af(?!\p{L})|^(?:total|summe|gesamt|totale) (?:de |des |a )?(?:debits?|debitos?|cargos|gastos|soll|lastschriften|uscite|dare|addebiti)(?!\p{L})/u,
  ],
];

/** What came in and what went out, by labels that leave nothing out. */
const whole: readonly (readonly [name: string, label: RegExp])[] = [
  [
    'total_credits',
    /^(?:total )?(?:deposits (?:and|&) (?:other )?(?:credits|additions)|deposits and additions|total (?:deposits|credits|incomings?)|(?:total )?(?:money|paid|payments) in|payments?(?: and |\/| )(?:other )?credits|eingehende transaktionen|summe (?:der )?(?:haben|gutschriften|eingange)|total (?:des |de )?(?:credits|creditos|abonos|ingresos)|totale (?:accrediti|entrate|avere)|totaal (?:bedrag )?bij)$/u,
  ],
  [
    'total_debits',
    /^(?:total (?:withdrawals|debits|outgoings?)|(?:total )?(?:money|paid|payments) out|ausgehende transaktionen|summe (?:der )?(?:soll|lastschriften|belastungen|ausgange)|total (?:des |de )?(?:debits|debitos|cargos|gastos)|totale (?:addebiti|uscite|dare)|totaal (?:bedrag )?af)$/u,
  ],
];

/** The day that a row of a table begins with, before its label. */
const leadingDay = /^\d{1,2}[ /](?:\p{L}{3,9}|\d{1,2})(?:[ /](?:19|20)?\d{2})? (?=\p{L})/u;

const balanceHeading = /^(?:running |closing |account )?(?:balance|saldo|solde)(?: \(?[\p{L}\p{Sc}]{1,4}\)?)?$/iu;

/** Opening and closing balance, and what came in and went out, behind labels that say so, where all rows of one agree. */
function captionedBalances({ layout, candidates }: Findings): ComposedFields {
  const columns = layout.lines.slice(0, lineLimit).filter(({ text }) => balanceHeading.test(text));
  // The last row of a table may have the sums of its other columns beside the balance.
  const isBalance = ({ box, page }: PlacedCandidate) =>
    columns.some((line) => line.page === page && line.box.x0 < box.x1 && box.x0 < line.box.x1 && line.box.y1 < box.y1);
  const rows = labelledRows(layout, candidates)
    .map(({ values, ...row }) => ({ ...row, values: values.filter((value) => !isBesidePeriod(value)) }))
    .filter(({ values }) => values.length === 1 || (values.length > 1 && isBalance(values.at(-1)!)));
  return Object.fromEntries(
    [...sums.slice(0, 2), ...whole].flatMap(([name, pattern]) => {
      const amounts = rows
        .filter(
          ({ label, values }) =>
            pattern.test(label.replace(leadingDay, '')) && (name.endsWith('_balance') || values.length === 1),
        )
        .map(({ values }) => values.at(-1)!);
      const balance = onlyValue(amounts, 86);
      return balance ? [[name, balance]] : [];
    }),
  );
}

/** Lines of a heading over a column. */
const headingLines = 3;

/**
 * The sums of a summary that has their names above them, each over one or several lines, where the opening balance and
 * what came in and went out make the closing one.
 */
function balancesInColumns({ layout, candidates }: Findings): ComposedFields {
  const rows = visualRows(layout).slice(0, lineLimit);
  for (const [at, row] of rows.entries()) {
    const amounts = (candidates as readonly PlacedCandidate[]).filter(
      ({ kind, lines, text }) =>
        kind === 'amount' && lines.length === 1 && row.includes(lines[0]!) && /[.,]\d{2}(?!\d)/.test(text),
    );
    if (amounts.length < 4) continue;
    const named = amounts.flatMap((amount) => {
      const heads = rows.slice(Math.max(0, at - headingLines), at).flatMap((head) => {
        const over = head.filter(({ box }) => box.x0 < amount.box.x1 && amount.box.x0 < box.x1);
        return over.length === 0 ? [] : [over.map(({ text }) => text).join(' ')];
      });
      // A title above the headings is none of them.
      const labels = heads.map((_, first) => labelOf(heads.slice(first).join(' ')));
      const sum = sums.find(([, pattern]) => labels.some((label) => pattern.test(label)));
      return sum ? [[sum[0], amount] as const] : [];
    });
    const found = Object.fromEntries(named);
    const sizes = sums.map(([name]) => Math.abs(Number(found[name]?.value)));
    const [opening, closing] = [Number(found.opening_balance?.value), Number(found.closing_balance?.value)];
    if (named.length !== sums.length || Math.abs(opening + sizes[2]! - sizes[3]! - closing) > 0.005) continue;
    return Object.fromEntries(named.map(([name, amount]) => [name, candidateValue(amount, 91, ['arithmetic_holds'])]));
  }
  return {};
}

const totalLabel =
  /^(?:(?:sub ?)?total(?:s|e|i)?|totaux|gesamt\p{L}*|summe\p{L}*|somme|suma|totaal)(?: (?:des? |der |de los |dei |of )?(?:mouvements|operations|umsatze|movimientos|movimenti|transactions|transacties|period|periode))?$/u;

/** The currency behind the heading of a column: `Débit EUROS`, `Paid out (£)`. */
const inCurrency = /[ ,(]+(?:in )?(?:[Ee]uros?|EUROS?|\p{Sc}|[A-Z]{3})\)?$/u;

/** What came in and went out by the last row of a table, which has the totals of both columns below their headings. */
function totalsOfColumns({ type, layout, candidates }: Findings): ComposedFields {
  const headings = new Map(
    ['debit', 'credit'].map((name) => [
      name,
      new Set(type.columns.find((column) => column.name === name)?.captions.map(captionForm)),
    ]),
  );
  const rows = visualRows(layout).slice(0, lineLimit);
  for (const [at, row] of rows.entries()) {
    const label = row.find(({ text }) => /\p{L}{3}/u.test(text));
    const amounts = (candidates as readonly PlacedCandidate[]).filter(
      ({ kind, lines, text }) =>
        kind === 'amount' && lines.length === 1 && row.includes(lines[0]!) && /[.,]\d{2}(?!\d)/.test(text),
    );
    const whole = amounts.filter((each) => !amounts.some((other) => other !== each && isWithin(each, other)));
    if (!label || whole.length !== 2 || !totalLabel.test(labelOf(label.text))) continue;
    const columns = whole.map(({ box }) =>
      ['debit', 'credit'].find((name) =>
        rows
          .slice(0, at)
          .flat()
          .some(
            (line) =>
              line.page === label.page &&
              line.box.x0 < box.x1 &&
              box.x0 < line.box.x1 &&
              headings.get(name)!.has(captionForm(line.text.replace(inCurrency, ''))),
          ),
      ),
    );
    const [debit, credit] = ['debit', 'credit'].map((name) => whole[columns.indexOf(name)]);
    if (debit && credit) return { total_debits: candidateValue(debit, 84), total_credits: candidateValue(credit, 84) };
  }
  return {};
}

/** Whether a candidate is a part of another one, as `870,05` is of `1 870,05`. */
function isWithin(part: PlacedCandidate, whole: PlacedCandidate): boolean {
  const isInside = whole.start <= part.start && whole.end >= part.end;
  return part.lines[0] === whole.lines[0] && isInside && whole.end - whole.start > part.end - part.start;
}

const balanceOn =
  /^(?:alter |neuer |ancien |nouveau )?(?:kontostand|saldo|solde|balance|(?:ledger|account) balance)\b.{0,12}?\b(?:am|on|as (?:of|at)|al|au|a|em|per|vom|zum)\b/iu;

/** The opening and closing balance of statements that call both by their day alone: `Balance on 28 Feb`, `Balance on 31 Mar`. */
function datedBalances(findings: Findings): ComposedFields {
  const { layout, candidates } = findings;
  const placed = candidates as readonly PlacedCandidate[];
  const balances = layout.lines.slice(0, lineLimit).flatMap((line) => {
    if (!balanceOn.test(line.text)) return [];
    const row = rowOf(layout, line);
    const of = (kind: string, lines: readonly TextLine[]) =>
      placed.filter((each) => each.kind === kind && each.lines.length === 1 && lines.includes(each.lines[0]!));
    const [date] = of('date', [line]);
    const amount = of('amount', row).findLast(({ text }) => /[.,]\d{2}(?!\d)/.test(text));
    return date && amount ? [{ date, amount }] : [];
  });
  const ordered = balances.toSorted((a, b) => (String(a.date.value) < String(b.date.value) ? -1 : 1));
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (!first || !last) return {};
  if (first.date.value === last.date.value) return ordered.length === 1 ? balanceOfPeriod(first, findings) : {};
  return {
    opening_balance: candidateValue(first.amount, 91),
    closing_balance: candidateValue(last.amount, 91),
    statement_end_date: candidateValue(last.date, 80),
  };
}

interface DatedBalance {
  readonly date: PlacedCandidate;
  readonly amount: PlacedCandidate;
}

/** The one balance that is called by its day alone, which the printed period begins or ends with. */
function balanceOfPeriod({ date, amount }: DatedBalance, findings: Findings): ComposedFields {
  const period = composePeriod(findings, 'start', 'end');
  const days = (day: unknown) => (Date.parse(String(day)) - Date.parse(String(date.value))) / 86_400_000;
  const untilStart = days(period.start?.value);
  if (untilStart === 0 || untilStart === 1) return { opening_balance: candidateValue(amount, 89) };
  return days(period.end?.value) === 0 ? { closing_balance: candidateValue(amount, 89) } : {};
}

const firstBalanceOn =
  /^(?:your )?(?:beginning|opening|starting|previous) balance (?:on|as of|at) (\d{1,2})\/(\d{1,2})(?:\/(?:\d{2}){1,2})?(?!\d)/iu;
const lastBalanceOn =
  /^(?:your )?(?:ending|closing|new) balance (?:on|as of|at) (\d{1,2})\/(\d{1,2})(?:\/(?:\d{2}){1,2})?(?!\d)/iu;

/** The period of American statements that print its days with their balances alone: `Beginning balance on 3/1`. */
function periodOfBalances({ layout, candidates }: Findings): ComposedFields {
  const lines = layout.lines.slice(0, lineLimit);
  const found = (pattern: RegExp) =>
    lines.flatMap((line) => {
      const match = pattern.exec(line.text);
      return match ? [{ line, month: Number(match[1]), day: Number(match[2]), end: match[0].length }] : [];
    })[0];
  const [first, last] = [found(firstBalanceOn), found(lastBalanceOn)];
  if (!first || !last) return {};
  const dates = (candidates as readonly PlacedCandidate[]).filter(({ kind }) => kind === 'date');
  const year = yearBefore(dates, last.month, last.day);
  if (year === null) return {};
  const start = isoDate(first.month > last.month ? year - 1 : year, first.month, first.day);
  const end = isoDate(year, last.month, last.day);
  if (!start || !end) return {};
  return {
    statement_start_date: composedValue(start, 88, [{ line: first.line, start: 0, end: first.end }]),
    statement_end_date: composedValue(end, 88, [{ line: last.line, start: 0, end: last.end }]),
  };
}

/** What kind of bank the second line of a logo says it is. */
const restOfBank =
  /^(?:(?:federal|community|national|state|savings|trust|employees|teachers|first|cooperative|&|and|of|\p{Lu}\p{L}+) ){0,4}(?:credit union|bank(?:ing)?(?: (?:&|and) trust)?(?: (?:company|co\.))?|bank,? (?:n\.a\.|plc|ltd)|savings|bancorp|sparkasse|volksbank)$/iu;
const kindOfBank = /^(?:(?:federal|community|state|employees) )?(?:credit union|bank|savings bank)$/iu;
const logoLines = 12;

/** A bank's logo of two lines, one right under the other in one size: `Great Basin`, `Federal Credit Union`. */
function stackedBank(layout: Layout): ExtractedValue | null {
  for (const first of layout.lines.slice(0, logoLines)) {
    const { below: second } = neighboursOf(layout, first);
    if (!second || !restOfBank.test(second.text) || !/^\p{Lu}[\p{L}’' ]{2,30}$/u.test(first.text)) continue;
    const [height, other] = [letterHeight(first), letterHeight(second)];
    const isStacked =
      Math.abs(height - other) < 0.25 * height &&
      Math.abs(first.box.x0 - second.box.x0) < height &&
      second.box.y0 - first.box.y1 < 0.7 * height;
    // Set small, the kind of bank stands below a name that is set as a logo.
    const isBelowLogo =
      kindOfBank.test(second.text) &&
      height > 1.4 * other &&
      second.box.x0 > first.box.x0 - height &&
      second.box.x1 < first.box.x1 + 2 * height &&
      second.box.y0 - first.box.y1 < height;
    if ((isStacked || isBelowLogo) && !isHeading(first.text) && !hasGivenName(titleCased(first.text)))
      return composedValue(`${first.text} ${second.text}`, isBelowLogo ? 85 : 80, [{ line: first }, { line: second }]);
  }
  return null;
}

/** A bank by its legal name with what it is registered by: `Northgate Bank Limited ABN 11 000 000 000`. */
const registeredName =
  /(?<![\p{L}&.'’-])(?:\p{Lu}[\p{L}&.'’-]*,?\s(?:(?:of|de|di|del|der|&)\s)?){1,6}?(?:Limited|Ltd|Corporation|AG|SE|eG|S\.?\s?A|S\.?p\.?A|N\.?V)(?![\p{L}\d])/u;
const registrations =
  /(?<!\p{L})(?:abn|acn|afsl|registered|authorised|incorporated|hr[ab]|amtsgericht|registergericht|rcs|capital|sede|registro|kvk|r\.m\.)(?!\p{L})/iu;

/** The one bank that states by what it is registered, as at the foot of its pages; null where several do. */
function registeredBank(layout: Layout): ExtractedValue | null {
  const found = layout.lines.slice(0, lineLimit).flatMap((line) => {
    const match = registrations.test(line.text) ? registeredName.exec(line.text) : null;
    if (!match || !/bank|banc|banque|sparkasse/iu.test(match[0])) return [];
    return [{ name: match[0], line, start: match.index, end: match.index + match[0].length }];
  });
  const [first] = found;
  return first && found.every(({ name }) => name === first.name) ? composedValue(first.name, 76, [first]) : null;
}

/** The bank that is named most often; null where none is. */
function bankOf(layout: Layout): ExtractedValue | null {
  const found = layout.lines.slice(0, lineLimit).flatMap((line) => {
    if (line.text.length > 400) return [];
    return [...line.text.matchAll(legalBank)].flatMap((match) =>
      bankWord.test(match[0]) ? [{ name: match[0], line, start: match.index, end: match.index + match[0].length }] : [],
    );
  });
  const [most] = [...Map.groupBy(found, ({ name }) => name.toLowerCase()).values()].sort((a, b) => b.length - a.length);
  const first = most?.[0];
  return first ? composedValue(first.name, 76, [first]) : null;
}

const ofBank = /ban[ck]|banque|sparkasse|caixa|caja|cassa|caisse|cr[eé]dit|kredit|building society/iu;

/** The address of the branch that a statement names right above it: `Filiale di Montevarchi`. */
export function addressUnderBranch(layout: Layout): ExtractedValue | null {
  return addressUnder(layout, ({ text }) => isBranch(text) && !text.endsWith(':'));
}

/** The address of the block of the first page that has a bank's name right above it, such as where to write to. */
function addressUnderBank(layout: Layout): ExtractedValue | null {
  return addressUnder(layout, isBankName);
}

/** @param isNamed whether a line right above an address says that it is the bank's */
function addressUnder(layout: Layout, isNamed: (line: TextLine) => boolean): ExtractedValue | null {
  const first = layout.document.pages[0]?.number;
  const block = partyBlocksOf(layout).find(({ page, addressLines, nameLines }) => {
    const top = addressLines[0];
    const above = top && neighboursOf(layout, top).above;
    const isNear = top && above && top.box.y0 - above.box.y1 < top.box.y1 - top.box.y0;
    // Whose name stands between the bank's and the address lives there.
    const named = nameLines.length > 0 && above && !nameLines.includes(above) ? [] : nameLines;
    return page === first && (named.length > 0 ? named : isNear ? [above] : []).some(isNamed);
  });
  return block ? addressOfBlock(block, 89) : null;
}

function isBankName({ text }: TextLine): boolean {
  return ofBank.test(text) && !/[\d]{4}|:$/.test(text) && !isSentence(text);
}

/** What a bank's seat is called behind its name. */
const seat =
  /^[.,;:]? ?(?:[-–|·•] ?)?(?:(?:registered|head) office|sede(?: (?:social|legale))?(?: e direzione generale)?|domicilio social|si[eè]ge(?: social)?|sitz|zetel)?[:.]? ?/iu;

/** A line that begins with a name before the mark that parts it from an address: `Sparkasse Mittelland · Markt 5 · …`. */
const bankBeforeMark = /^\p{Lu}[\p{L} .&'’]{4,50}(?= ?[·•|] ?)/u;

/** The address behind the bank's legal name, as at the foot of its pages: `Example Bank plc. Registered Office: 1 Mill Way, Leeds LS1 4AP`. */
function registeredAddress(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, lineLimit)) {
    const names = [...line.text.matchAll(legalBank), registeredName.exec(line.text), bankBeforeMark.exec(line.text)];
    const name = names.find((match) => match !== null && ofBank.test(match[0]));
    if (!name) continue;
    const { below } = neighboursOf(layout, line);
    const text = `${line.text} ${below?.text ?? ''}`;
    const start = name.index + name[0].length + seat.exec(text.slice(name.index + name[0].length))![0].length;
    const marks = [...text.slice(start, start + longestAddress).matchAll(/(?=[.;](?: |$)| ?[-–|·•] |\()|$/gu)];
    // What goes on in the next line is a part of it only where the first line is no whole address.
    const ends = [line.text.length - start, ...marks.map(({ index }) => index)].filter((end) => end > 0);
    for (const index of ends.toSorted((a, b) => a - b)) {
      const address = text.slice(start, start + index);
      if (!isWholeAddress(address)) continue;
      const onNext = start + index - line.text.length - 1;
      const rest = below && onNext > 0 ? [{ line: below, start: 0, end: onNext }] : [];
      return composedValue(address.replaceAll(/ ?[·•|] ?/gu, ', '), 72, [
        { line, start, end: Math.min(line.text.length, start + index) },
        ...rest,
      ]);
    }
  }
  return null;
}

const longestAddress = 120;
