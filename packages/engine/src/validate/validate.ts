import type {
  Box,
  Candidate,
  Classification,
  ExtractedFields,
  ExtractedRow,
  ExtractedValue,
  Extraction,
  JsonValue,
  Layout,
  Locale,
  Provenance,
  TextLine,
  ValueFlag,
  Word,
  WordSource,
} from '@millrace/document-model';
import { hasPlace, isAddressLike, isStreetLine } from '../candidates/address-lines.ts';
import { countryOf } from '../candidates/country.ts';
import { findCurrencies } from '../candidates/currency.ts';
import { parseDate } from '../candidates/date.ts';
import { isFormPhrase, isHeading, isSentence } from '../candidates/headings.ts';
import { isMeasure } from '../candidates/measure.ts';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { companyEndOf } from '../candidates/spans.ts';
import { isValidVat } from '../candidates/tax-id.ts';
import { dateAtTitle, numberAtTitle } from '../classify/headline.ts';
import { captionedDay, valuesAtCaptions } from '../compose/at-caption.ts';
import { hasGivenName } from '../compose/given-names.ts';
import { labelOf } from '../compose/labelled-rows.ts';
import { isOrganizationName, isPersonName, letterHeight, titleCased } from '../compose/names.ts';
import { pairedValues } from '../compose/paired-captions.ts';
import { isPeriodEnd } from '../compose/period.ts';
import { isOtherUsage } from '../compose/usage.ts';
import { composedValue } from '../compose/value.ts';
import { boxAround } from '../layout/geometry.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import { languageScores } from '../locale/language.ts';
import { type PartyBlock, partyBlocksOf } from '../parties/blocks.ts';
import { withOwnDetails } from '../parties/details.ts';
import { type PartyValue, partyValuesOf } from '../parties/parties.ts';
import { comparable } from '../score/comparable.ts';
import { likenessToExamples } from '../score/examples.ts';
import type { ScoredField, ScoredValue } from '../score/score.ts';
import type { DocumentType } from '../types/definition.ts';
import { rulesOf } from '../types/rules.ts';
import { groupOf } from './calibration.ts';
import { provenByCaptions } from './captions.ts';
import { chooseMoney, type MoneyChoice } from './money.ts';
import { findTaxBreakdown, reductionPattern } from './tax-breakdown.ts';

/** Everything that was found out about a document. */
export interface Findings {
  readonly type: DocumentType;
  readonly layout: Layout;
  readonly locale: Locale;
  readonly classification: Classification;
  readonly scored: readonly ScoredField[];
  readonly composed: ExtractedFields;
  readonly rows: readonly ExtractedRow[];
  readonly candidates: readonly PlacedCandidate[];
  /** Names of the fields that are asked for; null for all. */
  readonly only: readonly string[] | null;
  /** By field, the comparable forms of values that stand where people removed one; none where it is left out. */
  readonly removed?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What a proof (a check digit, a sum that holds) lifts a confidence to at least. */
export const provenConfidence = 90;
/** What lines of taxes that add up to a printed total give the amounts which they tell. */
const settledConfidence = 95;
/** What a value that something speaks against may reach. */
export const doubtedConfidence = 60;
/** What stands behind a document's title is its number, unless it is a part of the title. */
const titledConfidence = 72;
/** A date whose day and month could be swapped, in a document that does not say which stands first. */
const ambiguousConfidence = 80;
/** Below this confidence a required field makes a document worth another OCR pass. */
const sureConfidence = 80;

/**
 * Chooses the value of each field, so that no stretch of text is two fields' value and the sums hold; lowers or raises
 * confidence by what can be checked; leaves out what is likelier absent. Every value stands somewhere in the document.
 *
 * @returns the extraction, and whether another OCR pass over its pages could better it.
 */
export function validate(findings: Findings): { extraction: Extraction; doubtful: boolean } {
  const { type, layout, locale, classification, scored, composed, rows, only } = findings;
  const isTaxed = ['tax_amount', 'total_amount'].every((needed) => type.fields.some(({ name }) => name === needed));
  const breakdown = isTaxed ? findTaxBreakdown(findings.candidates, rows) : null;
  const money = chooseMoney(withoutUntaxed(scored), sumOfRows(rows), breakdown, type.isRounded);
  const fields: Record<string, ExtractedValue> = {};
  for (const [field, value] of assign(scored, money.values)) {
    fields[field.name] = checked(field, value, findings, money);
  }
  const names = type.fields.flatMap(({ name, kind }) => (sole.has(kind) || kind === 'name' ? [name] : []));
  const dates = type.fields.flatMap(({ name, kind }) => (kind === 'date' ? [name] : []));
  let checkedFields: Record<string, ExtractedValue> = {
    ...checkTaxRate(checkDates(fields)),
    ...decidedFields(findings),
  };
  for (const [name, value] of Object.entries(composed)) {
    if (value.confidence < (checkedFields[name]?.confidence ?? 0)) continue;
    checkedFields[name] = value;
    // A name that is this field's is not another one's.
    const twin = names.find((other) => other !== name && isSameText(checkedFields[other], value));
    if (twin && names.includes(name) && !composed[twin]) delete checkedFields[twin];
    // A day within a printed period, or one by which to pay, is none of the document's other days.
    for (const other of dates) {
      const isOwn = other === 'due_date' || composed[other];
      if (!isOwn && isWithinText(checkedFields[other], value)) delete checkedFields[other];
    }
  }
  for (const [name, party] of Object.entries(partyValuesOf(type, layout))) {
    // One name is not both sides' own.
    const { sender, recipient } = type.letter ?? {};
    const opposite = name === sender?.name ? recipient?.name : name === recipient?.name ? sender?.name : undefined;
    const isBoth =
      opposite !== undefined &&
      letters(checkedFields[name]?.value ?? '') === letters(checkedFields[opposite]?.value ?? name);
    const answered = isBoth && party.value !== null ? undefined : checkedFields[name];
    if (party.value === null) {
      if (answered && isPartOf(party.other, answered.value)) delete checkedFields[name];
    } else if (!answered || isBetter({ ...party, value: party.value }, answered)) checkedFields[name] = party.value;
  }
  const { candidates, removed } = findings;
  checkedFields = withOwnDetails(type, layout, candidates, checkedFields);
  Object.assign(checkedFields, valuesAtCaptions(type, layout, candidates, checkedFields, removed));
  if (groupOf(type.name) === 'trade') {
    const own = type.fields.find(({ name }) => name.endsWith('_number'))?.name ?? '';
    const isTaxNumber = Object.entries(checkedFields).some(
      ([name, { value }]) =>
        name.endsWith('_tax_id') && letters(value).endsWith(letters(checkedFields[own]?.value ?? ' ')),
    );
    const titled = checkedFields[own] && !isTaxNumber ? null : numberAtTitle(type.name, layout);
    if (titled) {
      const number = titled.line.text.slice(titled.start, titled.end);
      if (!removed?.get(own)?.has(comparable('identifier', number)))
        checkedFields[own] = composedValue(number, titledConfidence, [titled]);
    }
    const day = own.replace(/_number$/, '_date');
    const dated = checkedFields[day] ? null : dateAtTitle(type.name, layout);
    const date = dated && parseDate(dated.line.text.slice(dated.start), locale);
    if (
      dated &&
      date &&
      type.fields.some(({ name }) => name === day) &&
      !removed?.get(day)?.has(comparable('date', date.value))
    )
      checkedFields[day] = composedValue(date.value, titledConfidence, [dated]);
    for (const [name, value] of Object.entries(pairedValues(type, layout, locale)))
      if (!removed?.get(name)?.has(comparable('identifier', value.value))) checkedFields[name] = value;
  }
  checkedFields = rulesOf(type).check?.(checkedFields, rows) ?? checkedFields;
  checkedFields = withWholeAddresses(type, withoutNames(type, checkedFields), layout);
  if (isHardlyLabelled(type)) checkedFields = provenByCaptions(type, checkedFields, layout, candidates);
  const named = new Set(type.fields.map((field) => field.name));
  if (type.rows === 'items' && rows.length > 0) Object.assign(checkedFields, { items: itemsOf(rows) });
  const wanted = (name: string) => (named.has(name) || name === 'items') && (only === null || only.includes(name));
  const extraction: Extraction = {
    docType: type.name,
    classification,
    locale,
    fields: Object.fromEntries(Object.entries(checkedFields).filter(([name]) => wanted(name))),
    lines: type.rows === 'lines' && (only === null || only.includes('lines')) ? rows : [],
    ...(type.rows === 'items' && wanted('items') && { items: rows }),
    pages: layout.document.pages.map(({ number, width, height, unit }) => ({ number, width, height, unit })),
    sources: sourcesOf(layout),
  };
  return { extraction, doubtful: isDoubtful(type, checkedFields, layout, money.failing) };
}

/** What names a sum before tax, which is no tax: `Total net value excl. tax`. */
const untaxed =
  /(?<!\p{L})(?:excl(?:uding|usive|\.|u[ií]do)?|before|without|net of|ohne|exkl\.?|hors|sans|sin|senza|al netto|zonder|sem|bez)(?: of)?(?: (?:sales|die|any|de|la|l))?['’ ]? ?(?:tax(?:es?)?|vat|gst|mwst|ust|umsatzsteuer|mehrwertsteuer|tva|taxes?|iva|impuestos|btw)(?!\p{L})/iu;

/** The fields' values, of the tax without those whose row names a sum before tax. */
function withoutUntaxed(scored: readonly ScoredField[]): readonly ScoredField[] {
  const isUntaxed = ({ candidate: { lines, layout } }: ScoredValue) => {
    const [line] = lines;
    const left = line && neighboursOf(layout, line).left;
    return Boolean(line && (untaxed.test(line.text) || (left && untaxed.test(left.text))));
  };
  return scored.map((entry) =>
    entry.field.name === 'tax_amount'
      ? { ...entry, ranked: entry.ranked.filter((value) => value.candidate.value === 0 || !isUntaxed(value)) }
      : entry,
  );
}

/** The fields with addresses that have none of the names in them which other fields have. */
function withoutNames(
  type: DocumentType,
  fields: Readonly<Record<string, ExtractedValue>>,
): Record<string, ExtractedValue> {
  const kindOf = (name: string) => type.fields.find((field) => field.name === name)?.kind;
  const known = Object.entries(fields).flatMap(([name, { value }]) =>
    typeof value === 'string' && ['name', 'organization'].includes(kindOf(name) ?? '') ? [letters(value)] : [],
  );
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]) => {
      if (kindOf(name) !== 'address' || typeof each.value !== 'string') return [name, each];
      const parts = each.value.split(', ');
      const own = parts.filter((part) => !known.includes(letters(part)));
      return [name, own.length > 0 && own.length < parts.length ? { ...each, value: own.join(', ') } : each];
    }),
  );
}

