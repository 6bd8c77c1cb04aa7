import type { Box, ExtractedValue, Layout } from '@millrace/document-model';
import { hasPlace, isEstateLine, isMalaysianState, isStreetLine, isWholeAddress } from '../candidates/address-lines.ts';
import { countryOf } from '../candidates/country.ts';
import { isOrganizationName } from '../compose/names.ts';
import { composedValue } from '../compose/value.ts';
import { boxAround, isOnLine } from '../layout/geometry.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import { wordsAt } from '../layout/words-at.ts';
import { addressOfBlock, type PartyBlock, partyBlocksOf } from '../parties/blocks.ts';
import type { DocumentType } from '../types/definition.ts';
import { letters } from './same-text.ts';

/** The fields with addresses that have none of the names in them which other fields have. */
export function withoutNames(
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
      // In one line a mark parts the name from the street: `Example B.V. | Marktweg 3, 3511 NH Utrecht`.
      const [first = '', ...rest] = each.value.split(/\s+[|·•]\s+/u);
      const isName = known.includes(letters(first)) || isOrganizationName(first) === 'legal_form';
      const value = isName && rest.length > 0 ? rest.join(', ') : each.value;
      const parts = value.split(', ');
      // A name may have a comma in it: `Example, S.L.`.
      const isHead = known.includes(letters(parts.slice(0, 2).join('')));
      const own = (isHead ? parts.slice(2) : parts).filter((part) => !known.includes(letters(part)));
      return [name, own.length > 0 && own.join(', ') !== each.value ? { ...each, value: own.join(', ') } : each];
    }),
  );
}

/** A letter less sure than this is blurred, and so many words with one, as a share of an address as well, make no address. */
const blurredLetter = 0.65;
const blurredWords = 3;
const blurredShare = 0.34;

/** The fields without addresses that were read from blurred print: of three such words one is hardly ever right. */
export function withoutBlurredAddresses(
  type: DocumentType,
  fields: Readonly<Record<string, ExtractedValue>>,
  { document: { pages } }: Layout,
): Record<string, ExtractedValue> {
  const addresses = new Set(type.fields.flatMap(({ name, kind }) => (kind === 'address' ? [name] : [])));
  const isBlurred = ({ provenance }: ExtractedValue) => {
    // Of a word with a mark in it, the mark may be what is unsure.
    const words = provenance
      .flatMap((place) => wordsAt(place, pages.find(({ number }) => number === place.page)?.words ?? []))
      .filter(({ text }) => /^[\p{L}\d]{2,}$/u.test(text));
    const blurred = words.filter(({ leastConfidence }) => (leastConfidence ?? 1) < blurredLetter).length;
    return blurred >= blurredWords && blurred >= blurredShare * words.length;
  };
  return Object.fromEntries(Object.entries(fields).filter(([name, each]) => !addresses.has(name) || !isBlurred(each)));
}

/** The names on a licence, which have numbers as its address has: `1 DOE, 2 JANE, 8 12 MAIN ST`. */
const numberedNames = /^1[.]? \p{L}[^\d]{1,40}, (?:2[.]? \p{L}[^\d]{1,60}, )?8[.]? /u;

/** The fields with addresses of which only a part was taken made whole, by the block that they stand in. */
export function withWholeAddresses(
  type: DocumentType,
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const addresses = new Set(type.fields.flatMap(({ name, kind }) => (kind === 'address' ? [name] : [])));
  if (!Object.keys(fields).some((name) => addresses.has(name))) return { ...fields };
  const blocks = partyBlocksOf(layout);
  const isParty = (name: string) =>
    type.fields.some((field) => field.name === name && (field.kind === 'organization' || field.kind === 'name'));
  // A name may look like a street: `Route 9 Diner`.
  const named = new Set(Object.entries(fields).flatMap(([name, { value }]) => (isParty(name) ? [letters(value)] : [])));
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
          !numberedNames.test(address) &&
          !named.has(letters(address).slice(0, -part.length)) &&
          (letters(address).startsWith(part) ? lacksTown() : letters(address).endsWith(part) && lacksStreet()) &&
          addressLines.some((line) => each.provenance.some((place) => isOnLine(place, line))),
      );
      if (!whole) {
        const own = withBracketClosed(
          withRegionBelow(withoutTail(withoutHead(each, blocks), blocks, layout), layout),
          layout,
        );
        return [name, withTownBeside(own, layout)];
      }
      const { provenance } = addressOfBlock(whole, 0);
      return [name, { ...each, value: whole.address, provenance }];
    }),
  );
}

