import { hasPlace, isStreetLine } from '../candidates/address-lines.ts';
import { isHeading } from '../candidates/headings.ts';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { companyEndOf } from '../candidates/spans.ts';
import { labelOf } from '../compose/labelled-rows.ts';
import { isOrganizationName, letterHeight } from '../compose/names.ts';
import { detailBehindTerms, isShortTerm } from '../compose/payment-terms.ts';
import { isBelowAtEdge } from '../layout/geometry.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import { withoutAddressCaption } from '../parties/blocks.ts';
import type { FieldDefinition } from '../types/definition.ts';

/** Between the parts of a sender's line: `Example GmbH · Marktweg 3 · 04109 Leipzig`. */
const senderMark = /\s+[·•∙|]\s+/u;

/** What straight bills of lading print before a name on its own line: `SHIPPER EXAMPLE RESINS LP`. */
const cargoRole = /^(?:shipper|consignor|exporter|consignee|notify(?: party)?) (?=\p{Lu})/iu;
const cargoFields: ReadonlySet<string> = new Set(['shipper', 'consignee', 'notify_party']);

/** A name without a caption of several words that nothing parts from it, as on forms that are filled in by hand: `SOLD TO Carol Muster`. */
export function withoutOwnCaption({ kind, captions }: FieldDefinition, candidate: PlacedCandidate): PlacedCandidate {
  const { value, words, lines } = candidate;
  if ((kind !== 'name' && kind !== 'organization') || typeof value !== 'string' || lines.length !== 1) return candidate;
  const parts = value.split(' ');
  const labels = captions.map(labelOf);
  const length = [3, 2].find((count) => labels.includes(labelOf(parts.slice(0, count).join(' '))));
  const rest = parts.slice(length).join(' ');
  if (!length || parts.length !== words.length || !/^\p{Lu}.*\p{L}{2}/u.test(rest)) return candidate;
  return { ...candidate, value: rest, words: words.slice(length) };
}

/** A name without the caption before it (`Ordering: R. Avery`) and the street behind it on its line. */
export function valueAlone(field: FieldDefinition, whole: PlacedCandidate): PlacedCandidate {
  const { kind, name, captions } = field;
  const candidate = withoutOwnCaption(field, whole);
  if (name === 'payment_terms') return withoutRest(withoutCaption(captions, candidate));
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
  const branch = isOneLine ? ofBranch.exec(candidate.value) : null;
  if (branch) {
    const value = candidate.value.slice(0, branch.index);
    return { ...candidate, value, words: candidate.words.slice(0, value.split(' ').length) };
  }
  const comma = isOneLine ? candidate.value.indexOf(', ') + 2 : -1;
  const isBeforeStreet = comma > 2 && isStreetLine(candidate.value.slice(comma));
  const company = isBeforeStreet ? comma : kind === 'organization' && isOneLine ? companyEndOf(candidate.value) : -1;
  if (company > 0 && isStreetLine(candidate.value.slice(company))) {
    const value = candidate.value.slice(0, company).replace(/[\s,;]+$/, '');
    return { ...candidate, value, words: candidate.words.slice(0, value.split(' ').length) };
  }
  const role = cargoFields.has(name) ? cargoRole.exec(candidate.value)?.[0].length : undefined;
  if (role !== undefined && candidate.words.length > 2)
    return { ...candidate, value: candidate.value.slice(role), words: candidate.words.slice(1) };
  const [caption] = /^[^:\d]{2,30}:\s+(?=\p{Lu})/u.exec(candidate.value) ?? [];
  const colon = candidate.words.findIndex(({ text }) => text.endsWith(':'));
  if (!caption || colon < 0 || colon + 1 >= candidate.words.length) return candidate;
  return { ...candidate, value: candidate.value.slice(caption.length), words: candidate.words.slice(colon + 1) };
}

/** Few words without their own caption before them: `Forma de pago: Transferencia a 15 días`. */
function withoutCaption(captions: readonly string[], candidate: PlacedCandidate): PlacedCandidate {
  const { value, words } = candidate;
  const [caption] = typeof value === 'string' ? (/^[^:\d]{3,40}:\s+/u.exec(value) ?? []) : [];
  const colon = words.findIndex(({ text }) => text.endsWith(':'));
  if (!caption || colon < 0 || !words[colon + 1] || !captions.some((own) => labelOf(own) === labelOf(caption)))
    return candidate;
  const terms = String(value).slice(caption.length);
  return isShortTerm(terms) && !terms.endsWith('.')
    ? { ...candidate, value: terms, words: words.slice(colon + 1) }
    : candidate;
}

