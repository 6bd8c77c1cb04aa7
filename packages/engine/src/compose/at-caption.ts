import type { ExtractedValue, Layout, ValueKind } from '@millrace/document-model';
import { hasPlace, hasStreet, isHouseInStreet, isStreetLine } from '../candidates/address-lines.ts';
import { isFormPhrase, isHeading, isSentence } from '../candidates/headings.ts';
import { isMeasure } from '../candidates/measure.ts';
import { type PlacedCandidate, wordsWithin } from '../candidates/placed.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import { comparable } from '../score/comparable.ts';
import type { DocumentType } from '../types/definition.ts';
import { type CaptionedText, textsAtCaption } from './captioned.ts';
import { isLabelOfSum } from './labelled-rows.ts';
import { isOrganizationName, isPersonName, titleCased } from './names.ts';
import { isShortTerm } from './payment-terms.ts';
import { candidateValue, composedValue, onlyValue, type Stretch } from './value.ts';

/** What stands at a caption of its own says whose it is, but not as surely as what the scorer learned. */
const confidence = 68;
const leastCaptionScore = 0.78;
/** The same where the caption stands letter by letter, which scores less the more captions its field has before it. */
const leastExactScore = 0.71;
/** Another caption with its day: `DATE 05/30/2025`. */
export const captionedDay = /^\p{L}+:? \d{1,4}[./-]\d{1,2}[./-]\d{2,4}$/u;
/** Whether a number, or what stands right before it, begins with the letters of an order: `PO 88120`. */
export function namesOrder(before: string, number: string): boolean {
  return /^(?:p\.?o|w\.?o)\.? ?[#:-]? ?\d/iu.test(number) || /(?<!\p{L})(?:p\.?o|w\.?o)\.? ?[#:-]? ?$/iu.test(before);
}

/** The rest of a box at a post office behind what is taken for the caption of an order: `PO Box 1440`. */
export const restOfPostBox = /^box (?=\d)/iu;

/** The rows of a table that are looked at for another value. */
const columnSteps = 4;

/** Kinds that a recogniser knows by their form; amounts are chosen by their sums, or left out. */
const recognised: ReadonlySet<ValueKind> = new Set([
  'date',
  'number',
  'identifier',
  'tax_id',
  'iban',
  'bic',
  'percent',
]);

/** A number that its caption calls what the sender's own is called. */
const captionedAlike: ReadonlySet<string> = new Set(['customer_tax_id']);

/** What a bill states once, at its caption, while the addresses of both sides stand all over it. */
const captionedOnce: ReadonlySet<string> = new Set(['service_address']);

/** Whether one of two addresses has all that the other has. */
function isPartOf(a: ExtractedValue, b: ExtractedValue): boolean {
  const [left, right] = [comparable('address', a.value), comparable('address', b.value)];
  return left.includes(right) || right.includes(left);
}

/** Whether an address goes on behind the street at its caption, but with no town. */
function runsOn(stated: ExtractedValue, answered: ExtractedValue): boolean {
  const [own, all] = [String(stated.value), String(answered.value)];
  return (
    all.length > own.length &&
    all.startsWith(`${own}, `) &&
    !all
      .slice(own.length + 2)
      .split(', ')
      .some(hasPlace)
  );
}

/**
 * Values of fields that were given none, each right behind, beside or below its caption, where only one value stands
 * there and none that people removed from the sender's earlier documents.
 *
 * @param removed by field, the comparable forms of values that stand where one was removed
 */
export function valuesAtCaptions(
  type: DocumentType,
  layout: Layout,
  candidates: readonly PlacedCandidate[],
  answered: Readonly<Record<string, ExtractedValue>>,
  removed: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
): Readonly<Record<string, ExtractedValue>> {
  // An account's own fields are scored by their captions alone: what was not taken there is none.
  if (type.isOwn) return {};
  const used = new Set(
    Object.values(answered).flatMap(({ provenance }) =>
      provenance.map(({ page, box }) => `${page} ${box.x0} ${box.y0}`),
    ),
  );
  const values: Record<string, ExtractedValue> = {};
  for (const field of type.fields) {
    if (field.composed || field.repeated || captionedAlike.has(field.name)) continue;
    if (answered[field.name]) {
      const stated = type.isBoxed && captionedOnce.has(field.name) ? addressAtCaption(type, field.name, layout) : null;
      if (stated && (!isPartOf(stated, answered[field.name]!) || runsOn(stated, answered[field.name]!)))
        values[field.name] = stated;
      const full = type.isBoxed && field.kind === 'name' ? nameInFull(type, field.name, layout, answered) : null;
      if (full) values[field.name] = full;
      continue;
    }
    if (field.name === 'payment_terms') {
      const terms = textsAtCaption(type, field.name, layout)
        .map(toLineEnd)
        .find((text) => isSure(text) && isShortTerm(text.text));
      if (terms) values[field.name] = composedValue(trimmed(terms.text), confidence - 4, [terms.stretch]);
      if (terms || !type.isBoxed) continue;
    }
    if (type.isBoxed && isName(field.kind)) {
      const texts = textsAtCaption(type, field.name, layout);
      const text = (field.kind === 'name' ? texts.map(beforeBirth) : texts).find(
        (each) =>
          mayBeText(each, field.kind) &&
          (!field.name.endsWith('_unit') || isMeasure(each.text)) &&
          // Behind a caption may stand the rest of an amount's label: `Employee Pension TD  978.46`.
          !(field.kind === 'name' && each.place === 'behind' && isLabelOfSum(each.stretch.line, layout)),
      );
      if (text) values[field.name] = composedValue(trimmed(text.text), confidence - 4, [text.stretch]);
      continue;
    }
    if (type.isBoxed && field.kind === 'address') {
      const address = addressAtCaption(type, field.name, layout);
      if (address) values[field.name] = address;
      continue;
    }
    if (!recognised.has(field.kind)) continue;
    const kinds = candidates.filter((candidate) => candidate.kind === field.kind && candidate.layout === layout);
    for (const text of textsAtCaption(type, field.name, layout).slice(0, 4)) {
      if (!isSure(text) || isHeading(text.text)) continue;
      if (field.kind === 'identifier' && (captionedDay.test(text.text) || restOfPostBox.test(text.text))) continue;
      if (field.name === 'payment_reference' && namesOrder('', text.text)) continue;
      const candidate =
        whole(text, kinds) ?? whole(beforeItsDate(text), kinds) ?? whole(behindPreposition(text), kinds);
      if (!candidate || used.has(`${candidate.page} ${candidate.box.x0} ${candidate.box.y0}`)) continue;
      if (text.place === 'below' && isInColumn(candidate, kinds, layout)) continue;
      if (removed.get(field.name)?.has(comparable(field.kind, candidate.value))) continue;
      values[field.name] = candidateValue(candidate, confidence);
      break;
    }
    if (field.name === 'customer_id' && !values[field.name]) {
      const number = onlyValue(kinds.filter(isCustomers), confidence);
      if (number) values[field.name] = number;
    }
  }
  return values;
}

/** A person's name that another caption of the field has with all its words, where the one found broke off before its end. */
function nameInFull(
  type: DocumentType,
  name: string,
  layout: Layout,
  answered: Readonly<Record<string, ExtractedValue>>,
): ExtractedValue | null {
  const found = answered[name]!;
  const full = textsAtCaption(type, name, layout)
    .map(beforeBirth)
    .find((each) => trimmed(each.text).startsWith(`${found.value} `) && mayBeText(each, 'name'));
  return full && isPersonName(titleCased(trimmed(full.text)))
    ? composedValue(trimmed(full.text), found.confidence, [full.stretch])
    : null;
}

/** A captioned text with all that stands behind it in its line: `netto` ends terms, and is a caption as well. */
function toLineEnd(text: CaptionedText): CaptionedText {
  const { line, start } = text.stretch;
  const whole = line.text.slice(start).trimEnd();
  return isShortTerm(whole) ? { ...text, text: whole, stretch: { line, start, end: start + whole.length } } : text;
}

/** Who gets a document, before or above a number and nothing else: `CLIENTE 00318`. */
const customer = /^(?:cliente?|customer|kunde|klant|debitore?n?|debiteur|acct|a\/c)\W*$/iu;
/** The same of an account, which is a customer's where letters are in its number. */
const account = /^(?:account|acc)\W*$/iu;

function isCustomers({ lines, start, end, value, layout }: PlacedCandidate): boolean {
  const [line, ...others] = lines;
  const number = String(value);
  if (!line || others.length > 0 || !/\d{2}/.test(number) || line.text.slice(end).trim() !== '') return false;
  const { left, above } = neighboursOf(layout, line);
  const before = line.text.slice(0, start).trim();
  const captions = before === '' ? [left?.text, above?.text] : [before];
  const isCaption = (text: string) => customer.test(text) || (account.test(text) && /\p{L}/u.test(number));
  return captions.some((text) => text !== undefined && isCaption(text.trim()));
}

function isSure({ score, isExact }: CaptionedText): boolean {
  return score >= (isExact ? leastExactScore : leastCaptionScore);
}

/** A person's name without what a letter says of them behind it: `Jane Doe, geb. 03.05.1971, wohnhaft in …`. */
function beforeBirth(text: CaptionedText): CaptionedText {
  const at = text.text.search(
    /,? (?:\(?\*|geb(?:\.|oren)|born|d\.?o\.?b|n[ée]e? le|nacid[oa] el|nat[oa] il)(?!\p{L})/iu,
  );
  if (at < 3) return text;
  return { ...text, text: text.text.slice(0, at), stretch: { ...text.stretch, end: text.stretch.start + at } };
}

/** Whether other values of the kind stand right below, as in a table, whose columns' headings are no captions. */
function isInColumn(candidate: PlacedCandidate, kinds: readonly PlacedCandidate[], layout: Layout): boolean {
  let last = candidate;
  for (let step = 0; step < columnSteps; step += 1) {
    const line = last.lines[0]!;
    const { below } = neighboursOf(layout, line);
    const height = line.box.y1 - line.box.y0;
    const next = kinds.find(
      (other) =>
        other.lines[0] === below &&
        Math.min(Math.abs(other.box.x0 - last.box.x0), Math.abs(other.box.x1 - last.box.x1)) < 0.3 * height &&
        other.box.y0 - last.box.y1 < 1.5 * height,
    );
    if (!next) return false;
    if (next.value !== candidate.value) return true;
    last = next;
  }
  return false;
}

/**
 * A captioned text without the day behind it: `Bolletta n. 41188 del 14/03/2023`, `4500078812 / 01.07.2026`, or that of the
 * next cell, `BC2409-0118 17/09/2024`.
 */
function beforeItsDate(text: CaptionedText): CaptionedText {
  const at = text.text.search(
    / (?:(?:vom|du|del|dated|of|van|de|do|from) (?=\d)|\/ (?=\d{1,4}[./-]\d)|\((?=\d)|(?=\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}(?!\d)))/iu,
  );
  if (at < 1) return text;
  return {
    ...text,
    text: text.text.slice(0, at),
    stretch: { ...text.stretch, end: text.stretch.start + at },
  };
}

/** A captioned day without the words before it: `Validez de la oferta: hasta el 15/10/2026`. */
function behindPreposition(text: CaptionedText): CaptionedText {
  const [word] =
    /^(?:[^:\d]{2,30}: +)?(?:(?:until|till|through|up to|by|to|bis(?: zum)?|jusqu['’]au|hasta(?: el)?|fino al|entro il|até(?: a)?|tot(?: en met)?|t\/m) )?(?=\S*\d)/iu.exec(
      text.text,
    ) ?? [''];
  return {
    ...text,
    text: text.text.slice(word.length),
    stretch: { ...text.stretch, start: text.stretch.start + word.length },
  };
}

/** A street at a caption, or below the name at one, with the town below it; null where no street stands there. */
function addressAtCaption(type: DocumentType, name: string, layout: Layout): ExtractedValue | null {
  const isStreet = (text: string) => isStreetLine(text) || (hasPlace(text) && hasStreet(text));
  const texts = textsAtCaption(type, name, layout).filter(({ score }) => score >= leastCaptionScore);
  const at = texts.find(({ text }) => isStreet(text));
  const street = at ? { ...at.stretch, text: at.text } : streetBelowName(texts, isStreet, layout);
  if (!street) return null;
  const { line, text } = street;
  const { below } = neighboursOf(layout, line);
  // Below a caption and its street the town stands at the edge of either, or between them.
  const right = wordsWithin(line, street.start, street.end)[0]?.word.box.x0 ?? line.box.x0;
  const isAligned = below !== null && below.box.x0 > line.box.x0 - 20 && below.box.x0 < right + 20;
  const isBelow = isAligned && !hasPlace(text) && hasPlace(below.text);
  // Whose it is may stand before it: `Service for: Nolan Fitch, 18 Larkspur Ln`.
  const [first = '', ...rest] = trimmed(text).split(', ');
  const isNamed = rest.length > 0 && isPersonName(titleCased(first)) && isStreetLine(rest[0]!);
  const value = isNamed ? rest.join(', ') : trimmed(text);
  const own = isNamed ? { ...street, start: street.start + text.indexOf(rest[0]!) } : street;
  return isBelow
    ? composedValue(`${value}, ${below.text}`, confidence - 4, [own, { line: below }])
    : composedValue(value, confidence - 4, [own]);
}

/** The street of a block that begins with a name at a caption: `Service to` above a customer's name and address. */
function streetBelowName(
  texts: readonly CaptionedText[],
  isStreet: (text: string) => boolean,
  layout: Layout,
): (Required<Stretch> & { readonly text: string }) | null {
  for (const { text, stretch } of texts) {
    const { below } = neighboursOf(layout, stretch.line);
    if (!below || !isStreet(below.text) || Math.abs(below.box.x0 - stretch.line.box.x0) > 20) continue;
    // In a list of particulars what stands below has a caption of its own: `Terms: 30 days`.
    if (/:\s*$/.test(neighboursOf(layout, below).left?.text ?? '')) continue;
    if (!isPersonName(titleCased(text)) && isOrganizationName(text) === null) continue;
    return { line: below, start: 0, end: below.text.length, text: below.text };
  }
  return null;
}

function isName(kind: ValueKind): boolean {
  return kind === 'name' || kind === 'organization' || kind === 'text';
}

/** Words of a sentence; of a name only a particle has no capital. */
const lowerCased = /^(?!(?:v[ao]n|de[lnr]?|d[aiu]|l[ae]|el|al|bin|te[nr]|zu[mr]?)(?!\p{L}))\p{Ll}/u;

/** A text without marks around it, and without the caption that a box has inside: `Name: Example Ltd`. */
const trimmed = (text: string) => text.replace(/^name:\s+/i, '').replace(/^[\s:;,.*#-]+|[\s:;,*-]+$/g, '');

function mayBeText(captioned: CaptionedText, kind: ValueKind): boolean {
  const value = trimmed(captioned.text);
  const letters = value.replace(/[^\p{L}]/gu, '').length;
  const inked = value.replace(/\s/g, '').length;
  return (
    (captioned.score >= leastCaptionScore || (isSure(captioned) && isPersonName(titleCased(value)))) &&
    value.length >= 2 &&
    value.length <= 60 &&
    letters >= (kind === 'text' ? 0.3 : 0.75) * inked &&
    value.split(/\s+/).length <= 7 &&
    !/[$€£@%]|\d[.,]\d{2}$|^\d{1,2}[.)] /.test(value) &&
    !(kind === 'name' && lowerCased.test(value)) &&
    !(kind !== 'text' && isHouseInStreet(value)) &&
    !(kind === 'organization' && / /.test(value) && lowerCased.test(value) && !/\p{Lu}/u.test(value)) &&
    !isHeading(value) &&
    !isFormPhrase(/^([^:]{3,30}):\s/.exec(value)?.[1] ?? 'x') &&
    (kind === 'text' || !isFormPhrase(value)) &&
    !isSentence(value)
  );
}

/** The candidate that takes all of a captioned text but its marks, the longest such; null where none does. */
export function whole(
  { stretch, text }: CaptionedText,
  candidates: readonly PlacedCandidate[],
): PlacedCandidate | null {
  const inked = (part: string) => part.replace(/[^\p{L}\p{N}]/gu, '').length;
  return candidates
    .filter(
      (candidate) =>
        candidate.lines[0] === stretch.line &&
        candidate.lines.length === 1 &&
        candidate.start >= stretch.start &&
        candidate.end <= stretch.end + 1 &&
        inked(candidate.text) >= 0.85 * inked(text) &&
        !(candidate.kind === 'identifier' && /^ ?\d/.test(stretch.line.text.slice(candidate.end, stretch.end))),
    )
    .reduce<PlacedCandidate | null>(
      (longest, candidate) => (longest && inked(longest.text) >= inked(candidate.text) ? longest : candidate),
      null,
    );
}