/** An address with the end of its last bracket, which stands in the line below: `12001 EJEMPLO (LA`, `RIOJA)`. */
function withBracketClosed(each: ExtractedValue, layout: Layout): ExtractedValue {
  const place = /\([^)]{0,40}$/.test(String(each.value)) ? each.provenance.at(-1) : undefined;
  const line = place && layout.lines.find((other) => isOnLine(place, other));
  const below = line ? neighboursOf(layout, line).below : null;
  const [rest] = /^[^()]{1,30}\)/u.exec(below?.text ?? '') ?? [];
  if (!below || !rest) return each;
  const { provenance } = composedValue(rest, 0, [{ line: below, start: 0, end: rest.length }]);
  return { ...each, value: `${String(each.value)} ${rest}`, provenance: [...each.provenance, ...provenance] };
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
  const isStreet = head.split(', ').some((part) => isStreetLine(part) || isEstateLine(part) || hasPlace(part));
  const isOther = isWholeAddress(head.replace(/, $/, ''));
  return own && text.endsWith(own.address) && (!isStreet || isOther) ? { ...each, value: own.address } : each;
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
  const rest = tail.findLastIndex(
    (part) =>
      isStreetLine(part) ||
      hasPlace(part) ||
      countryOf(part) !== null ||
      isMalaysianState(part) ||
      // A state or a province goes on right below.
      (isNear && isOrganizationName(part) !== 'legal_form' && letters(below.text).includes(letters(part))),
  );
  const value = [own?.address, ...tail.slice(0, rest + 1)].join(', ');
  return own && tail.slice(rest + 1).join('').length > 3 ? { ...each, value } : each;
}

/** What a form calls the box of a town, right of that of the street. */
const townCaption =
  /^\W*(?:c\.?a\.?p\.?|c\.?p\.?|localit[àa]|comune|citt[àa]|city|town|plz|ort|wohnort|code postal|ville|commune|c[óo]digo postal|poblaci[óo]n|localidad|localidade|postcode|woonplaats|plaats)(?!\p{L})/iu;

/** A street with no town below it, whose form has the town in the box beside: `Indirizzo`, `CAP e località`. */
function withTownBeside(each: ExtractedValue, layout: Layout): ExtractedValue {
  const [street = '', ...rest] = String(each.value).split(', ');
  const [place] = each.provenance;
  if (!place || hasPlace(String(each.value)) || rest.some(isStreetLine)) return each;
  const line = layout.lines.find((other) => isOnLine(place, other) && letters(other.text) === letters(street));
  const town =
    line && neighboursOf(layout, line).row.find((other) => other.box.x0 > line.box.x1 && hasPlace(other.text));
  const caption = town && neighboursOf(layout, town).above;
  if (!caption || !townCaption.test(caption.text)) return each;
  const province = neighboursOf(layout, town).right;
  const towns = [town, ...(province && /^\([A-Z]{2}\)$/.test(province.text) ? [province] : [])];
  const { value, provenance } = composedValue(
    `${street}, ${towns.map(({ text }) => text.trim()).join(' ')}`,
    0,
    [line, ...towns].map((each) => ({ line: each })),
  );
  return { ...each, value, provenance };
}

/** A state or province with its postal code, which may stand below the town: `ON L7R 1A3`. */
const codeOfTown = /^[A-Z]{2},? (?:[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{5}(?:-\d{4})?)$/;

/** An address with the province in parentheses, the state and postal code, or the state alone, that stand right below its last line. */
function withRegionBelow(each: ExtractedValue, layout: Layout): ExtractedValue {
  const text = String(each.value);
  const place = each.provenance.at(-1);
  const last = place && layout.lines.find((line) => isOnLine(place, line));
  const below = last && neighboursOf(layout, last).below;
  if (!last || !below || !letters(text).endsWith(letters(last.text))) return each;
  const { row } = neighboursOf(layout, below);
  const code = row.map((line) => line.text.trim()).join(' ');
  if (/^\([\p{L} .'-]{2,30}\)$/u.test(below.text) && isRightBelow(last.box, below.box)) {
    const { provenance } = composedValue(below.text, 0, [{ line: below }]);
    return { ...each, value: `${text} ${below.text}`, provenance: [...each.provenance, ...provenance] };
  }
  if (isMalaysianState(code) && isRightBelow(last.box, boxAround(row))) {
    const state = code.replace(/[\s.,]+$/, '');
    const { provenance } = composedValue(
      state,
      0,
      row.map((line) => ({ line })),
    );
    return { ...each, value: `${text}, ${state}`, provenance: [...each.provenance, ...provenance] };
  }
  if (!codeOfTown.test(code) || !/\p{L}{3}$/u.test(text) || !isWithinWidth(last.box, boxAround(row))) return each;
  const { provenance } = composedValue(
    code,
    0,
    row.map((line) => ({ line })),
  );
  return { ...each, value: `${text} ${code}`, provenance: [...each.provenance, ...provenance] };
}

/** Whether a line stands right below another one and goes out on neither side. */
function isWithinWidth(upper: Box, lower: Box): boolean {
  const height = upper.y1 - upper.y0;
  return lower.y0 - upper.y1 < 0.9 * height && lower.x0 > upper.x0 - height && lower.x1 < upper.x1 + height;
}

/** Whether a line goes on right below another one, at its left edge or about its middle. */
function isRightBelow(upper: Box, lower: Box): boolean {
  const height = upper.y1 - upper.y0;
  const offset = Math.min(Math.abs(upper.x0 - lower.x0), Math.abs(upper.x0 + upper.x1 - lower.x0 - lower.x1) / 4);
  return lower.y0 - upper.y1 < 0.9 * height && offset < height;
}