/** The fields with addresses of which only a part was taken made whole, by the block that they stand in. */
function withWholeAddresses(
  type: DocumentType,
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const addresses = new Set(type.fields.flatMap(({ name, kind }) => (kind === 'address' ? [name] : [])));
  if (!Object.keys(fields).some((name) => addresses.has(name))) return { ...fields };
  const blocks = partyBlocksOf(layout);
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]): [string, ExtractedValue] => {
      if (!addresses.has(name) || typeof each.value !== 'string') return [name, each];
      const part = letters(each.value);
      const lines = each.value.split(', ');
      const lacksTown = () => !lines.some((line) => hasPlace(line) && !isStreetLine(line));
      const lacksStreet = () => !lines.some((line) => isStreetLine(line) && !hasPlace(line));
      const whole = blocks.find(
        ({ address, addressLines }) =>
          letters(address) !== part &&
          (letters(address).startsWith(part) ? lacksTown() : letters(address).endsWith(part) && lacksStreet()) &&
          addressLines.some((line) => each.provenance.some((place) => isOnLine(place, line))),
      );
      if (!whole) return [name, withoutTail(withoutHead(each, blocks), blocks, layout)];
      const { provenance } = composedValue(
        whole.address,
        0,
        whole.addressLines.map((line) => ({ line })),
      );
      return [name, { ...each, value: whole.address, provenance }];
    }),
  );
}

/** An address without what stands above it in its block: a company's name and number. */
function withoutHead(each: ExtractedValue, blocks: readonly PartyBlock[]): ExtractedValue {
  const text = String(each.value);
  const own = blocks.find(
    ({ address, addressLines }) =>
      text.length > address.length &&
      letters(text).endsWith(letters(address)) &&
      addressLines.some((line) => each.provenance.some((place) => isOnLine(place, line))),
  );
  const head = own ? text.slice(0, text.length - own.address.length) : '';
  const isStreet = head.split(', ').some((part) => isStreetLine(part) || hasPlace(part));
  return own && text.endsWith(own.address) && !isStreet ? { ...each, value: own.address } : each;
}

/** An address without what stands beside or apart below it on the page and is neither a street, a place nor a country. */
function withoutTail(each: ExtractedValue, blocks: readonly PartyBlock[], layout: Layout): ExtractedValue {
  const text = String(each.value);
  const own = blocks.find(
    ({ address, addressLines }) =>
      text.startsWith(`${address}, `) &&
      addressLines.some((line) => each.provenance.some((place) => isOnLine(place, line))),
  );
  const tail = own ? text.slice(own.address.length + 2).split(', ') : [];
  const last = own?.addressLines.at(-1);
  const below = last ? neighboursOf(layout, last).below : null;
  const isNear = last && below && isRightBelow(last.box, below.box);
  const isRest = tail.some(
    (part) =>
      isStreetLine(part) ||
      hasPlace(part) ||
      countryOf(part) !== null ||
      // A state or a province goes on right below.
      (isNear && letters(below.text).includes(letters(part))),
  );
  return own && !isRest && tail.join('').length > 3 ? { ...each, value: own.address } : each;
}

