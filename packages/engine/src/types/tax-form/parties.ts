import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { hasPlace, isIndianState, isStreetLine } from '../../candidates/address-lines.ts';
import { isFormPhrase, isHeading } from '../../candidates/headings.ts';
import { NearWords } from '../../candidates/near-words.ts';
import { repairedText } from '../../candidates/repair.ts';
import type { ComposedFields } from '../../compose/compose.ts';
import { isOrganizationName, isPersonName, titleCased } from '../../compose/names.ts';
import { composedValue, type Stretch } from '../../compose/value.ts';
import { neighboursOf, rowOf } from '../../layout/neighbours.ts';
import { type PartyBlock, partyBlocksOf } from '../../parties/blocks.ts';
import { letterheadOf } from '../../parties/letterhead.ts';
import { isBritishCertificate, partiesOfBritishCertificate } from './british-certificate.ts';
import { type Found, inCells } from './cells.ts';
import { partiesOfSections } from './party-sections.ts';

type Side = 'payer' | 'recipient';

/** Words by which captions are known here, and ones that are like them. */
const captionWords = new NearWords(
  `employee employees employer employers recipient recipients borrower borrowers creditor creditors student students partner
  partners shareholder shareholders beneficiary participant address addresses street number numbers social security insurance
  identification federal country county province postal telephone initial middle`.split(/\s+/),
);

/** The caption of a W-9's first line; OCR loses the blanks of small print. */
const shownOnReturn = /as shown on your ?(?:income)? ?tax ?ret/iu;

/** Where small print is broken into lines, the last of them may have it alone. */
const telephoneAsked =
  /(?:foreign postal code|zip code),? ?(?:and|&) ?telephone|^(?:(?:postal )?code,? )?(?:and|&) telephone n/iu;

/**
 * Whose box it is: tax forms name the side by what it does. OCR takes the apostrophe for all sorts of marks, and loses it
 * with the blank behind it: `Employersfull name`.
 */
const sides: readonly (readonly [RegExp, Side])[] = [
  [/recip?[il]ent.{0,3}s?\W{0,3}\/?\W*l?ender/iu, 'payer'],
  [/payer.{0,3}s?\W{0,3}\/?\W*borrower/iu, 'recipient'],
  [
    /(?<!\p{L})(?:payer|employer|lender|filer|creditor|trustee|issuer|acquirer|transferor)(?!\p{L}{2}(?!ull))/iu,
    'payer',
  ],
  // Only of who pays a form asks for the telephone number, whatever OCR made of the caption's beginning.
  [telephoneAsked, 'payer'],
  // The taxpayer's own return, 1040.
  [/social insurance n/iu, 'recipient'],
  [/(?<!\p{L})your (?:first name|social security n)/iu, 'recipient'],
  // Request for Taxpayer Identification Number, W-9, of this year and before it.
  [/name (?:o?f )?entity\/individual/iu, 'recipient'],
  [shownOnReturn, 'recipient'],
  [/(?<!\p{L})(?:deductor|arbeitgebers?)(?!\p{L})/iu, 'payer'],
  [
    /(?<!\p{L})(?:recip?[il]ent|employee|deductee|borrower|student|debtor|beneficiary|participant|partner|shareholder|winner|insured)(?!\p{L}{2})/iu,
    'recipient',
  ],
  // The number of a person alone, whoever OCR makes of them.
  [/(?<!\p{L})ssa n(?:o|um)/iu, 'recipient'],
];

