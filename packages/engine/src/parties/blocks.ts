import type { Box, ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import {
  hasPlace,
  hasStreet,
  irishCounty,
  isDwelling,
  isPairOfWords,
  isStreetLine,
  isWholeAddress,
  stateCodes,
} from '../candidates/address-lines.ts';
import { captionPrefixEnd } from '../candidates/caption-prefix.ts';
import { foldText } from '../candidates/date.ts';
import { isFormPhrase, isHeading, isSentence } from '../candidates/headings.ts';
import { isLegible } from '../candidates/legible.ts';
import { withoutCountryCode } from '../candidates/parties.ts';
import { repairedText } from '../candidates/repair.ts';
import { detailStart, isDetail } from '../candidates/spans.ts';
import { unmarked } from '../candidates/unmarked.ts';
import { hasGivenName } from '../compose/given-names.ts';
import { isGreeting, isOrganizationName, isPersonName, letterHeight, titleCased } from '../compose/names.ts';
import { composedValue } from '../compose/value.ts';
import { boxAround } from '../layout/geometry.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import { type LabelledParty, labelledParties } from './labelled-lines.ts';

/** A party as pages set it: a name, and below it an address, one line under the other and aligned at the left. */
export interface PartyBlock {
  readonly page: number;
  /** Null where the address has no name above it. */
  readonly name: string | null;
  readonly nameLines: readonly TextLine[];
  /** What else stands above the address: who is written to at the party, or which of its departments. */
  readonly besides: readonly string[];
  readonly address: string;
  readonly addressLines: readonly TextLine[];
  /** What stands above the block or before its name, such as `Bill to`; null without one. */
  readonly caption: string | null;
  /** Whether a telephone number, mail or web address stands below or among its lines: it is a sender's rather. */
  readonly hasDetails: boolean;
  /** The lines that go on below its address: its country, numbers and how to reach it. */
  readonly detailLines: readonly TextLine[];
  readonly box: Box;
}

/** Bounds on hostile pages. */
const lineLimit = 1500;
const blockLimit = 40;
const blockLines = 7;
const detailLineLimit = 6;
/** What is longer and a sentence is no line of a name: how to pay stands right above where to. */
const longestName = 60;

/** What companies state at the foot of their letters, in one line with their address. */
const registration =
  /(?<!\p{L})(?:registered (?:in|office|number|no)|company (?:no|number|registration)|incorporated in|amtsgericht|ag \p{L}+,? hr[ab]|handelsregister|hr[ab]|rcs|siret|sede legale|registro mercantil)(?!\p{L})/iu;

const known = new WeakMap<Layout, readonly PartyBlock[]>();

/** All parties that stand as a block, from top to bottom. */
export function partyBlocksOf(layout: Layout): readonly PartyBlock[] {
  let blocks = known.get(layout);
  if (!blocks) {
    blocks = findBlocks(layout);
    known.set(layout, blocks);
  }
  return blocks;
}

/** A block's address with the lines that it was read from. */
export function addressOfBlock(
  { address, addressLines }: Pick<PartyBlock, 'address' | 'addressLines'>,
  confidence: number,
): ExtractedValue {
  return composedValue(
    address,
    confidence,
    addressLines.map((line) => ({ line })),
  );
}

function findBlocks(layout: Layout): readonly PartyBlock[] {
  const labelled = labelledParties(layout).map((party) => blockOfLabels(party, layout));
  const blocks: PartyBlock[] = [];
  const taken = new Set(labelled.flatMap(({ nameLines, detailLines }) => [...nameLines, ...detailLines]));
  for (const line of layout.lines.slice(0, lineLimit)) {
    if (blocks.length >= blockLimit) break;
    if (taken.has(line) || registration.test(line.text)) continue;
    const town = townBeside(line, layout);
    if (!town && !hasPlace(repairedText(line))) continue;
    const block = blockEndingWith(line, layout, { taken, town });
    if (!block) continue;
    for (const member of [...block.nameLines, ...block.addressLines]) taken.add(member);
    blocks.push(block);
  }
  if (labelled.length === 0) return blocks;
  return [...labelled, ...blocks].toSorted((a, b) => a.page - b.page || a.box.y0 - b.box.y0);
}

/** A party of labelled lines, below its heading: `Cessionario/committente (cliente)`. */
function blockOfLabels(party: LabelledParty, layout: Layout): PartyBlock {
  const { lines, nameLines, addressLines } = party;
  const first = lines[0]!;
  const { above } = neighboursOf(layout, first);
  const height = first.box.y1 - first.box.y0;
  const isHeaded = above && first.box.y0 - above.box.y1 <= 2.2 * height && isAligned(above, first);
  return {
    ...party,
    page: first.page,
    besides: [],
    caption: party.caption ?? (isHeaded ? above.text : null),
    hasDetails: lines.some(({ text }) => contact.test(text)),
    detailLines: lines.filter((line) => !nameLines.includes(line) && !addressLines.includes(line)),
    box: boxAround(lines),
  };
}

/** A postal code apart from its town, or a town apart from its code. */
const codeAlone = /^(?:(?:[A-Z]{1,2}-)?\d{5}|\d{4} ?[A-Z]{2}|\d{4}-\d{3})$/;
const townAndState = /^\p{Lu}[\p{L} .'-]{2,30},? [A-Z]{2}$/u;
/** The postal code of an American town, alone in its line. */
const stateCodeAlone = /^\d{5}(?:-\d{4})?$/;
const codeOfState = /^[A-Z]{2},? \d{5}(?:-\d{4})?$/;
/** How far apart, in heights of its letters, a form of fixed columns has a town and its state. */
const columnGap = 14;
const townAlone = /^\p{Lu}[\p{L}'’.-]{2,}(?: [\p{L}\d'’().-]+){0,4}$/u;

/** The town that a wide blank parts from its postal code, or the code from its town: `2371 CT   Roelofarendsveen`. */
function townBeside(line: TextLine, layout: Layout): TextLine | null {
  const { below } = townAndState.test(line.text) ? neighboursOf(layout, line) : { below: null };
  // Some accounting programs print the postal code on a line of its own, below the town and its state.
  if (below && stateCodeAlone.test(below.text.trim()) && isAligned(line, below) && isNearBelow(line, below))
    return below;
  const pair = codeAlone.test(line.text)
    ? townAlone
    : townAndState.test(line.text)
      ? stateCodeAlone
      : townAlone.test(line.text)
        ? codeOfState
        : null;
  const { right, above } = pair ? neighboursOf(layout, line) : { right: null, above: null };
  if (!right || !pair!.test(right.text) || isCaptionText(right.text)) return null;
  // A form of fixed columns has them far apart: `DEKALB          IL 60115`.
  const isPadded = pair === codeOfState;
  if (isPadded && !(stateCodes.has(right.text.slice(0, 2)) && above && isStreetLine(above.text))) return null;
  const gap = isPadded ? columnGap : 2;
  return right.box.x0 - line.box.x1 < gap * (line.box.y1 - line.box.y0) ? right : null;
}

function blockEndingWith(
  last: TextLine,
  layout: Layout,
  { taken, town }: { readonly taken: ReadonlySet<TextLine>; readonly town: TextLine | null },
): PartyBlock | null {
  const { below } = neighboursOf(layout, last);
  // A street with its number may look like a postal code with its town.
  if (
    below &&
    isAligned(last, below) &&
    isNearBelow(last, below) &&
    (hasPlace(repairedText(below)) || townBeside(below, layout) !== null) &&
    !registration.test(below.text)
  )
    return null;
  const { stack, numbers } = stackAbove(last, layout, { taken, town });
  const { above, inline } = captionOf(stack, layout);
  const street =
    addressStart(stack) ??
    (above === null ? null : salutation.test(above.trim()) ? belowSalutation(stack) : townBelowCompany(stack));
  if (street === null) return null;
  const isCaptioned = (inline.text ?? above) !== null;
  const names = nameAbove(stack.slice(0, street), stack.slice(street), isCaptioned);
  const nameLines = wholeName(names, stack.slice(0, street), layout);
  const start = buildingStart(stack, street, nameLines);
  const addressLines = [...stack.slice(start), ...(town ? [town] : [])];
  const first = stack[0]!;
  const name = nameOf(nameLines, nameLines[0] === first ? inline.length : 0);
  if (name !== null && !isPartyName(name)) return null;
  const own = stack.slice(Math.max(0, nameLines[0] ? stack.indexOf(nameLines[0]) : start));
  const detailLines = [...linesBelow(last, layout), ...numbers];
  const hasDetails =
    [...own, ...(below && isNearBelow(last, below) ? [below] : [])].some(
      ({ text }) => detailStart(text) >= 0 || contact.test(text),
    ) || detailLines.some(({ text }) => contact.test(text));
  const lines = [...nameLines, ...addressLines];
  return {
    page: last.page,
    name,
    nameLines,
    besides: stack.slice(0, start).flatMap((line) => (nameLines.includes(line) ? [] : [line.text.trim()])),
    address: joined(addressLines, nameLines.length === 0 && addressLines[0] === first ? inline.length : 0),
    addressLines,
    caption: inline.text ?? above ?? captionWithNumber(first, lines),
    hasDetails,
    detailLines,
    box: boxAround(lines),
  };
}

/** A mail or web address, or a telephone number: behind its caption, alone in its line as in Europe, or in American groups. */
const contact =
  /@|www\.|\(?\d{3}\)?[- .]\d{3}[- .]\d{4}|^(?:\+\d{2}|0\d)(?:[ ./()-]{0,2}\d){7,11}$|^(?:tel|tél|phone|ph|mob|móvil|movil|mobil|mobile|handy|fon|telefon|téléphone|telephone|teléfono|telefono|telefone|telefoon|tfno|tlf|port|portable|cell|cel|gsm)\.?[: ]+\+?(?:[ ./()-]{0,2}\d){7,14}$/iu;

/** The lines of a column that go on below an address, up to a caption or another address. */
function linesBelow(last: TextLine, layout: Layout): readonly TextLine[] {
  const lines: TextLine[] = [];
  let line = last;
  while (lines.length < detailLineLimit) {
    const { below } = neighboursOf(layout, line);
    if (!below || !isAligned(line, below) || !isNearBelow(line, below) || below.box.y0 < line.box.y0) break;
    const number = taxCaption.test(below.text) ? numberBeside(below, layout) : null;
    if (number === null && (/:\s*$/.test(below.text) || isCaptionText(below.text) || hasPlace(below.text))) break;
    lines.push(below, ...(number ? [number] : []));
    line = below;
  }
  return lines;
}

/** The caption of a tax number, alone in its line where a wide gap parts it from the number. */
const taxCaption =
  /^(?:vat|gst(?:in)?(?:\/uin)?|tax|abn|trn|ust|nif|cif|nipc|tva|p\.? ?iva|c\.? ?f|btw|nip|cnpj|siret|contribuinte)(?!\p{L})[\p{L}.\s/-]{0,24}[:#]?$/iu;

/** The number to the right of its caption, in the same box; null where none stands near. */
function numberBeside(caption: TextLine, layout: Layout): TextLine | null {
  const { right } = neighboursOf(layout, caption);
  const height = caption.box.y1 - caption.box.y0;
  return right && right.box.x0 - caption.box.x1 < 6 * height && /^[:\s]*(?=\S*\d)[A-Z\d .-]{8,20}$/.test(right.text)
    ? right
    : null;
}

/** Buildings and grounds that stand above a street, or in its place: `The Old Dairy`, `Airport Business Park`. */
const building =
  /(?<!\p{L})(?:house|building|tower|mill|dairy|barn|farm|cottage|lodge|hall|works|centre|center|estate|park|corn exchange|wharf|chambers|hangar|warehouse|depot|dock|campus|studios?|manor|mews|villa|annexe?|residence|batiment|immeuble|parc|zone industrielle|poligono|edificio|nave|palazzo|localita|gebaude|gewerbepark|halle|gebouw)(?!\p{L})|^the old /u;

/** Where the address begins whose street is at `street`: at the buildings between the name and that street. */
function buildingStart(stack: readonly TextLine[], street: number, nameLines: readonly TextLine[]): number {
  const name = stack.indexOf(nameLines.at(-1)!);
  if (nameLines.length === 0 || name < 0) return street;
  let start = street;
  const isBuilding = ({ text }: TextLine) => building.test(foldText(text)) && !isPairOfWords(text);
  while (start - 1 > name && isBuilding(stack[start - 1]!)) start -= 1;
  return start;
}

/** A tax number alone in its line, which may part a name from its address: `NIF: B73448120`. */
const taxNumberLine =
  /^(?:vat|gst(?:in)?|tax|abn|ust|nif|cif|nipc|tva|p\.? ?iva|c\.? ?f|btw|nip|cnpj|siret|contribuinte)(?!\p{L})[\p{L}.\s/-]{0,24}[:#]?\s*(?=\S*\d)[A-Z\d][A-Z\d .-]{5,20}$/iu;

/** Such a number without its caption, known by its letters: `B73448120`, `72801144K`. */
const bareTaxNumber = /^(?:[A-Z]{1,3}-?\d{7,12}[A-Z\d]?|\d{7,9}-?[A-Z])$/;

interface Stack {
  /** From the top of a column's stretch down to its last line. */
  readonly stack: readonly TextLine[];
  /** Tax numbers that part a name from its address. */
  readonly numbers: readonly TextLine[];
}

function stackAbove(
  last: TextLine,
  layout: Layout,
  { taken, town }: { readonly taken: ReadonlySet<TextLine>; readonly town: TextLine | null },
): Stack {
  const stack = [last];
  const numbers: TextLine[] = [];
  let line = last;
  while (stack.length < blockLines) {
    const { above } = neighboursOf(layout, line);
    const isNext = above && (isNearBelow(above, line) || (line === last && isTownApart(above, line, town)));
    if (!above || taken.has(above) || !isAligned(above, line) || !isNext || isBesideFlushLeft(above, stack)) break;
    if (isHeadOverWindow(above, stack) || !isLegible(above)) break;
    const isTaxNumber = taxNumberLine.test(above.text) || bareTaxNumber.test(above.text.trim());
    if (isTaxNumber && addressStart(stack) !== null) {
      numbers.push(above);
      line = above;
      continue;
    }
    if (/:\s*$/.test(above.text) || isDetail(above.text) || (above.text.length > longestName && isSentence(above.text)))
      break;
    if (isCaptionText(above.text)) {
      // Which of its accounts it is may stand below a company's name: `OPERATING ACCOUNT`.
      const over = neighboursOf(layout, above).above;
      const isOver = over && !taken.has(over) && isAligned(over, above) && isNearBelow(over, above);
      const isOfCompany = isOver && isOrganizationName(over.text) === 'legal_form' && !/\d/.test(over.text);
      if (isOfCompany && !salutation.test(above.text.trim())) stack.unshift(over, above);
      break;
    }
    stack.unshift(above);
    if (captionEnd(above) > 0 && !attention.test(above.text)) break;
    line = above;
  }
  return { stack, numbers };
}

/** Lines that are set as close as those of one address. */
const closeSet = 0.2;
/** How far above such lines, in heights of theirs, stands what is none of them. */
const apart = 0.8;
const partOfCompany = /(?<!\p{L})(?:departments?|dept|offices?|division|services?|abteilung)(?!\p{L})/iu;

/** Whether a company in larger letters stands apart above an organization and its address, as a letterhead above a window. */
function isHeadOverWindow(above: TextLine, stack: readonly TextLine[]): boolean {
  const first = stack[0]!;
  const height = first.box.y1 - first.box.y0;
  const isClose = stack.every((line, at) => at === 0 || line.box.y0 - stack[at - 1]!.box.y1 < closeSet * height);
  return (
    stack.length > 2 &&
    isClose &&
    first.box.y0 - above.box.y1 > apart * height &&
    letterHeight(above) > 1.15 * letterHeight(first) &&
    isOrganizationName(above.text) !== null &&
    isOrganizationName(first.text) !== null &&
    !partOfCompany.test(first.text)
  );
}

function isAligned(upper: TextLine, line: TextLine): boolean {
  const height = Math.max(upper.box.y1 - upper.box.y0, line.box.y1 - line.box.y0);
  const atRight = Math.abs(upper.box.x1 - line.box.x1);
  const atMiddle = Math.abs(upper.box.x0 + upper.box.x1 - line.box.x0 - line.box.x1) / 2;
  return Math.abs(upper.box.x0 - line.box.x0) <= 0.9 * height || atRight <= 0.5 * height || atMiddle <= 0.4 * height;
}

/** Lines that show that all of a block begin at one left edge. */
const flushLines = 3;

/** Whether a line begins elsewhere than the lines below it, which all have one left edge and no common right one. */
function isBesideFlushLeft(above: TextLine, stack: readonly TextLine[]): boolean {
  const [first] = stack;
  const unit = first!.box.y1 - first!.box.y0;
  const isAtEdge = ({ box }: TextLine) => Math.abs(box.x0 - first!.box.x0) < 0.2 * unit;
  const isRagged = stack.some(({ box }) => Math.abs(box.x1 - first!.box.x1) > 0.3 * unit);
  return (
    stack.length >= flushLines && stack.every(isAtEdge) && isRagged && Math.abs(above.box.x0 - first!.box.x0) > unit
  );
}

function isNearBelow(upper: TextLine, line: TextLine): boolean {
  const height = Math.max(upper.box.y1 - upper.box.y0, line.box.y1 - line.box.y0);
  return line.box.y0 - upper.box.y1 <= 1.1 * height;
}

/** How many heights of its letters a town stands at most below the street that a blank line parts it from. */
const blankLine = 2.8;

/**
 * Whether a blank line parts a town with its postal code from the street above it, as letters in windows have it.
 *
 * @param beside the town, where its code stands apart
 */
function isTownApart(street: TextLine, town: TextLine, beside: TextLine | null): boolean {
  const height = town.box.y1 - town.box.y0;
  return (
    /^(?:[A-Z]{1,2}-)?\d{4,5}(?:-\d{3})? \p{Lu}/u.test(`${town.text} ${beside?.text ?? ''}`) &&
    isStreetLine(street.text) &&
    Math.abs(street.box.x0 - town.box.x0) < 0.6 * height &&
    Math.abs(letterHeight(street) - letterHeight(town)) < 0.25 * height &&
    town.box.y0 - street.box.y1 < blankLine * height
  );
}

/** Houses where guests are, whose keeper may be named above them. */
const inn = /(?<!\p{L})(?:inn|arms|tavern|caf[eé]|bistro|guest ?house|b&b)$/iu;

/** Two lines of one name have letters of one size, but for their capitals. */
const sameSize = 1.2;

/** A name in letters that much larger than the address below it is no street, whatever words it has: `ROUTE 9 TIRES`. */
const largerName = 1.35;

/** The first of the last lines that are an address together; null where they have no street. */
function addressStart(stack: readonly TextLine[]): number | null {
  let start = stack.length - 1;
  const isWhole = hasStreet(stack[start]!.text);
  while (
    start > 0 &&
    stack.length - start < 4 &&
    isStreetLine(stack[start - 1]!.text) &&
    // A company's own address may stand right above its shop's.
    !isWholeAddress(stack[start - 1]!.text) &&
    !(start === 1 && isNamedAfterStreet(stack[0]!.text) && isNumberedStreet(stack[1]!.text)) &&
    letterHeight(stack[start - 1]!) < largerName * letterHeight(stack[start]!) &&
    !(isWhole && start < stack.length - 1)
  ) {
    start -= 1;
  }
  // In the country an Irish address has a townland, a town and a county, and no figure.
  const isRural = start === stack.length - 1 && stack.length >= 3 && countyAlone.test(stack[start]!.text);
  if (isRural && isPersonName(titleCased(stack[0]!.text))) return 1;
  if (start === stack.length - 1 && !isWhole) {
    const towns = townStart(stack);
    const most = britishCode.test(stack[start]!.text) || postalCode.test(stack[start]!.text) ? 3 : 1;
    if (towns !== null && towns.count <= most) return towns.start;
  }
  return isWhole || start < stack.length - 1 ? start : belowAddressee(stack);
}

/** Words that begin streets where these stand before the name: `Calle Mayor`, `Rue de la Paix`, `Jalan Besar`. */
const streetBegins = unmarked(
  /^(?:rue|allée|chemin|quai|impasse|route|cours|avenue|av|boulevard|bd|place|calle|c\/|avda|avenida|paseo|plaza|plza|pza|ronda|rambla|passeig|carrer|glorieta|traves[ií]a|camino|carretera|ctra|via|viale|v\.le|corso|c\.so|piazza|p\.zza|largo|strada|vicolo|contrada|rua|travessa|praça|praceta|calçada|estrada|alameda|jalan|jln|jl|lorong|am|an der|im|ul|p\.? ?o)(?!\p{L})/iu,
);

/**
 * Whether a name has a street's in it, behind which it goes on without a number: `Orchard Lane Dental`. A street would end
 * with that word, and so does a building's name.
 */
function isNamedAfterStreet(text: string): boolean {
  const words = text.trim().split(/\s+/);
  const isStreet = (count: number) => isStreetLine(words.slice(0, count).join(' '));
  const end = words.findIndex((_, at) => at > 0 && isStreet(at + 1)) + 1;
  return (
    !/\d/.test(text) &&
    end > 0 &&
    end < words.length &&
    !isStreetLine(words.slice(end).join(' ')) &&
    !isDwelling(text) &&
    !streetBegins.test(text) &&
    !building.test(foldText(text))
  );
}

const isNumberedStreet = (text: string) => /\d/.test(text) && isStreetLine(text) && !hasPlace(text);

/** Where the address begins below a person with a form of address, who may live at a hamlet: `Mme Jeanne Exemple`, `Le Bourg`. */
function belowAddressee(stack: readonly TextLine[]): number | null {
  const start = stack.findLastIndex(({ text }) => isAddressee(text)) + 1;
  const hamlets = stack.slice(start, -1);
  const most = postalCode.test(stack.at(-1)!.text) ? 3 : 2;
  return start > 0 && hamlets.length > 0 && hamlets.length <= most && hamlets.every(isHamlet) ? start : null;
}

const isHamlet = ({ text }: TextLine) => /^\p{Lu}[\p{L} ,.'’-]{2,30}$/u.test(text.trim());

/** The same of a person whose form of address stands above: `Frau`, `Anna Beispiel`, `Haus Alpenblick`. */
function belowSalutation(stack: readonly TextLine[]): number | null {
  const [name, house, ...rest] = stack;
  return name && house && rest.length === 1 && isPersonName(name.text) && isHamlet(house) ? 1 : null;
}

/** Where the address begins of a company at a caption, of which the town alone is stated: at the town. */
function townBelowCompany(stack: readonly TextLine[]): number | null {
  const company = stack.findIndex(({ text }) => isOrganizationName(text) === 'legal_form');
  const town = stack.length - 1;
  return company >= 0 && town > company && town - company <= 2 ? town : null;
}

const countyAlone = new RegExp(`^${irishCounty}$`, 'iu');

/** A British or Irish postal code on a line of its own. */
const postalCode = /^(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[AC-FHKNPRTV-Y]\d[\dW] [AC-FHKNPRTV-Y\d]{4})$/;

/** Such a code at the end of the line of a town or a county. */
const britishCode = /[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/;

/**
 * The street above a town and perhaps a county, which stand above their postal code, and how many lines these take; null
 * where there is none.
 */
function townStart(stack: readonly TextLine[]): { readonly start: number; readonly count: number } | null {
  // A postal code with its town may look like a number with its street.
  let street = stack.slice(0, -1).findLastIndex(({ text }) => isStreetLine(text) && !hasPlace(text));
  // In Britain a house or an estate with a name may have no street: `Riverside Works`.
  const isCoded = britishCode.test(stack.at(-1)!.text);
  if (street < 0 && isCoded)
    street = stack.slice(0, -1).findLastIndex(({ text }, at) => at > 0 && building.test(foldText(text)));
  const last = street;
  while (street > 0 && isStreetLine(stack[street - 1]!.text)) street -= 1;
  const towns = stack.slice(last + 1, -1);
  // A quarter may have the section's number before it: `U13/BG Bandar Setia Alam`.
  const isTown = ({ text }: TextLine) =>
    /^(?:\([A-Z]\) )?(?:[A-Z]{1,2}\d+\S* )?\p{Lu}[\p{L} ,.'-]{2,30}$/u.test(text.trim());
  return street >= 0 && towns.every(isTown) ? { start: street, count: towns.length } : null;
}

/** An address without the caption that stands before it on its line: `Address 4 Mill Lane`. */
export function withoutAddressCaption(text: string): string {
  return text.replace(/^(?:(?:service |mailing |billing |street )?address|(?:service )?location) (?=[\p{Lu}\d])/iu, '');
}

/** @param captionLength the characters of a caption that the first line begins with */
function joined(lines: readonly TextLine[], captionLength = 0): string {
  return withoutAddressCaption(
    lines
      .map((line, at) => {
        const before = lines[at - 1];
        const isBeside = before && before.box.x1 < line.box.x0 && before.box.y1 > line.box.y0;
        const isCode = before && stateCodeAlone.test(line.text.trim()) && townAndState.test(before.text.trim());
        const mark = isBeside || isCode ? ' ' : before ? ', ' : '';
        const own = at === 0 && captionLength > 0 ? { ...line, text: line.text.slice(captionLength) } : line;
        return mark + withoutCountryCode(repairedText(own).trim()).replace(/[\s,;]+$/, '');
      })
      .join('')
      // Chains print the number of the shop before its house's: `#04417 2211 W Diversey Ave`.
      .replace(/^# ?\d{3,6} (?=\d{1,6} \p{L})/u, ''),
  );
}

/** What is left above an address: its name, which may take a second line for its legal form or its rest. */
function nameAbove(
  lines: readonly TextLine[],
  address: readonly TextLine[],
  isCaptioned: boolean,
): readonly TextLine[] {
  const isName = ({ text }: TextLine) =>
    (/\p{L}{2}/u.test(text) || isContinuation(text)) &&
    !isDetailLine(text) &&
    !isBranch(text) &&
    !isReturnLine(text) &&
    !attention.test(text) &&
    !isForNobodyElse(text) &&
    !isGreeting(text) &&
    !profession.test(text.trim()) &&
    !salutation.test(text.trim());
  // What stands above a line of numbers belongs to somebody else, or to the page.
  const numbered = lines.findLastIndex(({ text }) => isDetailLine(text));
  const nearest = lines.slice(numbered + 1).filter(isName);
  const known = nearest.length > 0 ? nearest : lines.filter(isName);
  // A web address is a name where there is no other.
  const all = known.every(isDomain) ? known : known.filter((line) => !isDomain(line));
  // A house with a name stands below that of who is there: `Mr & Mrs Major`, `Rose Cottage`.
  const names = all.filter(
    ({ text }, at) =>
      at === 0 || !building.test(foldText(text)) || isOrganizationName(text) !== null || !isWholeOwner(all[0]!),
  );
  const [first, second] = names;
  if (!first || !second) return first ? [first] : [];
  // Which of a town's offices it is stands below its name: `UTILITY BILLING`.
  if (authority.test(first.text) && !addressed.test(second.text)) return [first];
  if (isCouple(first, second)) return [first];
  // Of a person with a title the organization stands below both: `Ms. Andrea Muster`, `Executive Director`.
  const [, , third] = names;
  const isTitled = third && !isContinuation(third.text) && isOrganizationName(second.text) === null;
  if (isTitled && isAddressee(first.text) && !addressed.test(second.text) && isOrganizationName(third.text) !== null)
    return [third];
  // Below a letterhead, or a slogan, a person is whom the letter is sent to.
  const last = names.at(-1)!;
  // Who is written to at a company may stand above it.
  const isKnown = hasGivenName(first.text) || addressed.test(first.text);
  const isWhole = second.text.trim().split(/\s+/).length > (isKnown ? 1 : 2) && !isContinuation(second.text);
  const isCompany =
    isOrganizationName(second.text) === 'legal_form' ||
    ((isKnown || isCaptioned) && isOrganizationName(second.text) !== null && !building.test(foldText(second.text))) ||
    (addressed.test(first.text) && inn.test(second.text)) ||
    / (?:&|\+) /.test(second.text);
  if (isBroken(first.text, second.text)) return [first, second];
  if (isListOfTrades(second.text)) return [first];
  // A letterhead may stand right above the window in which its letter is addressed.
  const isUnderHead =
    isOrganizationName(first.text) !== null &&
    isOrganizationName(second.text) === 'legal_form' &&
    !isContinuation(second.text) &&
    letterHeight(first) > largerName * letterHeight(second);
  if (isUnderHead) return [second];
  const isSetLarger = letterHeight(first) > largerName * letterHeight(second);
  if (isWhole && isPersonName(titleCased(first.text)) && !isOrganizationName(first.text) && isCompany)
    return isSetLarger && isOrganizationName(second.text) !== 'legal_form' ? [first] : [second];
  const isHead = letterHeight(first) > 1.15 * letterHeight(last) || names.length > 2 || !isOrganizationName(first.text);
  // Who is written to at a company stands below it in the same letters.
  const isSameSize = letterHeight(first) < 1.15 * letterHeight(last);
  if (addressed.test(last.text) && isSameSize && isOrganizationName(first.text) !== null && !writing.test(first.text))
    return [first];
  if (addressed.test(last.text) && isPersonName(titleCased(last.text))) return [last];
  // Below a person's own name stands what they are: `Freie Lektorin`.
  if (hasGivenName(first.text) && isPersonName(titleCased(first.text)) && !hasGivenName(last.text) && !isSameSize)
    return [first];
  const isLogo = letterHeight(first) > 1.4 * letterHeight(last);
  // What a company deals in may look like a person's name: `Ferretería Industrial`.
  const mayBePerson = isOrganizationName(first.text) !== 'legal_form' || hasGivenName(titleCased(last.text));
  if (isHead && mayBePerson && isPersonName(titleCased(last.text)) && (isLogo || !isPersonName(titleCased(first.text))))
    return [last];
  const usual = 1.15 * Math.max(...address.map(letterHeight));
  const isSetAsOne =
    letterHeight(second) > usual &&
    letterHeight(first) > usual &&
    letterHeight(first) < sameSize * letterHeight(second);
  // A logo's words again, in the full name below it.
  const initial = (text: string) => foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
  const whole = names.slice(1).find(({ text }) => initial(text).includes(initial(first.text)) && !isContinuation(text));
  if (whole === second || (whole && isOrganizationName(whole.text) === 'legal_form')) return [whole];
  const isRest =
    !isOrganizationName(first.text) &&
    !isPersonName(first.text) &&
    isOrganizationName(second.text) !== null &&
    letterHeight(first) < 1.3 * letterHeight(second);
  return isContinuation(second.text) || isSetAsOne || isRest ? [first, second] : [first];
}

/** Whether two people are written to, one below the other in the same letters: both with a form of address, or of one surname. */
function isCouple(first: TextLine, second: TextLine): boolean {
  const surnameOf = ({ text }: TextLine) => foldText(text.trim().split(/\s+/).at(-1)!);
  const isSameSize = Math.abs(letterHeight(first) - letterHeight(second)) < 0.15 * letterHeight(first);
  return (
    isSameSize &&
    [first, second].every(({ text }) => isPersonName(titleCased(text)) && isOrganizationName(text) === null) &&
    ([first, second].every(({ text }) => addressed.test(text)) || surnameOf(first) === surnameOf(second))
  );
}

/** A name with the lines around it that are a part of it: its legal form, or what stands with it in one line elsewhere. */
function wholeName(nameLines: readonly TextLine[], above: readonly TextLine[], layout: Layout): readonly TextLine[] {
  const [first, last] = [nameLines[0], nameLines.at(-1)];
  if (!first || !last) return nameLines;
  const before = above[above.indexOf(first) - 1];
  const behind = above[above.indexOf(last) + 1];
  if (behind && legalForm.test(behind.text.trim())) return [...nameLines, behind];
  const isSurname = !/\s/.test(joinedName(nameLines).trim());
  if (before && isSurname && /^(?:familie|famille|famiglia|familia)$/iu.test(before.text.trim()))
    return [before, ...nameLines];
  const whole = before ? joinedName([before, ...nameLines]) : '';
  const isPrinted =
    before && layout.lines.slice(0, lineLimit).some((line) => line !== before && line.text.includes(whole));
  return isPrinted ? [before, ...nameLines] : nameLines;
}

/** A legal form alone in its line, below the rest of the name. */
const legalForm =
  /^(?:(?:g?GmbH|KG|OHG|AG)(?: ?& ?Co\.? ?(?:KG|OHG|KGaA))?|mbH|& Co\.? KG|Inc\.?|LLC|Ltd\.?|Limited|PLC|Pty Ltd|S\.?A\.?S\.?|S\.?A\.?R\.?L\.?|S\.?R\.?L\.?|S\.?p\.?A\.?|S\.?L\.?(?:U\.?)?|B\.?V\.?|L[dD][aA]\.?)$/u;

function isDomain({ text }: TextLine): boolean {
  return /^[a-z\d-]{4,}(?:\.[a-z\d-]+)*\.[a-z]{2,8}$/iu.test(text.trim());
}

/** The sender in one line above the window of an envelope, perhaps without a street: `Example AG, 28199 Bremen`. */
function isReturnLine(text: string): boolean {
  const [, ...parts] = text.split(/,\s*|\s[·•|]\s/u);
  return parts.length > 0 && hasPlace(parts.at(-1)!);
}

/** What somebody sells or does, below their name: `Fruits & légumes – crèmerie – marée`, `Slating · Tiling`. */
export function isListOfTrades(text: string): boolean {
  const parts = text.split(/ ?[·•|] ?| [-–—] ?|[-–—] |, /u).filter((part) => /\p{L}{3}/u.test(part));
  const least = /[·•|]/u.test(text) ? 2 : 3;
  return parts.length >= least && !/\d/.test(text) && isOrganizationName(text) !== 'legal_form';
}

/** What the people of a firm are, in a line below its name: `ATTORNEYS AT LAW`, `Rechtsanwälte und Notare`. */
const profession =
  /^(?:(?:attorneys?|lawyers?|solicitors?|barristers?|counsell?ors?|advocates?|notar(?:y|ies) public|(?:certified public|chartered) accountants?|cpas?|architects?|(?:chartered |consulting )?(?:surveyors?|engineers?)|veterinary surgeons?|rechtsanw[aä]lt(?:e|in|innen)?|fachanw[aä]lte|notar(?:e|in)?|steuerberater(?:in)?|wirtschaftsprüfer|architekt(?:en|in)?|ingenieure?|avocats?|notaires?|architectes?|expert[s-]*comptables?|huissiers?|abogad[oa]s?|notari[oa]s?|procurador(?:es)?|arquitect[oa]s?|avvocat[oi]|commercialist[ai]|geometr[ai]|architett[oi]|advogad[oa]s?|solicitador(?:es)?|advocaten?|notarissen|accountants?)(?:,? (?:&|and|und|et|y|e|en|at law|a law corporation|at the bar|associés|à la cour)|[,·•/-])*\s*)+$/iu;

const authority =
  /^(?:(?:city|town|township|county|village|borough|commonwealth|municipality) of|(?:commune|ville|municipio|ayuntamiento|c[âa]mara municipal) (?:de|d['’]|da|do)|comune di) ?\p{Lu}/iu;

/** Which of a bank's or company's branches it is. */
const branch =
  /^(?:[Aa]gence(?= (?:de )?\p{Lu}{2})|[Ss]uccursale|[Ss]ucursal|[Oo]ficina|[Ff]iliale?|[Gg]eschäftsstelle|[Zz]weigstelle|[Aa]genzia(?= di)|[Aa]gência(?= de)|[Kk]antoor) (?:de |d['’]|di |du |do |da )?\p{Lu}|^(?:\p{Lu}[\p{L}.'’-]+ ){1,4}Branch(?: Office)?$/u;

/** The same in capitals; an agency of the kind that trades under its own name is none: `AGENCE IMMOBILIÈRE DES HALLES`. */
const branchInCapitals =
  /^(?:AGENCE|SUCCURSALE|SUCURSAL|FILIALE?|GESCH[ÄA]FTSSTELLE|ZWEIGSTELLE|AG[ÊE]NCIA|AGENZIA|KANTOOR) (?:(?:DE|DI|DU|DO|DA) |D['’])?(?!IMMO|VOYAGE|COMMUNICATION|PUBLICIT|[ÉE]V[ÉE]N|INT[ÉE]RIM|VIAJE|VIAGGI|INMOBILIARIA|IMMOBILIARE)\p{Lu}[\p{Lu} .'’-]+$/u;

/** Whether a line says which of a bank's or company's branches it is rather than who it is. */
export function isBranch(text: string): boolean {
  return branch.test(text) || branchInCapitals.test(text);
}

/** Who is to get the letter at a company that is named above. */
const attention = unmarked(
  /^(?:attn|attention|att|c\/o|p\/a|z\. ?hd\.?|zu händen|à l['’]attention|t\.? ?a\.? ?v|ter attentie|a la atención|alla c\.? ?a)\b[ .:]/iu,
);

/** Whether a line says who is to get the letter at a company that is named above. */
export function isAttention(text: string): boolean {
  return attention.test(text);
}

/** What is written above an addressee whose letter nobody else is to open. */
const forNobodyElse =
  /^(?:(?:strictly )?(?:private|personal|confidential)|persönlich|vertraulich|streng vertraulich|persoonlijk|vertrouwelijk|personnel|confidentiel|personal|confidencial|personale|riservat[oa]|pessoal)(?:(?: ?[/&,+-] ?| and | und | en | et | y | e )(?:confidential|vertraulich|persönlich|vertrouwelijk|confidentiel|confidencial|riservat[oa]))?[.!:]?$/iu;

function isForNobodyElse(text: string): boolean {
  return forNobodyElse.test(text.trim());
}

/** A person with a form of address, as the addressee of a letter has one. */
const addressed =
  /^(?:m(?:r|onsieur)?\.? ?(?:et|ou) m(?:adame|me)|(?:mrs?|ms|miss|dr|herrn?|frau|mme|mlle|monsieur|madame)\.?|m\.|sr\.|sra\.|sig\.)(?:\s|(?<=\.)(?=\p{L}))/iu;

/** Whether a name begins with a form of address: `Mr O Muster & Ms T Beispiel`. */
export function hasFormOfAddress(name: string): boolean {
  return addressed.test(name);
}

/** Whether a town or a county is named as one that has a government: `City of Denver`. */
export function isAuthority(text: string): boolean {
  return authority.test(text);
}

/** Organizations that write to people more than they are written to. */
const writing = /bank|sparkasse|banque|banc[ao]|insurance|versicherung|assurance|energ|krankenkasse|hospital|clinic/iu;

/** Several people of one name, by their forms of address: `M. et Mme Exemple`. */
const household =
  /^(?:(?:m|mr|monsieur|herrn?|sr|sig|dhr|de heer)\.? ?(?:et|ou|&|and|und|e|y|en) ?(?:mme|madame|mrs|frau|sra|sig\.ra|mevr|mevrouw|mw)\.?|familie|famille|fam\.|famiglia|familia|eheleute)\s+\p{Lu}[\p{L}'’ -]+$/iu;

/** Whether a line is a name to its end: of a company by its legal form, or of people at their home. */
function isWholeOwner(line: TextLine): boolean {
  return isHome(line) || isOrganizationName(line.text) === 'legal_form';
}

/** Whether a line names people with a form of address, as at their home. */
function isHome({ text }: TextLine): boolean {
  return isAddressee(text) || /^(?:mr|dr) (?:&|and) mrs /iu.test(text);
}

function isAddressee(text: string): boolean {
  return (addressed.test(text) && isPersonName(titleCased(text))) || household.test(text);
}

/** Forms of address on a line of their own, above a name. */
const salutation = unmarked(
  /^(?:herrn?|frau|familie|eheleute|firma|company|messrs|herrn? und frau|(?:de heer|dhr|hr)\.? (?:en|&) (?:mevrouw|mevr|mw)|m(?:onsieur|r)?\.? (?:et|ou) m(?:adame|me)|mr\.? (?:&|and) mrs|famille|fam|an|to|mr|mrs|ms|miss|dr|m|mme|mlle|monsieur|madame|sr|sra|señora?|spett\.?(?:le)?|gentile|(?:gent(?:\.ma|\.mo|ile)|egr(?:\.|egio)) ?sig\.?(?:ra|na|nor|nora)?|the secretary|the managers?|the directors?|the occupier|accounts(?: payable(?: [A-Z]{2,4}-?\d+)?| dep(?:artmen)?t\.?)?|finance(?: dep(?:artmen)?t\.?)?|buchhaltung|geschäftsleitung|service comptabilité|administración|amministrazione|crediteurenadministratie)\.?:?$/iu,
);

/** A line of a mail sorter's numbers above an addressee, or of a number with its caption. */
function isDetailLine(text: string): boolean {
  const letters = text.replace(/[^\p{L}]/gu, '').length;
  const digits = text.replace(/\D/g, '').length;
  return digits > letters || digits > 5 || /:.*\d/.test(text);
}

function isContinuation(text: string): boolean {
  return /^(?:inc|llc|llp|ltd|limited|plc|corp|corporation|co|company|pty|pvt|private limited|gmbh|ag|kg|s\.?a\.?s?|s\.?a\.?r\.?l|s\.?r\.?l|s\.?p\.?a|s\.?l|b\.?v|n\.?v|a\/s|ab|aps|oy|lda|ltda|sp\.? ?z)(?![\p{L}\d])\.?/iu.test(
    text,
  );
}

/** Words and marks that no name ends with. */
const joining =
  /(?:[&+,-]|\s(?:de|del|de la|do|da|dos|das|di|della|dei|du|des|of|the|for|für|und|u\.|and|et|ou|or|y|e|en|en\/of|e\/ou|y\/o|AND|OR|UND|ET|OU|EN\/OF|E\/OU|Y\/O|von|van|der|des|zu|zur))$/u;

/** Whose a firm is, below its name: `di Rossi Mario`, `& Figli`. */
const ofOwner =
  /^(?:di(?: \p{Lu}[\p{L}'’-]+){2,3}(?: & C\.?)?|& (?:Co|Cie|C|Figli|Söhne|Sohn|Sons?|Fils|Hijos|Filhos|Zonen|Zn)\.?(?: .{2,12})?)$/u;

/** Whether a name goes on in its second line: behind a joining word, or within a person's name or that of partners. */
function isBroken(first: string, second: string): boolean {
  if (joining.test(first.trim()) || ofOwner.test(second.trim())) return true;
  const given = first.trim().split(/\s+/).at(-1)!;
  const isSurname =
    !isPersonName(first) && /^\p{Lu}\p{Ll}+$/u.test(second.trim()) && hasGivenName(`${given} ${second.trim()}`);
  const arePartners =
    / di \p{Lu}/u.test(first) && hasGivenName(second) && / & (?:C|Co|Cie|Figli)\.? \p{L}/u.test(second);
  if (first.trim().includes(' ')) return isSurname || arePartners;
  // What a firm is may stand above its partners: `Hausverwaltung`, `Beispiel & Sohn`.
  const isKind = /^\p{Lu}\p{Ll}{5,}$/u.test(first.trim()) && !hasGivenName(first) && !second.includes(first.trim());
  return isKind && /^\p{Lu}[\p{L}-]+ (?:&|und|et) \p{Lu}/u.test(second);
}

function joinedName(lines: readonly TextLine[]): string {
  return lines.map(({ text }) => text.trim()).join(' ');
}

function nameOf(lines: readonly TextLine[], captionLength: number): string | null {
  const text = joinedName(lines)
    .slice(captionLength)
    .replace(/ \([^()]*\d{3}[^()]*\)$/u, '')
    // Of who is billed and who gets the goods, side by side, as one line.
    .replace(/^(.{4,}) \1$/u, '$1')
    .replace(/^[\s:;,.*-]+|[\s:;,*-]+$/g, '')
    .replace(/^(?:(?:customer |service |account )?name|customer|service for|employed by) (?=\p{Lu})/iu, '');
  return text === '' ? null : text;
}

/** An initial, a title or an abbreviation has its full stop within a name. */
const sentenceEnd =
  /(?:[!?]|\p{L}{3}(?<!(?:^|[\s.])(?:Prof|Mrs|Mevr|Mej|Mlle|Ltd|Inc|[Mm]ed|Dipl|[Ss]dn|SDN|P(?:vt|te|ty)|Soc|Coop|C[ií]a|Hnos|Inh|Gebr|Ets|Bros|Mfg|Intl|Ing|Dott|Avv|Arch|Geom|Rag))\.) \p{Lu}/u;

function isPartyName(name: string): boolean {
  return (
    name.length >= 2 &&
    name.length <= 80 &&
    !/[|·•]/.test(name) &&
    /\p{L}{2}/u.test(name) &&
    !sentenceEnd.test(name.slice(4))
  );
}

function isCaptionText(text: string): boolean {
  return isHeading(text) || isFormPhrase(text) || servedAt.test(text.trim());
}

/** What stands above the place that a bill is for, on a line of its own. */
const servedAt = /^(?:for )?(?:services?|supply|electricity|gas|water) (?:provided )?(?:at|to)\W*$/iu;

interface Captions {
  /** The caption before the block's first name, and the characters that it takes. */
  readonly inline: { readonly text: string | null; readonly length: number };
  readonly above: string | null;
}

function captionOf(stack: readonly TextLine[], layout: Layout): Captions {
  const first = stack[0]!;
  const length = captionEnd(first);
  const inline = length > 0 ? { text: first.text.slice(0, length), length } : { text: null, length: 0 };
  const { above: over, left } = neighboursOf(layout, first);
  const height = first.box.y1 - first.box.y0;
  // Of several captions above a wide name, its own begins where it does: `VENDOR` beside `Vendor # 20771`.
  const beside = over && over.box.x0 - first.box.x0 > height ? neighboursOf(layout, over).left : null;
  const above = beside && Math.abs(beside.box.x0 - first.box.x0) <= height ? beside : over;
  const isLeft =
    left &&
    left.text.length <= 40 &&
    isCaptionText(left.text) &&
    !salutation.test(left.text.trim()) &&
    !isHeadOfColumn(left, layout);
  if (isLeft) return { inline, above: left.text };
  const isNear =
    above && first.box.y0 - above.box.y1 <= 2.2 * height && Math.abs(above.box.x0 - first.box.x0) <= 3 * height;
  const isCaption = isNear && above.text.length <= 50 && (/:\s*$/.test(above.text) || isCaptionText(above.text));
  return { inline, above: isCaption ? above.text : null };
}

/** A caption with the number that its party has, above a block: `Vendor 203318`. */
function captionWithNumber(first: TextLine, own: readonly TextLine[]): string | null {
  const caption = own.includes(first)
    ? undefined
    : /^(\p{L}[\p{L} ]{2,20}?)[ :#.]*\d{3,10}$/u.exec(first.text.trim())?.[1];
  return caption && isCaptionText(caption) ? caption : null;
}

/** Whether a caption has its own text right below it, and so says nothing of what stands beside it. */
function isHeadOfColumn(caption: TextLine, layout: Layout): boolean {
  const { below } = neighboursOf(layout, caption);
  return below !== null && isNearBelow(caption, below) && isAligned(caption, below) && !isCaptionText(below.text);
}

/** The characters of a caption before a name in the same line; 0 where the caption is all there is. */
function captionEnd(line: TextLine): number {
  const colon = /^[^:]{2,30}:\s*(?=\p{L}{2})/u.exec(line.text);
  if (colon && !/\d/.test(colon[0])) return colon[0].length;
  if (isStreetLine(line.text)) return 0;
  const end = captionPrefixEnd(line.words);
  return end > 3 && end < line.text.length && /[:.]\s*$/.test(line.text.slice(0, end)) ? end : 0;
}