/** Whether a line goes on right below another one, at its left edge or about its middle. */
function isRightBelow(upper: Box, lower: Box): boolean {
  const height = upper.y1 - upper.y0;
  const offset = Math.min(Math.abs(upper.x0 - lower.x0), Math.abs(upper.x0 + upper.x1 - lower.x0 - lower.x1) / 4);
  return lower.y0 - upper.y1 < 0.9 * height && offset < height;
}

function isOnLine({ page, box }: Provenance, line: TextLine): boolean {
  const middle = (box.y0 + box.y1) / 2;
  return (
    page === line.page && middle > line.box.y0 && middle < line.box.y1 && box.x0 < line.box.x1 && box.x1 > line.box.x0
  );
}

/** Whether a party's block says more of a name or address than what was chosen among candidates. */
function isBetter(
  {
    value,
    captioned,
    other: opposite,
    besides = [],
    address,
    thirds = [],
  }: PartyValue & { readonly value: ExtractedValue },
  answered: ExtractedValue,
): boolean {
  const [own, other] = [letters(value.value), letters(answered.value)];
  if (own === other) return false;
  if (opposite !== null && letters(opposite) === other) return true;
  if (besides.some((text) => letters(text) === other)) return true;
  // Where goods go, or come back from, is neither side's own.
  if (answered.confidence < 85 && thirds.some((text) => letters(text) === other)) return true;
  if (address && letters(address).includes(other) && isStreetLine(String(answered.value))) return true;
  // A line of the other side's address is in no address of this one.
  const isStrayed = String(answered.value)
    .split(', ')
    .some((part) => /\d/.test(part) && letters(opposite ?? '').includes(letters(part)) && !own.includes(letters(part)));
  if (isStrayed) return true;
  // The block's address abroad, with its country.
  const [country, ...rest] = String(answered.value).split(', ').toReversed();
  if (country && letters(rest.toReversed().join('')) === own && countryOf(country) !== null) return false;
  // An answer with more than the block's name may have its rest from elsewhere; more than its address is no address.
  if (own.includes(other) || (other.includes(own) && (answered.confidence < 85 || /\d/.test(own)))) return true;
  return captioned && answered.confidence < value.confidence;
}

