import { isDeepStrictEqual } from 'node:util';
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
  ValueFlag,
  Word,
  WordSource,
} from '@millrace/document-model';
import { findCurrencies } from '../candidates/currency.ts';
import { parseDate } from '../candidates/date.ts';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { isValidVat } from '../candidates/tax-id.ts';
import { dateAtTitle, numberAtTitle } from '../classify/headline.ts';
import { valuesAtCaptions } from '../compose/at-caption.ts';
import { withoutLegalForm } from '../compose/names.ts';
import { pairedValues } from '../compose/paired-captions.ts';
import { composedValue } from '../compose/value.ts';
import { isCardSized } from '../layout/card.ts';
import { boxAround } from '../layout/geometry.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import { languageScores } from '../locale/language.ts';
import { hasFormOfAddress } from '../parties/blocks.ts';
import { withWholeCouples } from '../parties/couples.ts';
import { withOwnDetails } from '../parties/details.ts';
import {
  deliveryAddressInLine,
  deliveryAddressOf,
  type PartyValue,
  partyValuesOf,
  withAddressesOfNames,
} from '../parties/parties.ts';
import { withWholeNames } from '../parties/whole-names.ts';
import { comparable } from '../score/comparable.ts';
import type { ScoredField, ScoredValue } from '../score/score.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';
import { rulesOf } from '../types/rules.ts';
import { withoutBlurredAddresses, withoutNames, withWholeAddresses } from './addresses.ts';
import { isBetter } from './better-party.ts';
import { groupOf } from './calibration.ts';
import { withNamesAtCaptions } from './captioned-names.ts';
import { provenByCaptions } from './captions.ts';
import { withoutGreetings } from './greetings.ts';
import { chooseMoney, type MoneyChoice } from './money.ts';
import { isNoValue } from './no-value.ts';
import { isDateOfAnother } from './other-dates.ts';
import { withRepairedLetters } from './repaired.ts';
import { isPartOf, isSameText, isWithinText, letters } from './same-text.ts';
import { chargePattern, findTaxBreakdown, isTax } from './tax-breakdown.ts';
import { valueAlone, withoutOwnCaption } from './value-alone.ts';

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
 * confidence by what can be checked; leaves out what is likelier absent. Every value stands somewhere in the document,
 * or is the sum of a receipt's taxes that do.
 *
 * @returns the extraction, and whether another OCR pass over its pages could better it.
 */