/** Terms of payment without the account or the day that stands behind them. */
function withoutRest(candidate: PlacedCandidate): PlacedCandidate {
  const text = String(candidate.value);
  const end = detailBehindTerms(text);
  if (end === null) return candidate;
  const value = text.slice(0, end).trimEnd();
  return { ...candidate, value, words: candidate.words.slice(0, value.split(/\s+/).length) };
}

/** Behind a shop's name, the sign of the number that its chain gave it: `EXAMPLE COFFEE Store #`. */
export const ofBranch = /(?<=\p{L}{3}.*) (?:store|shop|restaurant|branch|location) ?(?:#|no\.?)$/iu;

/** The abbreviation of `number` before one, perhaps with the rest of a caption whose blanks recognition lost: `P.O.NO.24-0447`. */
const numberMark = /^(?:(?:n[.°º]|n\.[°º]|no\.|nr\.|num\.)\s+(?=\S*\d)|[\p{L}.]{0,14}?(?:no|nr)\.(?=[A-Z]{0,3}-?\d))/iu;

/** The rest of a number, in the line below the hyphen at which it was broken. */
const restOfNumber = /^(?=\S*\d)[A-Z\d][A-Z\d/-]*$/;

/** A number with its rest, where it ends with a hyphen at the end of its line: `VR-2025-` above `0047712`. */
function withRest(candidate: PlacedCandidate): PlacedCandidate {
  const { lines, end, words, value, layout } = candidate;
  const [line, ...more] = lines;
  const [start] = words;
  if (!line || !start || more.length > 0 || typeof value !== 'string') return candidate;
  const behind = line.text.slice(end).trimEnd();
  if (behind !== '-' && !(behind === '' && value.endsWith('-'))) return candidate;
  const { below } = neighboursOf(layout, line);
  const rest = below?.words[0];
  if (!below || !rest || !restOfNumber.test(rest.text)) return candidate;
  if (!isBelowAtEdge(start.box, rest.box)) return candidate;
  return { ...candidate, value: `${value.replace(/-$/, '')}-${rest.text}`, words: [...words, rest] };
}

/** A number in which a capital I between capitals or at one's side is read as a small l: `Sl-440182`. */
function withCapitals(candidate: PlacedCandidate): PlacedCandidate {
  const { value, words } = candidate;
  const isRead = typeof value === 'string' && value.includes('l') && words[0]?.source.startsWith('ocr:');
  if (!isRead || /\p{Ll}/u.test(value.replaceAll('l', ''))) return candidate;
  return { ...candidate, value: value.replace(/(?<=\p{Lu})l|l(?=\p{Lu})/gu, 'I') };
}

/** A number whole and without the abbreviation that its caption ends with: `N. 0001188`. */
function numberAlone(broken: PlacedCandidate): PlacedCandidate {
  const candidate = withCapitals(withRest(broken));
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
  /^(?:c\.?i\.?f|n\.?i\.?f|mprn|mpan|nmi|pod|cups|pdl|meter|zähler\p{L}*|compteur|contador|contatore|n\.?i\.?e|uid|ust|vat|tax|gst|hst|abn|siret|siren|tva|p\.? ?iva|steuer|reg|\p{L}*nummer|account|customer|compte|client|tel|phone|fax|e-?mail|rechnung|invoice|receipt|facture|factura|date|datum)(?!\p{L})[^,]*\d/iu;

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
  const [first = '', ...rest] = own;
  const bare = withoutAddressCaption(first);
  if (own.length === parts.length)
    return {
      ...candidate,
      value: [bare, ...rest].join(', '),
      words: bare === first ? candidate.words : candidate.words.slice(first.split(' ').length - bare.split(' ').length),
    };
  const foreign = candidate.lines.filter(({ text }) => isForeign(text.trim()));
  const words = candidate.words.filter((word) => !foreign.some((line) => line.words.includes(word)));
  return words.length === 0 ? candidate : { ...candidate, value: own.join(', '), words };
}