function letters(text: JsonValue): string {
  return String(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether one of two texts has all that the other has. */
function isPartOf(a: JsonValue, b: JsonValue): boolean {
  const [left, right] = [letters(a), letters(b)];
  return left.includes(right) || right.includes(left);
}

/** Whether two values are the same words at the same place, which are one field's alone. */
function isSameText(a: ExtractedValue | undefined, b: ExtractedValue | undefined): boolean {
  const [left, right] = [a?.provenance[0], b?.provenance[0]];
  if (!a || !b || typeof a.value !== 'string' || a.value !== b.value || !left || !right) return false;
  return left.page === right.page && left.box.x0 === right.box.x0 && left.box.y0 === right.box.y0;
}

/** Whether a day's text is a stretch of what another value was read from. */
function isWithinText(a: ExtractedValue | undefined, b: ExtractedValue): boolean {
  const [part, whole] = [a?.provenance[0], b.provenance[0]];
  if (!a || !part || !whole || typeof a.value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(a.value)) return false;
  if (part.page !== whole.page || part.text.length > whole.text.length) return false;
  const isInside = part.box.x0 >= whole.box.x0 - 1 && part.box.x1 <= whole.box.x1 + 1;
  return isInside && part.box.y0 >= whole.box.y0 - 1 && part.box.y1 <= whole.box.y1 + 1;
}

type FieldDefinition = DocumentType['fields'][number];

/** Kinds of which the same words in the same place are one field's alone. */
const sole: ReadonlySet<FieldDefinition['kind']> = new Set(['organization', 'text', 'tax_id']);

/** Fields that may well have the same value in the same place. */
const sharing: readonly (readonly [string, string])[] = [
  ['total_amount', 'amount_due'],
  ['order_date', 'invoice_date'],
  ['invoice_number', 'payment_reference'],
];

/** The fields' values, the surest first: a stretch of text is the value of one field of its kind alone. */
function assign(
  scored: readonly ScoredField[],
  money: ReadonlyMap<string, ScoredValue>,
): readonly (readonly [FieldDefinition, ScoredValue])[] {
  const taken: { readonly field: FieldDefinition; readonly candidate: PlacedCandidate }[] = [];
  const assigned: (readonly [FieldDefinition, ScoredValue])[] = [];
  const bestOf = ({ field, ranked }: ScoredField) => money.get(field.name)?.probability ?? ranked[0]?.probability ?? 0;
  for (const entry of scored.toSorted((a, b) => bestOf(b) - bestOf(a))) {
    const { field, ranked, threshold } = entry;
    const chosen = money.get(field.name);
    const likely = ranked.filter(
      ({ candidate, candidates, probability, confidence }) =>
        probability >= threshold &&
        !candidates.every((each) => isDateOfAnother(field, each)) &&
        !isNoValue(field, candidate, confidence),
    );
    const options = field.kind === 'amount' ? (chosen ? [chosen] : []) : likely;
    for (const value of options) {
      const free = value.candidates.find(
        (each) => !taken.some((other) => clashes(field, each, other)) && !isDateOfAnother(field, each),
      );
      if (!free) continue;
      const candidate = nameAlone(field, wholeNumber(free, ranked));
      taken.push({ field, candidate });
      assigned.push([field, { ...value, candidate }]);
      break;
    }
  }
  return assigned;
}

/** A number in groups of digits whole, where it is all that stands behind its caption: `No.: 118 204 330 771`. */
function wholeNumber(chosen: PlacedCandidate, ranked: readonly ScoredValue[]): PlacedCandidate {
  if (chosen.kind !== 'identifier' || chosen.lines.length !== 1 || !/^\d[\d ]*$/.test(chosen.text)) return chosen;
  const { text } = chosen.lines[0]!;
  const whole = ranked
    .flatMap(({ candidates }) => candidates)
    .find(
      (each) =>
        each.lines.length === 1 &&
        each.lines[0] === chosen.lines[0] &&
        each.start <= chosen.start &&
        each.end >= chosen.end &&
        each.text.length > chosen.text.length &&
        /^\d{2,}(?: \d{2,})+$/.test(each.text) &&
        text.slice(each.end).trim() === '' &&
        /(?:^|[:#.] ?)$/.test(text.slice(0, each.start)),
    );
  return whole ?? chosen;
}

/** Whether few real documents were labelled of a type, so that what proves a value counts for more than they do. */
function isHardlyLabelled({ name, isOwn }: DocumentType): boolean {
  return !isOwn && ['account', 'form', 'card', 'other'].includes(groupOf(name));
}

const paymentPattern =
  /(?<!\p{L})(?:skonto|zahlbar|zahlung|überweis\p{L}*|netto bis|payable|payment|pay by|remit|escompte|paiement|règlement|pago|pagamento|betal\p{L}*)(?!\p{L})/iu;

/** Days on which documents are made. */
const issued: ReadonlySet<string> = new Set([
  'invoice_date',
  'credit_note_date',
  'transaction_date',
  'bill_date',
  'report_date',
  'quote_date',
]);
const duePattern =
  /(?<!\p{L})(?:(?:pay(?:able)?|paid|due|payment(?: is)? due) (?:by|before|on|no later than)|due(?: date)?|before|zahlbar bis(?: zum)?|zu zahlen bis(?: zum)?|fällig(?: am| bis)?|spätestens(?: am)?|avant le|au plus tard le|échéance|antes del|vencimiento|entro il|scadenza|vóór|uiterlijk)[\s:]*$/iu;

/** What stands before the day on which an earlier bill was paid. */
const paidOn =
  /(?<!\p{L})(?:payments?|paid|zahlung(?:en)?|paiements?|pagos?|pagament[io]s?|betaling(?:en)?)(?: (?:received|made|on|vom|du|del?|thank you|eingegangen))*[\s:,–-]*$/iu;

/** Captions of days in somebody's life, and the fields that are for them. */
const ofLife =
  /(?<!\p{L})(?:(?:date of )?birth(?: ?date)?|d\.?o\.?b|geburtsdatum|geb|geboren|eintritt(?:sdatum)?|hire date|(?:original )?hired?|date of (?:hire|joining|appointment)|joining date|d\.?o\.?j|date (?:joined|hired|engaged)|entrée|embauche|né\(?e?\)? le|fecha de (?:alta|nacimiento)|data di (?:nascita|assunzione))\.?\s*:?\s*$/iu;
/** Days on which somebody came, or brought something in, before what a bill is for. */
const ofArrival =
  /(?<!\p{L})(?:arrival|arrived|check[- ]?in|date in|entry|anreise|ankunft|einfahrt|arriv[ée]e|entrada|llegada|arrivo|chegada|aankomst|inrijden)(?: (?:date|time|datum))?\.?\s*:?\s*$/iu;
const ownOfLife: ReadonlySet<string> = new Set(['date_of_birth']);

/** What became of a payment, which is no way to pay. */
const paymentState =
  /^(?:erfolgt|genehmigt|autorisiert|approved|accepted|successful|received|declined|details|due|copy|thank you|vielen dank|merci|gracias|grazie|accept[ée]e?|aceptad[ao]|autorizzat[ao]|eseguit[ao]|akkoord|geslaagd)(?!\p{L})/iu;

/** Days that are still to come when a document is made. */
const upcoming = /(?<!\p{L})next [^.:]{0,40}:?\s*$/iu;

/** The day on which what a document is about was agreed. */
const agreedOn =
  /(?<!\p{L})(?:accepté|signé|validé|accepted|approved|signed|bestätigt|unterzeichnet|aceptado|accettato)e?(?: (?:le|on|am|el|il))?[\s:]*$/iu;

/** What an examination is compared with is an earlier one. */
const compared =
  /(?<!\p{L})(?:comparison|compared (?:with|to)|prior (?:exam|study)|voruntersuchung|vergleich)[^.]{0,60}$/iu;

const endPattern =
  /(?<!\p{L})(?:expir\p{L}*|terminat\p{L}*|until|end(?:s|ing)?|through|ende[nt]?|endet|bis|befristet|jusqu|fin|échéance|expire|hasta|finaliza\p{L}*|vence|fino|termin\p{L}*|scad\p{L}*|até|término|tot|eindig\p{L}*|loopt af)(?!\p{L})/iu;

/**
 * The day by which to pay is not that of the document. A date in a sentence about payment, such as the last day of a
 * discount, is none of the delivery or service; one in a sentence about no end is no contract's end.
 */
function isDateOfAnother({ name }: FieldDefinition, { kind, lines, start, layout }: PlacedCandidate): boolean {
  if (kind === 'date' && issued.has(name) && lines.length === 1 && duePattern.test(lines[0]!.text.slice(0, start)))
    return true;
  const isMade = name === 'due_date' || issued.has(name);
  if (kind === 'date' && isMade && lines.length === 1 && endsRange(layout, lines[0]!, start)) return true;
  if (kind === 'date' && lines.length === 1 && upcoming.test(lines[0]!.text.slice(0, start))) return true;
  if (kind === 'date' && lines.length === 1 && compared.test(lines[0]!.text.slice(0, start))) return true;
  const isDayOfWork = issued.has(name) || name.startsWith('service_');
  if (kind === 'date' && isDayOfWork && lines.length === 1 && agreedOn.test(lines[0]!.text.slice(0, start)))
    return true;
  if (kind === 'date' && lines.length === 1 && isOfLife(layout, lines[0]!, start)) return !ownOfLife.has(name);
  if (kind === 'date' && issued.has(name) && lines.length === 1 && isOfReading(layout, lines[0]!, start)) return true;
  if (kind === 'date' && firstDays.has(name) && lines.length === 1 && isPeriodEnd(lines[0]!.text.slice(0, start)))
    return true;
  if (kind === 'date' && issued.has(name) && lines.length === 1 && isOfArrival(layout, lines[0]!, start)) return true;
  if (kind === 'date' && name === 'end_date') return !lines.some(({ text }) => endPattern.test(text));
  if (
    kind === 'date' &&
    name.startsWith('period_') &&
    lines.length === 1 &&
    paidOn.test(lines[0]!.text.slice(0, start))
  )
    return true;
  return kind === 'date' && name.startsWith('service_') && lines.some(({ text }) => paymentPattern.test(text));
}

/** What stands between the days of a period, behind the first one. */
const rangeMark = /\d{1,2}[./-]\d{1,2}[./-]\d{2,4} ?(?:[-–—]|bis(?: zum)?|to|until|through|au|al|hasta|t\/m|tot) ?$/iu;

/** Whether a day is the last one of a period, whose first stands before it or at the end of the line above. */
function endsRange(layout: Layout, line: TextLine, start: number): boolean {
  if (rangeMark.test(line.text.slice(0, start))) return true;
  return start === 0 && rangeMark.test(neighboursOf(layout, line).above?.text ?? '');
}

/** First days of what a document is about. */
const firstDays: ReadonlySet<string> = new Set(['period_start_date', 'statement_start_date']);

/** Captions of days on which a meter was read. */
const ofReading =
  /^(?:previous|prior|last|current|present|next|start|end) (?:read(?:ing)?(?: date)?|date|meter read\p{L}*)$/iu;

/** Whether a day is one of a meter's readings, by the heading of its column. */
function isOfReading(layout: Layout, line: TextLine, start: number): boolean {
  const above = start < 3 ? neighboursOf(layout, line).above : null;
  return above !== null && ofReading.test(above.text.trim());
}

/** Whether a day is of somebody's life by the caption before it, or above it in a box. */
function isOfLife(layout: Layout, line: TextLine, start: number): boolean {
  if (ofLife.test(line.text.slice(0, start))) return true;
  if (start >= 3) return false;
  const { above, left } = neighboursOf(layout, line);
  return [above, left].some((other) => other !== null && ofLife.test(other.text));
}

/** Whether a day is one of an arrival, by what stands before, left of or above it. */
function isOfArrival(layout: Layout, line: TextLine, start: number): boolean {
  if (ofArrival.test(line.text.slice(0, start))) return true;
  if (start >= 3) return false;
  const { above, left } = neighboursOf(layout, line);
  return left ? ofArrival.test(left.text) : above !== null && ofArrival.test(above.text);
}

/** Kinds of texts that a caption may be taken for. */
const textual: ReadonlySet<FieldDefinition['kind']> = new Set(['name', 'organization', 'address', 'text']);

/** A day with its year, which no address has. */
/** A day with its month and year, which is no document's number. */
const dayAlone = /^(?:0?[1-9]|[12]\d|3[01])([/.])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)\d{2}$/;

const wholeDate =
  /(?<![\p{L}\d])\d{1,2}(?:st|nd|rd|th|\.)? (?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\p{L}*\.? (?:19|20)\d{2}(?!\d)|(?<!\d)\d{1,2}\/\d{1,2}\/(?:19|20)\d{2}(?!\d)/iu;

/** Below this an address has to look like one. */
const doubtfulAddress = 75;

/** Captions of what a document is about and of other people's work, behind which neither party's name stands. */
const ofSomethingElse =
  /(?<!\p{L})(?:komplement[aä]r(?:in)?|pers[oö]nlich haftender? gesellschafter(?:in)?|general partner|contrat|vertrag|contract|project|projekt|projet|proyecto|group(?: name)?|offre|tarif|tariff|product|produkt|producto|subject|subj|betreff|objet|asunto|oggetto|sales ?person|rep|department|abteilung|service type|filing status|marital status|status|familienstand|job title|occupation|emploi|position|beruf)\s*:\s*$/iu;

/** Identifiers that always have a digit, unlike the number of a group or an order that was made by word of mouth. */
const numbered = /^(?!group_|order_|purchase_).*(?:_number|_id)$/;
const institutions: ReadonlySet<string> = new Set(['bank_name', 'provider_name', 'insurer_name', 'facility_name']);
const people: ReadonlySet<string> = new Set(['employee_name', 'patient_name']);
/** Texts that are names, which a date or a number is not. */
const named = /_name$|^vessel$|^port_/;

const freePhone = /^(?:\+?1[- .])?\(?8(?:00|33|44|55|66|77|88)\)?[- .]\d{3}[- .]\d{4}$/;
const phone = /^(?:\+?1[- .])?\(?\d{3}\)?[- .]\d{3}[- .]\d{4}$/;
const phoneWord = /(?<!\p{L})(?:tel|telephone|phone|call|fax|mobile|cell|tty|toll[- ]free)(?!\p{L})/iu;

/**
 * A caption, the heading of a column or a document's title is no field's value, nor a request to the reader a name, a
 * telephone number the number of an account, or a word of a sentence somebody.
 */
function isNoValue(
  field: FieldDefinition,
  { text, value, lines, start, layout }: PlacedCandidate,
  confidence: number,
): boolean {
  const { kind } = field;
  if (likenessToExamples(field, value, text) === 'same') return false;
  if (kind === 'identifier') {
    const number = String(value).trim();
    if (field.name === 'account_number' && /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(number.replaceAll(' ', '')))
      return true;
    // A number that the state gave is no employer's.
    if (
      field.name === 'employee_id' &&
      /^(?:[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]|[\dX*]{3}-[\dX*]{2}-\d{4}|\d{7}[A-W][A-IW]?|[A-Z]{5}\d{4}[A-Z]|(?:\d|[XYZ])\d{7}[A-Z])$/i.test(
        number,
      )
    )
      return true;
    // An Indian tax number is no reference of a payment.
    if (field.name === 'payment_reference' && /^\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]$/.test(number)) return true;
    if (field.name === 'card_last4' && number.replace(/\D/g, '').length !== 4) return true;
    if (/^(?:rx ?)?(?:bin|pcn|grp)\b/i.test(number)) return true;
    // A container's number, by ISO 6346.
    if ((field.name === 'bl_number' || field.name === 'voyage') && /^[A-Z]{3}[UJZ] ?\d{6}[ -]?\d$/.test(number))
      return true;
    // Behind `DD` American cards have the document's discriminator.
    if (
      field.name === 'document_number' &&
      lines.length === 1 &&
      /(?:^|\s)5?\s*DD[\s:#]*$/.test(lines[0]!.text.slice(0, start))
    )
      return true;
    if (numbered.test(field.name) && (!/\d/.test(number) || dayAlone.test(number))) return true;
    // A caption with its day is no number: `DATE 05/30/2025`.
    if (captionedDay.test(number)) return true;
    // The caption of another number is a part of none: `BIC HELADEF1XXX`, `P.IVA 02441180371`.
    if (/^(?:bic|swift|iban|blz|p\.? ?iva|vat|ust|siret|tva|abn|nif|cif)(?![\p{L}])/iu.test(number)) return true;
    return freePhone.test(number) || (phone.test(number) && lines.some(({ text }) => phoneWord.test(text)));
  }
  // The number that a German tax office gave is that of who writes.
  if (field.name === 'customer_tax_id' && lines.length === 1)
    return /steuer-?n(?:r|ummer)\.?[\s:]*$/iu.test(lines[0]!.text.slice(0, start));
  if (field.name === 'tax_rate' && lines.length === 1) return reductionPattern.test(lines[0]!.text);
  if (field.name === 'payment_method' && paymentState.test(String(value))) return true;
  if (field.name === 'consumption' && lines.length === 1) return isOtherUsage(layout, lines[0]!, start);
  // What is charged on late payments is no tax.
  if (field.name === 'tax_rate' && lines.length === 1) return lateCharge.test(lines[0]!.text);
  if (!textual.has(kind) || typeof value !== 'string') return false;
  if (kind === 'address') {
    return (
      /^["“]|(?<!\p{L})\p{L}{3,}-nr(?!\p{L})/iu.test(value) ||
      wholeDate.test(value) ||
      (confidence < doubtfulAddress && !isAddressLike(value)) ||
      (field.name === 'service_address' &&
        /^(?:p\.? ?o\.? box|postfach|bo[iî]te postale|bp \d|apartado|casella postale)\b/i.test(value)) ||
      value.split(', ').some((part) => isHeading(part) || (field.name === 'service_address' && isFormPhrase(part)))
    );
  }
  // What ends with the sign of a number is the caption of one: `EMP #`.
  if (named.test(field.name) && /[#№]\s*$/u.test(value)) return true;
  // No bank, provider or insurer is a person.
  if (
    institutions.has(field.name) &&
    hasGivenName(titleCased(value)) &&
    isPersonName(titleCased(value)) &&
    isOrganizationName(value) === null
  )
    return true;
  // No employee and no patient is an organization.
  if (people.has(field.name) && isOrganizationName(value) !== null) return true;
  if (isHeading(value) || (named.test(field.name) && !/\p{L}{2}/u.test(value))) return true;
  // A title with the beginning of its number is nobody: `AVOIR AV`, of `AVOIR AV-2025-017`.
  const [line] = lines;
  if (
    named.test(field.name) &&
    lines.length === 1 &&
    start === 0 &&
    /\d/.test(line!.text.slice(value.length)) &&
    isHeading(value.split(' ')[0]!)
  )
    return true;
  // The rest of a caption is no name: `Coverage starts`.
  if (named.test(field.name) && lines.length === 1 && start > 0 && /^\p{Ll}/u.test(value)) return true;
  if (field.name.endsWith('_unit')) return !isMeasure(value);
  if (field.name === 'payment_terms' && !/\d/.test(value) && (isFormPhrase(value) || termOfDelivery.test(value)))
    return true;
  if (kind === 'text') return false;
  if (isFormPhrase(value) || /^(?:name\s|\d{1,2}[.)] )/i.test(value)) return true;
  const [caption = ''] = /^[^:\d]{2,30}:(?= )/.exec(value) ?? [];
  const called = labelOf(caption);
  const isOfOther =
    called.includes(' ') && isFormPhrase(called) && !field.captions.some((own) => labelOf(own) === called);
  if (isOfOther || (field.name === 'facility_name' && /^(?:dr|prof)\b/i.test(value) && isPersonName(value)))
    return true;
  if (lines.length === 1 && ofSomethingElse.test(`${lines[0]!.text.slice(0, start)}${caption}`)) return true;
  const isWithin = lines.length === 1 && lines[0]!.text.trim().length > value.length + 3;
  return isSentence(value) || (isWithin && /\p{Ll}/u.test(value) && !/\p{Lu}/u.test(value));
}

/** Who pays for the carriage and from where on, by the Incoterms or in words. */
const termOfDelivery =
  /^(?:exw|fca|fas|fob|cfr|cif|cpt|cip|dap|dpu|ddp|frei (?:haus|baustelle|werk|bordsteinkante)|frachtfrei|unfrei|ab (?:werk|lager)|ex works|carriage paid|franco(?: domicile)?|départ usine|porto (?:franco|assegnato)|portes? (?:pagad|debid)\p{L}*)(?!\p{L})/iu;

const lateCharge =
  /(?<!\p{L})(?:late|overdue|past due|finance charge|per month|monthly (?:charge|interest|fee)|interest|verzug\p{L}*|mahn\p{L}*|pénalités|retard|intérêts?|intereses|demora|mora|interessi)(?!\p{L})/iu;

/** Between the parts of a sender's line: `Example GmbH · Marktweg 3 · 04109 Leipzig`. */
const senderMark = /\s+[·•∙|]\s+/u;

/** A name without the caption before it (`Ordering: R. Avery`) and the street behind it on its line. */
function nameAlone({ kind }: FieldDefinition, candidate: PlacedCandidate): PlacedCandidate {
  if (kind === 'address') return addressAlone(candidate);
  if (kind === 'identifier') return numberAlone(candidate);
  if (candidate.lines.length > 1) return withoutTitleAbove(candidate);
  if ((kind !== 'name' && kind !== 'organization') || typeof candidate.value !== 'string') return candidate;
  const isOneLine = candidate.lines.length === 1;
  const [first = '', ...behind] = candidate.value.split(senderMark);
  if (
    isOneLine &&
    first.length > 2 &&
    behind.length > 0 &&
    behind.every((part) => isStreetLine(part) || hasPlace(part))
  )
    return { ...candidate, value: first, words: candidate.words.slice(0, first.split(' ').length) };
  const comma = isOneLine ? candidate.value.indexOf(', ') + 2 : -1;
  const isBeforeStreet = comma > 2 && isStreetLine(candidate.value.slice(comma));
  const company = isBeforeStreet ? comma : kind === 'organization' && isOneLine ? companyEndOf(candidate.value) : -1;
  if (company > 0 && isStreetLine(candidate.value.slice(company))) {
    const value = candidate.value.slice(0, company).replace(/[\s,;]+$/, '');
    return { ...candidate, value, words: candidate.words.slice(0, value.split(' ').length) };
  }
  const [caption] = /^[^:\d]{2,30}:\s+(?=\p{Lu})/u.exec(candidate.value) ?? [];
  const colon = candidate.words.findIndex(({ text }) => text.endsWith(':'));
  if (!caption || colon < 0 || colon + 1 >= candidate.words.length) return candidate;
  return { ...candidate, value: candidate.value.slice(caption.length), words: candidate.words.slice(colon + 1) };
}

/** The abbreviation of `number` before one. */
const numberMark = /^(?:(?:n[.°º]|n\.[°º]|no\.|nr\.|num\.)\s+(?=\S*\d)|(?:no|nr)\.(?=[A-Z]{0,3}-?\d))/iu;

/** A number without the abbreviation that its caption ends with: `N. 0001188`. */
function numberAlone(candidate: PlacedCandidate): PlacedCandidate {
  const mark = typeof candidate.value === 'string' ? (numberMark.exec(candidate.value)?.[0] ?? '') : '';
  const isApart = /\s$/.test(mark);
  if (mark === '' || (isApart && candidate.words.length < 2)) return candidate;
  return {
    ...candidate,
    value: String(candidate.value).slice(mark.length),
    words: isApart ? candidate.words.slice(1) : candidate.words,
  };
}

/** What is set that much larger than the line below it is a name, and that line says what its owner does. */
const logoShare = 1.35;

/** Whether the first of a name's lines is a logo and the second no part of the company's name. */
function isLogoAbove({ lines: [first, second, third] }: PlacedCandidate): boolean {
  if (!first || !second || third || second.box.y0 < first.box.y1 - 1) return false;
  return (
    letterHeight(first) > logoShare * letterHeight(second) && isOrganizationName(`X ${second.text}`) !== 'legal_form'
  );
}

/** A name without the document's title on the line above it: `RECEIPT` above a garage's name. */
function withoutTitleAbove(candidate: PlacedCandidate): PlacedCandidate {
  const [title, ...rest] = candidate.text.split('\n');
  const { kind, value, words } = candidate;
  const isName = (kind === 'name' || kind === 'organization') && typeof value === 'string';
  if (!isName || !title || rest.length === 0 || candidate.start > 0) return candidate;
  if (isLogoAbove(candidate))
    return { ...candidate, value: title.trim(), words: words.slice(0, title.trim().split(/\s+/).length) };
  if (!isHeading(title)) return candidate;
  return { ...candidate, value: rest.join(' '), words: words.slice(title.trim().split(/\s+/).length) };
}

const numberInAddress =
  /^(?:c\.?i\.?f|n\.?i\.?f|n\.?i\.?e|uid|ust|vat|tax|gst|hst|abn|siret|siren|tva|p\.? ?iva|steuer|reg|\p{L}*nummer|account|customer|compte|client|tel|phone|fax|e-?mail|rechnung|invoice|receipt|facture|factura|date|datum)(?!\p{L})[^,]*\d/iu;

const ownerInAddress = /^(?:inh|inhaber(?:in)?|owner|prop|proprietor|attn|attention|c\/o)[.:]? \p{Lu}/iu;
const titleInAddress =
  /(?<!\p{L})(?:pay ?slips?|salary slip|for the month|statement (?:of|for)|tax invoice)(?!\p{L})/iu;
const sinceInAddress =
  /^(?:since|seit|depuis|desde|dal|sinds|est\.?|established|gegr\.?|fondée? en) (?:1[6-9]|20)\d{2}(?!\d)/iu;
const phoneInAddress = /(?<!\d)\(?\d{3}\)?[- .]\d{3}[- .]\d{4}(?!\d)/;

/** Between the parts of an address, which a sender's line has marks for. */
const partMark = /, |\s+[·•∙|]\s+/u;

/** An address without the numbers of its party that stand above or below it. */
function addressAlone(candidate: PlacedCandidate): PlacedCandidate {
  if (typeof candidate.value !== 'string') return candidate;
  const parts = candidate.value.split(partMark);
  const isForeign = (text: string) =>
    numberInAddress.test(text) ||
    phoneInAddress.test(text) ||
    sinceInAddress.test(text) ||
    ownerInAddress.test(text) ||
    titleInAddress.test(text);
  const own = parts.filter((part) => !isForeign(part));
  if (own.length === 0) return candidate;
  if (own.length === parts.length) return { ...candidate, value: own.join(', ') };
  const foreign = candidate.lines.filter(({ text }) => isForeign(text.trim()));
  const words = candidate.words.filter((word) => !foreign.some((line) => line.words.includes(word)));
  return words.length === 0 ? candidate : { ...candidate, value: own.join(', '), words };
}

function isNameAndAddress(name: FieldDefinition['kind'], address: FieldDefinition['kind']): boolean {
  return (name === 'organization' || name === 'name') && address === 'address';
}

function clashes(
  field: FieldDefinition,
  candidate: PlacedCandidate,
  other: { readonly field: FieldDefinition; readonly candidate: PlacedCandidate },
): boolean {
  const isNameInAddress =
    isNameAndAddress(field.kind, other.field.kind) || isNameAndAddress(other.field.kind, field.kind);
  if (candidate.page !== other.candidate.page || !(field.kind === other.field.kind || isNameInAddress)) return false;
  if (sharing.some((pair) => pair.includes(field.name) && pair.includes(other.field.name))) return false;
  return candidate.words.some((word) => other.candidate.words.includes(word));
}

function checked(
  field: FieldDefinition,
  value: ScoredValue,
  findings: Findings,
  { proven, failing, settled }: MoneyChoice,
): ExtractedValue {
  const { candidate } = value;
  const flags: ValueFlag[] = [];
  let { confidence } = value;
  const raise = (flag: ValueFlag) => {
    flags.push(flag);
    // What a proof leaves open is whether the value belongs to this field, which the scorer's probability says.
    confidence = Math.max(confidence, Math.min(provenConfidence + confidence / 12, 50 + confidence / 2));
  };
  const lower = (flag: ValueFlag, most: number) => {
    flags.push(flag);
    confidence = Math.min(confidence, most);
  };
  if (proven.has(field.name)) raise('arithmetic_holds');
  if (settled.has(field.name)) confidence = Math.max(confidence, settledConfidence);
  if (failing.has(field.name)) lower('arithmetic_fails', doubtedConfidence);
  if (field.kind === 'iban') candidate.quality >= 0.8 ? raise('check_digit_holds') : lower('check_digit_fails', 40);
  if (field.kind === 'iban' && candidate.quality === 0.8) flags.push('corrected');
  // That a tax number is valid does not tell whose it is.
  if (field.kind === 'tax_id' && typeof candidate.value === 'string' && isValidVat(candidate.value)) {
    flags.push('check_digit_holds');
  }
  if (field.kind === 'date' && candidate.ambiguous && !isOrderKnown(findings.locale))
    lower('ambiguous_date', ambiguousConfidence);
  if (wasReadAgain(findings.layout, candidate)) {
    const layouts = new Set(value.candidates.map((each) => each.layout)).size;
    flags.push(layouts > 1 ? 'readings_agree' : 'readings_differ');
  }
  // A proof or a second reading says more of the characters than their reader does.
  if (!flags.some((flag) => flag === 'readings_agree' || flag.endsWith('_holds') || flag === 'corrected')) {
    confidence = Math.min(confidence, confidenceOfCharacters(candidate));
  }
  return {
    value: candidate.value,
    confidence: Math.round(confidence * 10) / 10,
    provenance: provenanceOf(candidate),
    flags,
  };
}

/** Whether a second pass saw words where a value stands: passes leave out what the first one read with certainty. */
function wasReadAgain(layout: Layout, { page, box }: PlacedCandidate): boolean {
  const readings = layout.document.pages.find(({ number }) => number === page)?.readings ?? [];
  const seeing = readings.filter(({ words }) =>
    words.some((word) => word.box.x0 < box.x1 && word.box.x1 > box.x0 && word.box.y0 < box.y1 && word.box.y1 > box.y0),
  );
  return seeing.length > 1;
}

/**
 * How often words with digits were read right, of 100, by the probability of their least sure character; measured on
 * receipts. A language gives a misread letter away, and another digit is as likely as the right one.
 */
const rightByLeastCharacter: readonly (readonly [below: number, confidence: number])[] = [
  [0.7, 62],
  [0.9, 80],
  [0.95, 92],
];

function confidenceOfCharacters({ words }: PlacedCandidate): number {
  const least = Math.min(
    ...words.filter(({ text }) => /\d/.test(text)).map(({ leastConfidence }) => leastConfidence ?? 1),
  );
  return rightByLeastCharacter.find(([below]) => least < below)?.[1] ?? 100;
}

/** Whether the document says in which country, or in which language other than English, its dates are written. */
function isOrderKnown({ country, language }: Locale): boolean {
  return country !== null || language !== 'en';
}

const rowTotals = ['amount'];

/** The sum of the rows' amounts; null where there are no rows, or one has none. */
export function sumOfRows(rows: readonly ExtractedRow[]): number | null {
  const amounts = rows.flatMap((row) =>
    rowTotals.flatMap((column) => (typeof row[column]?.value === 'number' ? [row[column].value] : [])),
  );
  return amounts.length > 0 && amounts.length === rows.length
    ? Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 100) / 100
    : null;
}

/** Pairs of dates of which the first is not after the second. */
export const dateOrder: readonly (readonly [earlier: string, later: string])[] = [
  ['invoice_date', 'due_date'],
  ['credit_note_date', 'due_date'],
  ['service_start_date', 'service_end_date'],
  ['statement_start_date', 'statement_end_date'],
  ['period_start_date', 'period_end_date'],
  ['period_start_date', 'pay_date'],
  ['order_date', 'delivery_date'],
  ['quote_date', 'valid_until'],
  ['issue_date', 'expiry_date'],
  ['date_of_birth', 'issue_date'],
  ['date_of_birth', 'report_date'],
  ['effective_date', 'end_date'],
];

function checkDates(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const result = { ...fields };
  const lower = (name: string) => {
    const value = result[name];
    if (value) result[name] = { ...value, confidence: Math.min(value.confidence, doubtedConfidence) };
  };
  for (const [earlier, later] of dateOrder) {
    const first = result[earlier];
    const second = result[later];
    if (first && second && String(first.value) > String(second.value)) for (const name of [earlier, later]) lower(name);
  }
  for (const [name, { value }] of Object.entries(result)) {
    if (
      typeof value === 'string' &&
      /^\d{4}-\d{2}-\d{2}$/.test(value) &&
      name !== 'date_of_birth' &&
      (value < '1980' || value > '2060')
    )
      lower(name);
  }
  return result;
}

/** What rounding may make of a tax: a hundredth for each of some rates or items. */
const taxRoundingAmount = 0.06;

/** Whether the total has the tax in it by the rate, in percent. */
export function taxRateHolds(rate: number, tax: number, total: number): boolean {
  // All that is taxed at one rate is the total less the tax, whatever discounts and charges are in it.
  return Math.abs((total - tax) * (rate / 100) - tax) <= taxRoundingAmount;
}

/** Doubts a rate by which the total does not have the tax in it: it is one of several rates, or that of a discount. */
function checkTaxRate(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const numberOf = (name: string) => (typeof fields[name]?.value === 'number' ? fields[name].value : null);
  const [rate, tax, total] = [numberOf('tax_rate'), numberOf('tax_amount'), numberOf('total_amount')];
  if (rate === null || tax === null || total === null || fields.tax_rate === undefined) return { ...fields };
  if (taxRateHolds(rate, tax, total)) return { ...fields };
  const { confidence, flags } = fields.tax_rate;
  const doubted: ExtractedValue = {
    ...fields.tax_rate,
    confidence: Math.min(confidence, doubtedConfidence),
    flags: [...flags, 'arithmetic_fails'],
  };
  return { ...fields, tax_rate: doubted };
}

/** What the document's locale decided, by the fields of these kinds. */
function decidedFields(findings: Findings): Record<string, ExtractedValue> {
  const decided = valuesOfLocale(findings);
  return Object.fromEntries(
    findings.type.fields.flatMap(({ kind, name, repeated }) => {
      const value = repeated || (kind !== 'currency' && kind !== 'language') ? undefined : decided[kind];
      return value ? [[name, value]] : [];
    }),
  );
}

/** `currency` and `language`, where they are known. */
function valuesOfLocale({
  layout,
  locale,
  candidates,
}: Findings): Partial<Record<'currency' | 'language', ExtractedValue>> {
  const fields: Partial<Record<'currency' | 'language', ExtractedValue>> = {};
  if (locale.currency !== null) {
    const mentions = candidates.filter(({ kind }) => kind === 'currency');
    const exact =
      mentions.find(({ value }) => value === locale.currency) ??
      mentions.find(({ text }) => /^(?:\$|kr\.?)$/i.test(text.trim()));
    const clear = findCurrencies(exact?.text ?? '').some(({ quality }) => quality >= 0.9);
    fields.currency = {
      value: locale.currency,
      confidence: exact ? (clear ? 95 : 80) : 70,
      provenance: exact ? provenanceOf(exact) : [],
      flags: [],
    };
  }
  const [best, second] = languageScores(layout.lines.slice(0, 600).map(({ text }) => text));
  if (best) {
    const clear = best[0] === locale.language && best[1] >= 4 && best[1] >= 2 * (second?.[1] ?? 0);
    fields.language = { value: locale.language, confidence: clear ? 95 : 70, provenance: [], flags: [] };
  }
  return fields;
}

/** Rows as one field's value, for the types whose rows are no `lines`. */
export function itemsOf(rows: readonly ExtractedRow[]): ExtractedValue {
  const cells = rows.flatMap((row) => Object.values(row));
  return {
    value: rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, { value }]): [string, JsonValue] => [column, value])),
    ),
    confidence: Math.min(...cells.map(({ confidence }) => confidence)),
    provenance: cells.flatMap(({ provenance }) => provenance),
    flags: [...new Set(cells.flatMap(({ flags }) => flags))],
  };
}