export function validate(findings: Findings): { extraction: Extraction; doubtful: boolean } {
  const { type, layout, locale, classification, scored, composed, rows, only } = findings;
  const isTaxed = ['tax_amount', 'total_amount'].every((needed) => type.fields.some(({ name }) => name === needed));
  const breakdown = isTaxed ? findTaxBreakdown(findings.candidates, rows) : null;
  const money = chooseMoney(withoutOtherSums(scored), sumOfRows(rows), breakdown, type.isRounded);
  const fields: Record<string, ExtractedValue> = {};
  for (const [field, value] of assign(scored, money.values, type)) {
    fields[field.name] = checked(field, value, findings, money);
  }
  const names = type.fields.flatMap(({ name, kind }) => (sole.has(kind) || kind === 'name' ? [name] : []));
  const dates = type.fields.flatMap(({ name, kind }) => (kind === 'date' ? [name] : []));
  let checkedFields: Record<string, ExtractedValue> = {
    ...checkTaxRate(checkDates(fields), scored),
    ...decidedFields(findings),
  };
  for (const [name, value] of Object.entries(composed)) {
    // Of a month that gives a period one end, the other is its other end: `Kontoauszug Mai 2025`.
    const isOtherEnd =
      dates.includes(name) &&
      dates.some(
        (other) => other !== name && checkedFields[other] === composed[other] && isOneText(composed[other], value),
      );
    if (!isOtherEnd && value.confidence < (checkedFields[name]?.confidence ?? 0)) continue;
    checkedFields[name] = value;
    // A name that is this field's is not another one's.
    const twin = names.find((other) => other !== name && isSameText(checkedFields[other], value));
    if (twin && names.includes(name) && !composed[twin]) delete checkedFields[twin];
    // A day within a printed period, or one by which to pay, is none of the document's other days.
    for (const other of dates) {
      // Whom a letter is about stands before their day of birth.
      const isOwn = other === 'due_date' || other === 'date_of_birth' || composed[other];
      if (!isOwn && isWithinText(checkedFields[other], value)) delete checkedFields[other];
    }
  }
  const parties = partyValuesOf(type, layout);
  for (const [name, party] of Object.entries(parties)) {
    // One name is not both sides' own.
    const { sender, recipient } = type.letter ?? {};
    const opposite = name === sender?.name ? recipient?.name : name === recipient?.name ? sender?.name : undefined;
    const isBoth = opposite !== undefined && isSameParty(checkedFields[name], checkedFields[opposite]);
    const answered = isBoth && party.value !== null ? undefined : checkedFields[name];
    if (party.value === null) {
      if (answered && isPartOf(party.other, answered.value)) delete checkedFields[name];
    } else if (!answered || isBetter({ ...party, value: party.value }, answered)) checkedFields[name] = party.value;
  }
  checkedFields = withNamesAtCaptions(type, layout, withoutSendersTwice(type, parties, checkedFields));
  if (type.fields.some(({ name }) => name === 'shipping_address')) {
    const delivered = deliveryAddressOf(layout);
    if (delivered && !letters(checkedFields.shipping_address?.value ?? '').startsWith(letters(delivered.value)))
      checkedFields.shipping_address = delivered;
    const inLine = checkedFields.shipping_address ? null : deliveryAddressInLine(layout);
    if (inLine) checkedFields.shipping_address = inLine;
  }
  const { candidates, removed } = findings;
  checkedFields = withOwnDetails(type, layout, candidates, withAddressesOfNames(type, layout, checkedFields));
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
    const date = dated && parseDate(dated.line.text.slice(dated.start, dated.end), locale);
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
  checkedFields = withoutProductCodes(checkedFields, rows);
  checkedFields = rulesOf(type).check?.(checkedFields, rows, findings) ?? checkedFields;
  const organizations = type.fields.flatMap(({ name, kind }) => (kind === 'organization' ? [name] : []));
  checkedFields = withRepairedLetters(
    type,
    withWholeAddresses(
      type,
      withoutNames(
        type,
        withoutGreetings(type, withWholeCouples(withWholeNames(checkedFields, organizations, layout), layout)),
      ),
      layout,
    ),
  );
  checkedFields = withoutBlurredAddresses(type, checkedFields, layout);
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

/** Fields without the recipient's name and address that are the sender's as well: its block has them, or the same words are both. Who has a form of address is written to. */
function withoutSendersTwice(
  { letter }: DocumentType,
  parties: Readonly<Record<string, PartyValue>>,
  fields: Readonly<Record<string, ExtractedValue>>,
): Record<string, ExtractedValue> {
  const own = { ...fields };
  for (const part of ['name', 'address'] as const) {
    const [sender = '', recipient = ''] = [letter?.sender[part], letter?.recipient[part]];
    const [stated, answered] = [letters(own[sender]?.value ?? ''), letters(own[recipient]?.value ?? '')];
    const block = letters(parties[sender]?.value?.value ?? '');
    // An address may have its country behind it.
    const isSenders = block !== '' && answered === block && stated.startsWith(block);
    const isOneOnly =
      own[recipient] !== undefined &&
      (isOneText(own[sender], own[recipient]) || (part === 'name' && isSameParty(own[sender], own[recipient])));
    if (isOneOnly && hasFormOfAddress(String(own[recipient]!.value))) delete own[sender];
    else if (isOneOnly || (isSenders && !parties[recipient]?.value)) delete own[recipient];
  }
  return own;
}

/** Whether two names are one party's, the one without the legal form that the other has. */
function isSameParty(a: ExtractedValue | undefined, b: ExtractedValue | undefined): boolean {
  if (!a || !b) return false;
  const [left, right] = [a, b].map(({ value }) => letters(withoutLegalForm(String(value))));
  return left !== '' && left === right;
}

/** Fields without numbers of documents that are those of line items. */
function withoutProductCodes(
  fields: Readonly<Record<string, ExtractedValue>>,
  rows: readonly ExtractedRow[],
): Record<string, ExtractedValue> {
  const codes = new Set(rows.flatMap(({ product_code }) => (product_code ? [letters(product_code.value)] : [])));
  return Object.fromEntries(
    Object.entries(fields).filter(([name, { value }]) => !(name.endsWith('_number') && codes.has(letters(value)))),
  );
}

/** What names a sum before tax, which is no tax: `Total net value excl. tax`. */
const untaxed =
  /(?<!\p{L})(?:vat|gst|tax)[ -](?:exempt|free)(?!\p{L})|(?<!\p{L})(?:excl(?:uding|usive|\.|u[ií]do)?|before|without|net of|ohne|exkl\.?|hors|sans|sin|senza|al netto|zonder|sem|bez)(?: of)?(?: (?:sales|die|any|de|la|l))?['’ ]? ?(?:tax(?:es?)?|vat|gst|mwst|ust|umsatzsteuer|mehrwertsteuer|tva|taxes?|iva|impuestos|btw)(?!\p{L})/iu;

/** What was owed before a document was made, and is no part of what it charges. */
const ofBefore =
  /(?<!\p{L})(?:previous|prior|opening|past) (?:balance|amount|statement)|balance (?:brought )?forward|saldovortrag|solde (?:antérieur|précédent)|saldo (?:anterior|precedente)|vorig saldo/iu;

/** What a shop's customer saved, which it sums up as well: `TOTAL SAVINGS`. */
const ofSavings =
  /(?<!\p{L})(?:(?:total|annual|card|member|instant|your) (?:\p{L}+ )?savings?|you(?:['’]ve)? saved|sie sparen|gespart|ersparnis|votre économie|ahorro total|ha ahorrado|poupança|hai risparmiato|risparmio|uw voordeel|totale? korting)(?!\p{L})/iu;

/** Whether an amount stands in a row that is named so, on its line or left of it. */
function isNamed({ candidate: { lines, layout } }: ScoredValue, test: (text: string) => boolean): boolean {
  const [line] = lines;
  const left = line && neighboursOf(layout, line).left;
  return Boolean(line && (test(line.text) || (left && test(left.text))));
}

/**
 * The fields' values, of the tax without those whose row names a sum before tax or another charge, of what is due without
 * what was due before.
 */
function withoutOtherSums(scored: readonly ScoredField[]): readonly ScoredField[] {
  const isNoTax = (text: string) => untaxed.test(text) || chargePattern.test(text);
  const without = (entry: ScoredField, isOther: (value: ScoredValue) => boolean) => ({
    ...entry,
    ranked: entry.ranked.filter((value) => !isOther(value)),
  });
  return scored.map((entry) => {
    if (entry.field.name === 'tax_amount')
      return without(entry, (value) => value.candidate.value !== 0 && isNamed(value, isNoTax));
    if (entry.field.name === 'total_amount')
      return without(entry, ({ candidates, ...value }) =>
        candidates.every((candidate) => isNamed({ ...value, candidate, candidates }, (text) => ofSavings.test(text))),
      );
    if (entry.field.name === 'amount_due')
      return without(entry, (value) => isNamed(value, (text) => ofBefore.test(text)));
    return entry;
  });
}

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
  { letter }: DocumentType,
): readonly (readonly [FieldDefinition, ScoredValue])[] {
  const taken: { readonly field: FieldDefinition; readonly candidate: PlacedCandidate }[] = [];
  const assigned: (readonly [FieldDefinition, ScoredValue])[] = [];
  const addresses = [letter?.sender.address, letter?.recipient.address];
  // Wherever else it stands, one side's address is not the other's.
  const isOtherSides = ({ name }: FieldDefinition, { value }: PlacedCandidate) =>
    addresses.includes(name) &&
    taken.some(
      (other) =>
        other.field.name !== name &&
        addresses.includes(other.field.name) &&
        letters(other.candidate.value) === letters(value),
    );
  const bestOf = ({ field, ranked }: ScoredField) => money.get(field.name)?.probability ?? ranked[0]?.probability ?? 0;
  for (const entry of scored.map(withReadingsTogether).toSorted((a, b) => bestOf(b) - bestOf(a))) {
    const { field, ranked, threshold } = entry;
    const chosen = money.get(field.name);
    const likely = ranked.filter((value) => value.probability >= threshold && !isSomethingElse(field, value));
    const rest = likely.length === 0 && stated.has(field.name) ? onlyOne(entry) : [];
    const options = field.kind === 'amount' ? (chosen ? [chosen] : []) : [...likely, ...rest];
    for (const value of options) {
      const free = value.candidates.find(
        (each) =>
          !taken.some((other) => clashes(field, each, other)) &&
          !isDateOfAnother(field, each) &&
          !isOtherSides(field, each),
      );
      if (!free) continue;
      const candidate = valueAlone(field, wholeNumber(free, ranked));
      taken.push({ field, candidate });
      assigned.push([field, { ...value, candidate }]);
      break;
    }
  }
  return assigned;
}

/** Whether a value is a day of something else, or no value at all. */
function isSomethingElse(field: FieldDefinition, { candidate, candidates, confidence }: ScoredValue): boolean {
  const isOfAnother = (each: PlacedCandidate) => isDateOfAnother(field, each);
  // The day by which to pay ends no statement's period, however often it is printed.
  const isAnothers = field.name.startsWith('statement_') ? candidates.some(isOfAnother) : candidates.every(isOfAnother);
  return isAnothers || isNoValue(field, withoutOwnCaption(field, candidate), confidence);
}

/** What a receipt states, so that the one day or time that is nothing else is it. */
const stated: ReadonlySet<string> = new Set(['transaction_date', 'transaction_time']);
/** What the only one of its kind is worth, however little it looks like its field. */
const onlyConfidence = 68;

/** The one value of a day or a time that a document has beside those of something else; none where it has several. */
function onlyOne({ field, ranked }: ScoredField): readonly ScoredValue[] {
  const own = ranked.filter((value) => !isSomethingElse(field, value));
  const [first] = own;
  // Seconds aside, a payment is at the time of its receipt.
  const comparedLength = field.kind === 'time' ? 5 : 10;
  const compared = ({ candidate }: ScoredValue) => String(candidate.value).slice(0, comparedLength);
  const isSame = (value: ScoredValue) => first !== undefined && compared(value) === compared(first);
  return first && own.every(isSame) ? [{ ...first, confidence: Math.max(first.confidence, onlyConfidence) }] : [];
}

/** Letters and the digits that OCR takes them for, as one. */
const asDigits = (text: string) =>
  text.toUpperCase().replace(/[OQ]/g, '0').replace(/[IL|]/g, '1').replaceAll('S', '5').replaceAll('B', '8');

/** The likeliest number as probable as all readings of its place that differ from it in letters and digits alone. */
function withReadingsTogether(entry: ScoredField): ScoredField {
  const [best, ...others] = entry.ranked;
  if (entry.field.kind !== 'identifier' || !best?.candidate.words[0]?.source.startsWith('ocr:')) return entry;
  const own = best.candidate;
  const isReading = ({ candidate: { page, box, value } }: ScoredValue) =>
    page === own.page &&
    box.x0 < own.box.x1 &&
    box.x1 > own.box.x0 &&
    box.y0 < own.box.y1 &&
    box.y1 > own.box.y0 &&
    asDigits(String(value)) === asDigits(String(own.value));
  const probability = others.filter(isReading).reduce((sum, other) => sum + other.probability, best.probability);
  return { ...entry, ranked: [{ ...best, probability }, ...others] };
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

/** Whether two values were read from the same words. */
function isOneText(a: ExtractedValue | undefined, b: ExtractedValue): boolean {
  return a !== undefined && a.provenance.length > 0 && isDeepStrictEqual(a.provenance, b.provenance);
}

/** Whether few real documents were labelled of a type, so that what proves a value counts for more than they do. */
function isHardlyLabelled({ name, isOwn }: DocumentType): boolean {
  return !isOwn && ['account', 'form', 'card', 'other'].includes(groupOf(name));
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

/** The sum of the rows' amounts, less the discounts below them; null where there are no rows, or one has no amount. */
export function sumOfRows(rows: readonly ExtractedRow[]): number | null {
  const amounts = rows.flatMap((row) => {
    const amount = numberIn(row, 'amount');
    return amount === null ? [] : [amount - discountBelow(row, amount)];
  });
  return amounts.length > 0 && amounts.length === rows.length
    ? Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 100) / 100
    : null;
}

/** A row's discount that is not in its amount, which is its quantity times its price. */
function discountBelow(row: ExtractedRow, amount: number): number {
  const [quantity, price] = [numberIn(row, 'quantity'), numberIn(row, 'price_unit')];
  const isBefore = quantity !== null && price !== null && Math.abs(quantity * price - amount) < 0.005;
  return isBefore ? (numberIn(row, 'discount_amount') ?? 0) : 0;
}

function numberIn(row: ExtractedRow, column: string): number | null {
  const value = row[column]?.value;
  return typeof value === 'number' ? value : null;
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

/** What a rate has that stands somewhere on the page and by which the total has the tax in it. */
const computedRateConfidence = 80;

/**
 * Of the printed rates the one by which the total has the tax in it. One by which it does not is doubted: it is one of
 * several rates, or that of a discount.
 */
function checkTaxRate(
  fields: Readonly<Record<string, ExtractedValue>>,
  scored: readonly ScoredField[],
): Record<string, ExtractedValue> {
  const numberOf = (name: string) => (typeof fields[name]?.value === 'number' ? fields[name].value : null);
  const [rate, tax, total] = [numberOf('tax_rate'), numberOf('tax_amount'), numberOf('total_amount')];
  const net = numberOf('subtotal');
  if (tax === null || total === null) return { ...fields };
  if (rate !== null && (taxRateHolds(rate, tax, total) || (net !== null && isTax(tax, net, rate))))
    return { ...fields };
  const ranked = tax === 0 ? [] : (scored.find(({ field }) => field.name === 'tax_rate')?.ranked ?? []);
  const held = ranked.find(({ candidate: { value } }) => typeof value === 'number' && taxRateHolds(value, tax, total));
  if (held) {
    const provenance = provenanceOf(held.candidate);
    const { value } = held.candidate;
    return {
      ...fields,
      tax_rate: { value, confidence: computedRateConfidence, provenance, flags: ['arithmetic_holds'] },
    };
  }
  if (fields.tax_rate === undefined) return { ...fields };
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
  // A card that has hardly a word is in the language of its country.
  if (best || (locale.country !== null && isCardSized(layout))) {
    const clear =
      best !== undefined && best[0] === locale.language && best[1] >= 4 && best[1] >= 2 * (second?.[1] ?? 0);
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
  return (type.required ?? []).some((name) => {
    const value = fields[name];
    // What is unsure of a name is whose it is, which another reading of its letters cannot show.
    const isName = type.fields.some((field) => field.name === name && field.kind === 'organization');
    return !value || (value.confidence < sureConfidence && !isName);
  });
}
