import type { ExtractedValue, Layout } from '@millrace/document-model';
import { hasPlace } from '../../candidates/address-lines.ts';
import { detailStart } from '../../candidates/spans.ts';
import type { Findings, TypeRules } from '../../compose/compose.ts';
import { labelBefore } from '../../compose/labelled-rows.ts';
import { letterHeight } from '../../compose/names.ts';
import { composePeriod } from '../../compose/period.ts';
import { composedValue } from '../../compose/value.ts';
import { isOnLine } from '../../layout/geometry.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { partyBlocksOf } from '../../parties/blocks.ts';
import { partyRolesOf } from '../../parties/parties.ts';
import type { ScoredField, ScoredValue } from '../../score/score.ts';
import { composeUtilityBill, unitOfConsumption } from './compose.ts';
import { utilityBill } from './definition.ts';

/** What stands before amounts and days of other bills, of payments and of readings. */
const ofAnother: Readonly<Record<string, RegExp>> = {
  total_amount:
    /(?<!\p{L})(?:payments?|paid|received|previous|last bill|prior|brought forward|carried forward|balance forward|thank you|zahlungen|bisher\p{L}*|voraus\p{L}*|abschl[aä]g\p{L}*|paiements?|pagos?|pagamenti|voorschot\p{L}*)(?!\p{L})/u,
  due_date:
    /(?<!\p{L})(?:payments? received|received|paid on|last payment|abschlag\p{L}*|erstmals|ab|issued|mailed|read|reading|emitida|emessa|émise|next|prochain\p{L}*|pr[óo]xim\p{L}*|prossim\p{L}*|nächst\p{L}*|volgende)(?!\p{L})/u,
  period_start_date: /(?<!\p{L})(?:collect\p{L}*|direct debit|payments?|received)(?!\p{L})/u,
  // A line of running text may begin with what captions the last day elsewhere.
  period_end_date:
    /(?<!\p{L})(?:pay|payments?|paid|due|received|install\p{L}*|offer\p{L}*|promotion\p{L}*|upgrade|valid|balance|saldo|solde)(?!\p{L})|^(?:through|until)$/u,
  bill_date:
    /(?<!\p{L})(?:payments?|paid|received|last payment|thank you|reading|read|balance from|zahlung\p{L}*|paiements?|pagos?|pagament\p{L}*)(?!\p{L})/u,
};

const payable: ReadonlySet<string> = new Set(['total_amount', 'due_date']);
/** What calls an amount or a day the one that is to be paid, whatever else the words before it say. */
const stillDue = /(?<!\p{L})(?:due|to pay|payable|pay by|remit)(?!\p{L})/u;

/**
 * Whether an address is the provider's: the sender's of the letter, or one which its telephone number, page or tax number
 * stands by. What stands above it, such as a department, may be taken for a part of it.
 */
function isOfProvider({ candidate }: ScoredValue): boolean {
  const { layout, lines, page } = candidate;
  if (page !== layout.document.pages[0]?.number) return false;
  const { below } = neighboursOf(layout, lines.at(-1)!);
  if ([...lines, ...(below ? [below] : [])].some(({ text }) => detailStart(text) > 0)) return true;
  const sender = partyRolesOf(utilityBill, layout).get('sender');
  return partyBlocksOf(layout).some(
    (block) =>
      (block === sender || (block.hasDetails && block.caption === null)) &&
      lines.some((line) => block.addressLines.includes(line)),
  );
}

function isOfAnother(name: string, value: ScoredValue): boolean {
  const { candidate } = value;
  // A town's postal code is no quantity.
  if (name === 'consumption') return /^\d{5}$/.test(candidate.text) && hasPlace(candidate.lines[0]?.text ?? '');
  if (name === 'service_address') return isOfProvider(value);
  const [line, ...more] = candidate.lines;
  const words = ofAnother[name];
  if (!line || more.length > 0 || !words) return false;
  const label = labelBefore(candidate);
  return label.length <= 80 && words.test(label) && !(payable.has(name) && stillDue.test(label));
}

const customerNumber =
  /^(?:(?:ihre |votre )?kunden(?:nummer| ?-? ?nr)|n(?:°|º|o|umero)?\.? ?(?:de )?client|numero de cliente|customer (?:no|number|id|ref\p{L}*)|client (?:no|number)|codice cliente|klantnummer)(?!\p{L})/u;
const accountNumber =
  /^(?:vertragskonto(?:nummer)?|vertrags(?:nummer| ?-? ?nr)|n(?:°|º|o|umero)?\.? ?(?:de )?(?:compte|contrat)|numero de contrato|(?:referencia|ref)\.? (?:de(?:l)? )?contrato|account (?:no|number)|contract (?:no|number))(?!\p{L})/u;