/** A W-2 whose boxes e and f are one says so before what they hold, of which small print may leave little. */
const nameCaption = new RegExp(
  String.raw`(?<!\p{L})names?(?!\p{L})|^\W{0,2}e[\/l1|I]?f\W{0,2} ?employee|${telephoneAsked.source}`,
  'iu',
);
const streetCaption =
  /^\W*(?:\w\W{1,2})?(?:number,? ?street|street address|home address|(?:current )?address,? ?\(?num)/iu;
/** In small print little of it may be read but its first word and one further on. */
const cityCaption =
  /^\W*(?:\w\W{1,2})?city(?:(?:,? |\.)(?:or |st\p{L}{2,3}(?!\p{L})|town)|[ ,.][^\d:]{1,24} (?:province|country|postal)(?!\p{L}))/iu;
const numberCaption =
  /(?<!\p{L})(?:tin|ssn|ein|pan|tan|abn)(?!\p{L})|social (?:security|insurance)(?: n|$)|ssa n|(?:employer|payer).{0,3}s?.{0,3}(?:payroll |program )?account n(?!umber \(see)|identification n|tax(?:payer)? id(?!\p{L})|fed(?:eral)?\.? id|(?:payer|recipient).{0,3}s? id n/iu;
/** Who signs a return for the taxpayer, and the firm that they work for. */
const preparer = /(?<!\p{L})(?:preparer|firm|third party|designee)/iu;
/** Forms of a company's own tax, whose employer number is the taxpayer's. */
const ownTaxForm = /form\W{0,2}(?:1120|1065|1041|94[0145]|990)/iu;

/** What a partnership, a corporation or an estate sends to each of those who share its income, and whose boxes are its own. */
const shareOfIncome = /schedule k-1(?!\d)/iu;
const entityCaption =
  /(?<!\p{L})(?:partnership|corporation|estate.{0,3}s? or trust|fiduciary)['’]?s? (?:employer|name|identification)/iu;

const confidence = 89;
/** An address in the box of the one whose name stands above it is surer than what looks like one elsewhere. */
const addressConfidence = 94;
const lineLimit = 400;
/** What a form asks for in a box, with its instructions. */
const longestCaption = 170;
/** Lines of a name and address in one box. */
const boxLines = 6;

/** Names, addresses and tax numbers in the captioned boxes of a tax form's first page. */
export function composeTaxParties(layout: Layout): ComposedFields {
  const lines = layout.lines.filter(({ page }) => page === layout.lines[0]?.page).slice(0, lineLimit);
  const head = lines.slice(0, 40);
  const isShare = head.some(({ text }) => shareOfIncome.test(text));
  const isOwnTax = !isShare && head.some(({ text }) => ownTaxForm.test(text));
  const isRequest = lines.some(({ text }) => requestForNumber.test(text));
  // Of a loan's interest, who receives it files the form.
  const isLoan = lines.some(
    ({ text }) =>
      text.length <= longestCaption && /^\W*(?:payer.{0,3}s?\W{0,3})?borrower.{0,3}s? (?:tin|name)/iu.test(text),
  );
  const fields: Record<string, ExtractedValue | null> = {};
  const put = (name: string, text: string, stretches: readonly Stretch[]) => {
    const own = name.endsWith('_address') ? addressConfidence : confidence;
    if (text !== '' && !fields[name]) fields[name] = composedValue(text, own, stretches);
  };
  for (const caption of lines) {
    const text = captionWords.textOf(caption);
    if (!isCaption(text)) continue;
    const side = (isShare && entityCaption.test(text) ? 'payer' : sideOf(text)) ?? (isOwnTax ? 'recipient' : null);
    if (side === null) continue;
    const own: Side =
      (isOwnTax || isRequest) && /employer/i.test(text)
        ? 'recipient'
        : isLoan && /^\W*recip?[il]ent/iu.test(text)
          ? 'payer'
          : side;
    if (isRequest && /requester/i.test(text)) continue;
    if (numberCaption.test(text) && !nameCaption.test(text)) {
      if (isOwnTax && preparer.test(text)) continue;
      const { right } = neighboursOf(layout, caption);
      const found = numberBelow(caption, layout) ?? (right && numberIn(right));
      if (found) put(`${own}_tax_id`, found.text, found.stretches);
    } else if (nameCaption.test(text) && !/signature|preparer|firm|third|designee|trade|bank/i.test(text)) {
      readParty(caption, own, layout, lines, put);
    }
  }
  const asked = isRequest && !fields.recipient_name ? aboveBusinessName(lines, layout) : null;
  if (asked) readParty(asked, 'recipient', layout, lines, put);
  for (const { name, nameLines, address, addressLines, caption } of blocksOfFirstPage(layout)) {
    const side = caption === null ? null : formOfAddress.test(caption) ? 'recipient' : sideOf(caption);
    if (side === null || name === null || isRequest) continue;
    put(`${side}_name`, name, place(nameLines));
    if (side === 'recipient') put(`${side}_address`, address, place(addressLines));
    const below = /steuernummer/iu.test(caption!) ? neighboursOf(layout, addressLines.at(-1)!).below : null;
    if (below && germanNumber.test(below.text)) put(`${side}_tax_id`, below.text, place([below]));
  }
  for (const [name, value] of Object.entries(partiesOfSections(layout))) fields[name] ??= value;
  if (isBritishCertificate(lines)) return { ...fields, ...partiesOfBritishCertificate(layout) };
  const requested = isRequest ? requestedNumber(lines) : null;
  if (requested) return { ...fields, recipient_tax_id: requested };
  const isLetter = blocksOfFirstPage(layout).some(isAddressee);
  return isRequest || fields.payer_name || (fields.recipient_name && !isLetter)
    ? fields
    : { ...partiesOfLetter(layout), ...fields };
}

/** A number that a German tax office gave: `018 231 44177`, `57/218/04417`. */
const germanNumber = /^\d{2,3}[ /]{0,3}\d{3,4}[ /]{0,3}\d{4,5}$/u;

/** What stands alone above the name of whom a letter is sent to. */
const formOfAddress =
  /^(?:(?:herrn?|frau|mr|mrs|ms|m|mme|monsieur|madame|sr|sra|sig)\.?(?: (?:und|and|et|ou|y|e|&) (?:herrn?|frau|mrs?|mme|madame|sra?|sig\.?ra)\.?)?|eheleuten?)$/iu;

function blocksOfFirstPage(layout: Layout): readonly PartyBlock[] {
  const first = layout.document.pages[0]?.number;
  return partyBlocksOf(layout).filter(({ page, name }) => page === first && name !== null);
}

/** Who pays and who is paid where a statement is set as a letter: an organization at its head, and below it the addressee. */
function partiesOfLetter(layout: Layout): ComposedFields {
  const blocks = blocksOfFirstPage(layout);
  // Alone on a page without boxes, a person is whom it is sent to.
  const addressee = blocks.filter((block) => isAddressee(block) || (blocks.length === 1 && isPerson(block.name!)));
  const fiscal = fiscalNumber(layout);
  if (addressee.length === 1 && (fiscal || blocks.length === 1)) {
    const [own] = addressee;
    const head = letterheadOf(layout);
    const isCompany = head && isOrganizationName(String(head.value)) === 'legal_form' && head.value !== own!.name;
    const office = isCompany ? null : officeAtHead(layout);
    return {
      ...(isCompany && { payer_name: { ...head, confidence } }),
      ...(office && { payer_name: office }),
      recipient_name: composedValue(own!.name!, confidence, place(own!.nameLines)),
      recipient_address: composedValue(own!.address, addressConfidence, place(own!.addressLines)),
      ...(fiscal && { recipient_tax_id: fiscal }),
    };
  }
  const [payer, recipient, ...more] = blocks;
  if (!payer || !recipient || more.length > 0 || isPerson(payer.name!)) return {};
  return {
    payer_name: composedValue(payer.name!, confidence, place(payer.nameLines)),
    recipient_name: composedValue(recipient.name!, confidence, place(recipient.nameLines)),
    recipient_address: composedValue(recipient.address, confidence + 1, place(recipient.addressLines)),
  };
}

/** Whether a block has the form of address of whom it names, before the name or above it. */
function isAddressee({ name, caption, besides }: PartyBlock): boolean {
  return (
    titled.test(name ?? '') || [...besides, ...(caption ? [caption] : [])].some((text) => formOfAddress.test(text))
  );
}

const place = (lines: readonly TextLine[]) => lines.map((line) => ({ line }));

/** How authorities address a person. */
const titled =
  /^(?:m|mr|mme|mlle|monsieur|madame|mrs|ms|miss|herrn?|frau|sr|sra|d|dña|sig|de heer|mevrouw|dhr|mevr|mw)\.? \p{Lu}/iu;

/** By what tax offices know a taxpayer: in France by thirteen figures, in Britain by ten, in Germany by a number of the office's. */
const fiscalNumbers: readonly (readonly [caption: RegExp, number: RegExp])[] = [
  [/^.*num[ée]ro fiscal(?: \([^)]*\))?\s*:?/iu, /^(?:\d ?){12}\d(?!\d)/],
  [/^(?:utr|unique taxpayer reference)(?: \(utr\))?\s*:?/iu, /^\d{5} ?\d{5}(?!\d)/],
  [/^(?:steue(?:rn|m)ummer|st\.?-?nr\.?)(?!\p{L})\s*:?/iu, /^\d{2,3}[ /]{0,3}\d{3,4}[ /]{0,3}\d{4,5}(?![\d/])/],
];
const taxOffice =
  /^(?:finanzamt|hm revenue|centre des finances publiques|direction g[ée]n[ée]rale des finances)(?!\p{L})/iu;

/** A tax office, mostly by its place: `Finanzamt Musterstadt`, `SIP DE MONTLUÇON`. */
const officeOfPlace =
  /^(?:hm revenue (?:&|and) customs$|belastingdienst$|(?:finanzamt|(?:sip|sie|tr[ée]sorerie|centre des finances publiques|service des imp[oô]ts des (?:particuliers|entreprises))(?: d[eu]s?| d['’](?=\p{L}))?) ?\p{L}[\p{L} .'’-]{2,40}$)/iu;
/** Where the head of a letter ends, of its page's height. */
const headShare = 0.3;

/** The one tax office that heads a letter. */
function officeAtHead(layout: Layout): ExtractedValue | null {
  const [page] = layout.document.pages;
  const end = headShare * (page?.height ?? 1);
  const found = layout.lines.filter(
    ({ page: own, box, text }) => own === page?.number && box.y0 < end && officeOfPlace.test(text.trim()),
  );
  const [line, ...others] = found;
  return line && others.every(({ text }) => text === line.text)
    ? composedValue(line.text.trim(), confidence, [{ line }])
    : null;
}

/** The taxpayer's number in a letter of the tax office, behind its caption or to the right of it. */
function fiscalNumber(layout: Layout): ExtractedValue | null {
  const lines = layout.lines.slice(0, lineLimit);
  const isOfOffice = lines.some(({ text }) => taxOffice.test(text));
  for (const [caption, number] of isOfOffice ? fiscalNumbers : fiscalNumbers.slice(0, 1)) {
    for (const line of lines) {
      const end = caption.exec(line.text)?.[0].length;
      if (end === undefined) continue;
      const { right } = neighboursOf(layout, line);
      const place =
        line.text.length > end ? { line, text: line.text.slice(end) } : right && { line: right, text: right.text };
      const found = place && number.exec(place.text.replace(/^[\s:]+/u, ''))?.[0];
      if (!found) continue;
      const start = place.line.text.indexOf(found);
      return composedValue(found, addressConfidence, [{ line: place.line, start, end: start + found.length }]);
    }
  }
  return null;
}

function isPerson(name: string): boolean {
  return isPersonName(titleCased(name)) && isOrganizationName(name) === null;
}

/** W-9 asks who is paid for their tax number. */
const requestForNumber = new RegExp(`${shownOnReturn.source}|request for taxpayer`, 'iu');
const personNumber = /^\W{0,2}social security number\W*$/iu;
const companyNumber = /^\W{0,2}employer identification number\W*$/iu;

/** The second line of a W-9, in which a taxpayer who trades under another name states that. */
const businessName = /business name ?\/ ?disregarded entity/iu;

/** What a W-9 asks for above the line of the business's name, however it was read: the taxpayer's own. */
function aboveBusinessName(lines: readonly TextLine[], layout: Layout): TextLine | null {
  const caption = lines.find(({ text }) => businessName.test(text) && text.length < 90);
  const name = caption && neighboursOf(layout, caption).above;
  return name ? neighboursOf(layout, name).above : null;
}

/** The taxpayer's number, whose digits a W-9 has in boxes below its caption, each or some of them by themselves. */
function requestedNumber(lines: readonly TextLine[]): ExtractedValue | null {
  for (const [pattern, groups] of [
    [personNumber, /^(\d{3})(\d{2})(\d{4})$/],
    [companyNumber, /^(\d{2})(\d{7})$/],
  ] as const) {
    const caption = lines.find(({ text }) => pattern.test(text));
    if (!caption) continue;
    const unit = height(caption);
    // The other number's boxes may stand right below.
    const next = lines.find(
      ({ text, box }) => box.y0 > caption.box.y1 && (personNumber.test(text) || companyNumber.test(text)),
    );
    const parts = lines
      .filter(
        ({ text, box }) =>
          !(next && box.y0 >= next.box.y0) &&
          /^[\d\s|–—-]+$/u.test(text) &&
          (box.y0 + box.y1) / 2 > caption.box.y1 &&
          box.y0 < caption.box.y1 + 3 * unit &&
          box.x0 > caption.box.x0 - 2 * unit &&
          box.x0 < caption.box.x0 + 20 * unit,
      )
      .toSorted((a, b) => a.box.x0 - b.box.x0);
    const digits = parts.map(({ text }) => text.replace(/\D/g, '')).join('');
    const found = groups.exec(digits);
    // Empty boxes are read as zeros.
    if (found && /[1-9]/.test(digits))
      return composedValue(
        found.slice(1).join('-'),
        confidence,
        parts.map((line) => ({ line })),
      );
  }
  return null;
}

function isCaption(text: string): boolean {
  return (
    text.length <= longestCaption &&
    (nameCaption.test(text) || numberCaption.test(text) || streetCaption.test(text) || cityCaption.test(text))
  );
}

function sideOf(text: string): Side | null {
  return sides.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

function readParty(
  caption: TextLine,
  side: Side,
  layout: Layout,
  lines: readonly TextLine[],
  put: (name: string, text: string, stretches: readonly Stretch[]) => void,
): void {
  const box = linesBelow(caption, layout);
  const [first] = box;
  if (!first) return;
  const place = box.findLastIndex(({ text }) => hasPlace(text));
  const numbered = box.findIndex(({ text }) => isStreetLine(text));
  // A street without a number that is known as one still stands between the name and the town.
  const addressAt = numbered > 0 ? numbered : Math.min(place, 1);
  const name =
    nameBeside(first, caption, layout) ??
    namesBelowParts(first, caption, layout) ??
    brokenName(box.slice(0, addressAt < 0 ? box.length : addressAt)) ??
    withRest(first, caption, layout);
  put(
    `${side}_name`,
    name
      .map(({ text }) => text)
      .join(' ')
      .replace(/[\s,;]+$/, ''),
    name.map((line) => ({ line })),
  );
  if (addressAt > 0 && place >= addressAt) {
    const below = box[place + 1];
    const address = box.slice(addressAt, place + (below && isIndianState(below.text) ? 2 : 1));
    if (side === 'recipient')
      put(
        `${side}_address`,
        joined(address),
        address.map((line) => ({ line })),
      );
    return;
  }
  if (side !== 'recipient') return;
  // The address has boxes of its own further down: its street, and its town.
  const below = (pattern: RegExp) =>
    lines
      .filter(
        (line) =>
          pattern.test(captionWords.textOf(line)) &&
          line.box.y0 > caption.box.y0 &&
          Math.abs(line.box.x0 - caption.box.x0) < 12 * height(caption),
      )
      .map((line) => linesBelow(line, layout)[0])
      .find((line) => line !== undefined);
  const streetLine = below(streetCaption);
  const cityLine =
    below(cityCaption) ??
    (streetLine && lines.find((line) => isTownInBoxes(line, streetLine, layout))) ??
    lines.find(
      (line) =>
        hasPlace(repairedText(line)) &&
        line.box.y0 > (streetLine ?? first).box.y1 &&
        line.box.y0 - (streetLine ?? first).box.y1 < 6 * height(first) &&
        Math.abs(line.box.x0 - first.box.x0) < 3 * height(first),
    );
  const above = cityLine && lineAboveTown(cityLine, layout);
  const street = streetLine ?? (above && isStreetLine(above.text) ? above : undefined);
  if (!street || !cityLine) return;
  const streets = withRest(street, street, layout);
  const town = withTown(cityLine, layout);
  const text = [streets, town]
    .map((parts) =>
      parts
        .map(repairedText)
        .join(' ')
        .replace(/[\s,;]+$/, ''),
    )
    .join(', ');
  put(
    `${side}_address`,
    text,
    [...streets, ...town].map((line) => ({ line })),
  );
}

/** What stands above a town, or above its caption where that stands between them. */
function lineAboveTown(town: TextLine, layout: Layout): TextLine | null {
  const { above } = neighboursOf(layout, town);
  return above && cityCaption.test(captionWords.textOf(above)) ? neighboursOf(layout, above).above : above;
}

/** A company's name in two lines, the second of which the first asks for, goes on with it or ends with its legal form; null for others. */
function brokenName(lines: readonly TextLine[]): readonly TextLine[] | null {
  const [first, second] = lines;
  return first &&
    second &&
    lines.length === 2 &&
    isOrganizationName(first.text) !== 'legal_form' &&
    (/(?: (?:of|and|for|the|dba|d\/b\/a)|&|,)$/iu.test(first.text.trim()) ||
      /^(?:of|and|for|d[eu]s?|et|und|&) \p{Lu}/iu.test(second.text.trim()) ||
      (isOrganizationName(second.text) === 'legal_form' && second.text.trim().split(/\s+/).length <= 3))
    ? lines
    : null;
}

const height = ({ box }: TextLine) => box.y1 - box.y0;

function joined(lines: readonly TextLine[]): string {
  return lines.map(({ text }) => text.replace(/[\s,;]+$/, '')).join(', ');
}

/** What the parts of a name are called within its box. */
const partOfName = /^(?:(?:last|first|family|given|sur)[ -]?name|nom de famille|pr[ée]noms?|initiale?s?)(?!\p{L})/iu;
/** The same of both parts in one caption, which stand so close that they are read as one line. */
const bothParts = /^last name.*[ -]first name/iu;

/** Last name, first name and initials. */
const namesAsked = 3;

/** What stands below the captions of a name's parts side by side: `Last name`, `First name`; null where they have none. */
function namesBelowParts(first: TextLine, caption: TextLine, layout: Layout): readonly TextLine[] | null {
  const row = rowOf(layout, first);
  const parts = layout.lines.filter(
    (line) =>
      line.page === first.page &&
      partOfName.test(line.text) &&
      line.box.y0 > caption.box.y0 &&
      line.box.y0 < first.box.y0 &&
      first.box.y0 - line.box.y1 < 2 * height(first),
  );
  if (parts.length < 2 && !parts.some(({ text }) => bothParts.test(text))) return null;
  const start = Math.min(...parts.map(({ box }) => box.x0)) - height(first);
  const end = Math.max(...parts.map(({ box }) => box.x1)) + 4 * height(first);
  const names = row.filter(
    ({ text, box }) => box.x0 >= start && box.x0 < end && /^\p{Lu}[\p{L} .'’-]*$/u.test(text) && !partOfName.test(text),
  );
  return names.length > 1 && names.includes(first) ? names.slice(0, namesAsked) : null;
}

/** The name right of a caption in a list of captions, where what stands below is the next of them and nobody's name. */
function nameBeside(first: TextLine, caption: TextLine, layout: Layout): readonly TextLine[] | null {
  const { right } = neighboursOf(layout, caption);
  const beside = neighboursOf(layout, first).right;
  const isAligned = (a: TextLine, b: TextLine) => Math.abs(a.box.x0 - b.box.x0) < height(caption);
  if (!right || !isAligned(first, caption) || !isNamed(right) || isNamed(first)) return null;
  return isFormPhrase(first.text) || (beside && isAligned(beside, right)) ? [right] : null;
}

function isNamed({ text }: TextLine): boolean {
  return !isFormPhrase(text) && !isHeading(text) && (isOrganizationName(text) !== null || isPerson(text));
}

/** The lines of a box under its caption, up to the next caption. */
function linesBelow(caption: TextLine, layout: Layout): readonly TextLine[] {
  const found: TextLine[] = [];
  let line = neighboursOf(layout, caption).below;
  let last = caption;
  while (line && found.length < boxLines) {
    const gap = line.box.y0 - last.box.y1;
    // Above an employee's two names a W-2 leaves room for those of the box's parts, and a box for a name and address for more lines.
    const roomy = partsAsked.test(caption.text) ? 6 : givenNameCaption.test(caption.text) ? 4.5 : 3;
    const widest = found.length === 0 ? roomy : 2.6;
    if (gap > widest * Math.max(height(line), height(caption)) || line.box.x0 > caption.box.x0 + 14 * height(caption))
      break;
    const isContinued =
      found.length === 0 &&
      /^(?:or |and |zip|\(|\p{Ll})/u.test(line.text) &&
      (!/\d/.test(line.text) || /^\p{Ll}.*[.)]$/u.test(line.text));
    if (!isContinued) {
      const isNested = found.length === 0 && partOfName.test(line.text);
      if (!isNested && isCaption(captionWords.textOf(line)) && !(isStreetLine(line.text) && /\d/.test(line.text)))
        break;
      if (isNested) {
        last = line;
        line = neighboursOf(layout, line).below;
        continue;
      }
      if (/\p{L}{2}|\d{3}/u.test(line.text)) found.push(line);
    }
    last = line;
    line = neighboursOf(layout, line).below;
  }
  return found;
}

/** The caption of a box for a name with its address. */
const partsAsked = /name,? ?(?:street )?address/iu;

/** The caption of a box of two names, the first of which it calls; OCR loses a letter of its small print. */
const givenNameCaption = /(?:(?<!\p{L})|(?<=['’]s))fi?r?s?t name(?!\p{L})/iu;

const lastNameCaption = /^\W*last nam/iu;

/** A value with what stands beside it before the next box: first and last name, a street's number and name. */
function withRest(first: TextLine, caption: TextLine, layout: Layout): readonly TextLine[] {
  const parts = [first];
  const row = rowOf(layout, first);
  const lastName = rowOf(layout, caption).find(({ text }) => lastNameCaption.test(text));
  const isGivenName = givenNameCaption.test(caption.text);
  for (const line of row.slice(row.indexOf(first) + 1)) {
    const gap = line.box.x0 - parts.at(-1)!.box.x1;
    const isNear = gap < 4 * height(first);
    // Whatever OCR made of the caption, beside that of a last name it is the one of a given name.
    const isUnderLastName = lastName !== undefined && Math.abs(lastName.box.x0 - line.box.x0) < 1.5 * height(first);
    const isLastName = isUnderLastName || (isGivenName && gap < 20 * height(first));
    if (
      !(isNear || isLastName) ||
      !/^&$|^(?:& )?\p{L}[\p{L} .'’,&-]*(?:\d{5}(?:-\d{4})?)?$|^\d{5}(?:-\d{4})?$|^;? ?\p{L}{2},? ?\d{5}/u.test(
        line.text,
      )
    )
      break;
    parts.push(line);
    if (isLastName && !isNear) break;
  }
  const beside =
    parts.length === 1 && givenNameCaption.test(caption.text)
      ? rowOf(layout, caption).find(({ text }) => lastNameCaption.test(text))
      : undefined;
  const last = beside && linesBelow(beside, layout)[0];
  if (last && /^\p{Lu}[\p{L} '’-]+$/u.test(last.text.trim())) parts.push(last);
  return parts;
}

/** Whether a line in the box below a street's has a town, with its state and postal code in boxes beside it. */
function isTownInBoxes(line: TextLine, street: TextLine, layout: Layout): boolean {
  const [, ...parts] = rowOf(layout, line).map(({ text }) => text.trim());
  // OCR may read a state and the code behind it as one.
  const [state, code] = /^([A-Z]{2}),? (\d{5}(?:-\d{4})?)$/.exec(parts[0] ?? '')?.slice(1) ?? parts;
  return (
    rowOf(layout, line)[0] === line &&
    line.box.y0 > street.box.y1 &&
    line.box.y0 - street.box.y1 < 5 * height(street) &&
    Math.abs(line.box.x0 - street.box.x0) < height(street) &&
    /^[A-Z]{2}$/.test(state ?? '') &&
    /^\d{5}(?:-\d{4})?$/.test(code ?? '')
  );
}

/** A town with its state and postal code, which forms have in columns of their own. */
function withTown(first: TextLine, layout: Layout): readonly TextLine[] {
  const row = rowOf(layout, first);
  const rest = row
    .slice(row.indexOf(first) + 1)
    .filter(
      ({ text, box }) =>
        /^(?:[A-Z]{2}|\d{5}(?:-\d{4})?|[A-Z]{2},? \d{5}(?:-\d{4})?)$/.test(text.trim()) &&
        box.x0 - first.box.x1 < 60 * height(first),
    );
  return /\d{5}/.test(first.text) ? [first] : [first, ...rest.slice(0, 2)];
}

/** A tax number under its caption: digits, or letters and signs that hide them, in groups. */
function numberBelow(caption: TextLine, layout: Layout): Found | null {
  const below = linesBelow(caption, layout).slice(0, 2);
  const found = below.map(numberIn).find((each) => each !== null);
  // A person's number has a cell for each of its groups, or of its digits.
  const next = neighboursOf(layout, caption).below;
  const cells = next && /^\d$/.test(next.text) ? [next] : below;
  const grouped = found ? null : cells.map((line) => inCells(line, layout, /^\d{9}$/)).find((each) => each !== null);
  if (grouped) return { text: grouped.text.replace(/^(\d{3})(\d{2})/, '$1-$2-'), stretches: grouped.stretches };
  return found ?? numberInBox(caption, layout);
}

/** The one number in the box of a caption, at whichever of its edges: up to the next caption of the row. */
function numberInBox(caption: TextLine, layout: Layout): Found | null {
  const unit = height(caption);
  const { right } = neighboursOf(layout, caption);
  const end = right ? right.box.x0 : caption.box.x1 + 10 * unit;
  const found = layout.lines.flatMap((line) => {
    const { page, box } = line;
    const isInBox =
      page === caption.page &&
      box.y0 > caption.box.y1 - 0.3 * unit &&
      box.y0 - caption.box.y1 < 2.6 * unit &&
      box.x0 > caption.box.x0 - 0.5 * unit &&
      box.x1 < end + 0.5 * unit;
    return (isInBox && numberIn(line)) || [];
  });
  const [only, ...more] = found;
  return only && more.length === 0 ? only : null;
}

function numberIn(line: TextLine): Found | null {
  const match =
    /^[^\p{L}\d*]{0,2}([\dX*][\dX*A-Z]*(?: ?- ?[\dX*A-Z]+)+|[X*]{3}[-_][X*]{2}[-_]\d{4}|\d{5} ?\d{4} ?R[A-Z] ?\d{4}|\d{9}|[\dX*]{3} [\dX*]{3} [\dX*]{3}|\d{2} \d{3} \d{3} \d{3}|[\dX*]{3} [\dX*]{2} [\dX*]{4}|[\dX*]{5,}\d{4}|[A-Z]{5}\d{4}[A-Z]|[A-Z]{4}\d{5}[A-Z])(?![\p{L}\d])/iu.exec(
      line.text,
    );
  const text = match?.[1]?.trim() ?? '';
  if (!match || text.replace(/[^\dX*A-Z]/giu, '').length < 7) return null;
  const start = match.index + match[0].indexOf(match[1]!);
  // Beside stars OCR takes a dash for a stroke below them.
  return { text: text.replaceAll('_', '-'), stretches: [{ line, start, end: start + match[1]!.length }] };
}