/** The stretch of each line that a candidate takes. */
export function provenanceOf(candidate: Pick<Candidate, 'page' | 'words'>): Provenance[] {
  const lines: { words: Word[]; box: Box }[] = [];
  for (const word of candidate.words) {
    const last = lines.at(-1);
    const middle = (word.box.y0 + word.box.y1) / 2;
    if (last && middle > last.box.y0 && middle < last.box.y1) {
      last.words.push(word);
      last.box = boxAround([last, word]);
    } else lines.push({ words: [word], box: word.box });
  }
  return lines.map(({ words, box }) => ({
    page: candidate.page,
    box,
    text: words.map((word) => word.text).join(' '),
    source: words[0]!.source,
  }));
}

function sourcesOf(layout: Layout): readonly WordSource[] {
  return [
    ...new Set(
      layout.document.pages.flatMap((page) => [
        ...page.readings.map((reading) => reading.source),
        ...page.words.map((word) => word.source),
      ]),
    ),
  ];
}

function isDoubtful(
  type: DocumentType,
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
  failing: ReadonlySet<string>,
): boolean {
  if (!sourcesOf(layout).some((source) => source.startsWith('ocr:'))) return false;
  if (failing.size > 0) return true;
  return (type.required ?? []).some((name) => (fields[name]?.confidence ?? 0) < sureConfidence);
}