/** What calls a number the one by which the customer or the provider is taxed. */
const taxNumber =
  /^(?:[nc] ?i ?f|d ?n ?i|n ?i ?e|n ?i ?p ?c|n(?:umero)? (?:de )?contribuinte|contribuinte|codice fiscale|cod fisc\p{L}*|c f|p(?:artita)? ?iva|ust(?:[ -]?id)?[ -]?n\p{L}*|steuernummer|siret|siren|vat (?:no|number|reg\p{L}*)|n(?:o|umero)? (?:de )?tva|btw\p{L}*|gstin?|abn|tax (?:id|no|number))(?!\p{L})/u;

/** A customer's numbers: the one of the account that is billed, where the customer's own stands beside it. */
function accountsFirst(ranked: readonly ScoredValue[]): readonly ScoredValue[] {
  const labels = new Map(ranked.map((value) => [value, labelBefore(value.candidate)]));
  const isAccount = (value: ScoredValue) => accountNumber.test(labels.get(value)!);
  if (!ranked.some(isAccount)) return ranked;
  const own = ranked.filter((value) => !customerNumber.test(labels.get(value)!));
  return own[0] && isAccount(own[0]) && own[0] !== ranked[0]
    ? [{ ...own[0], probability: ranked[0]!.probability, confidence: ranked[0]!.confidence }, ...own.slice(1)]
    : ranked;
}

/** The fields without the amounts and days that a bill states of other bills, payments and readings. */
function withoutOtherBills(scored: readonly ScoredField[]): readonly ScoredField[] {
  return scored.map((entry) => {
    const { name } = entry.field;
    if (name === 'account_number')
      return {
        ...entry,
        ranked: accountsFirst(entry.ranked.filter(({ candidate }) => !taxNumber.test(labelBefore(candidate)))),
      };
    if (!ofAnother[name] && !['service_address', 'consumption'].includes(name)) return entry;
    return { ...entry, ranked: entry.ranked.filter((value) => !isOfAnother(name, value)) };
  });
}

/** A bill is for a week at the least, and for little more than a year. */
const [leastDays, mostDays] = [6, 400];

/** The fields with the printed period, where their days are too few or too many apart to be of one. */
function withPrintedPeriod(
  fields: Readonly<Record<string, ExtractedValue>>,
  findings: Findings,
): Record<string, ExtractedValue> {
  const { period_start_date: start, period_end_date: end } = fields;
  if (!start || !end) return { ...fields };
  const days = (Date.parse(String(end.value)) - Date.parse(String(start.value))) / 86_400_000;
  if (days >= leastDays && days <= mostDays) return { ...fields };
  const { period_start_date, period_end_date } = composePeriod(findings, 'period_start_date', 'period_end_date');
  return period_start_date && period_end_date ? { ...fields, period_start_date, period_end_date } : { ...fields };
}

/** What the second line of a provider's logo says that it supplies, or is: `Gas & Electric`, `Water District`. */
const supplies =
  /^(?:(?:gas|electric(?:ity)?|power|light|water|wastewater|sewer|energy|utilit(?:y|ies)|public|service|municipal|natural|company|co\.?|corp(?:oration)?|district|department|authority|board|commission|works|cooperative|association|and|&|of)(?: |$)){1,5}$/iu;

/** The fields with the whole name of a provider whose logo has two lines of one size. */
function withWholeProvider(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const { provider_name: provider } = fields;
  const place = provider?.provenance.length === 1 ? provider.provenance[0]! : null;
  const line = place && layout.lines.find((each) => isOnLine(place, each) && each.text === String(provider?.value));
  const below = line ? neighboursOf(layout, line).below : null;
  if (!provider || !line || !below || !supplies.test(below.text)) return { ...fields };
  const height = letterHeight(line);
  const isOfLogo =
    Math.abs(letterHeight(below) - height) < 0.15 * height &&
    Math.abs(below.box.x0 - line.box.x0) < height &&
    below.box.y0 - line.box.y1 < 0.7 * height;
  const whole = composedValue(`${line.text} ${below.text}`, provider.confidence, [{ line }, { line: below }]);
  return isOfLogo ? { ...fields, provider_name: { ...whole, flags: provider.flags } } : { ...fields };
}

/** The fields with a place of supply that is no more than an address: some providers write whose it is before it. */
function withoutCustomer(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { service_address: address, customer_name: customer } = fields;
  if (!address || !customer) return { ...fields };
  const words = new Set(
    String(customer.value)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [],
  );
  const parts = String(address.value).split(/, ?/);
  const isName = (part: string) =>
    !/\d/.test(part) && (part.toLowerCase().match(/\p{L}+/gu) ?? ['-']).every((word) => words.has(word));
  const first = parts.findIndex((part) => !isName(part));
  return first > 0
    ? { ...fields, service_address: { ...address, value: parts.slice(first).join(', ') } }
    : { ...fields };
}

export const utilityBillRules: TypeRules = {
  compose: composeUtilityBill,
  sift: withoutOtherBills,
  check: (fields, _rows, findings) =>
    withWholeProvider(
      withoutCustomer({ ...unitOfConsumption(fields, findings), ...withPrintedPeriod(fields, findings) }),
      findings.layout,
    ),
};
