import type { ExtractedValue, Layout, TextLine, Word } from '@millrace/document-model';
import { hasPlace, hasStreet, isStreetLine } from '../../candidates/address-lines.ts';
import { foldText } from '../../candidates/date.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { isOrganizationName, isPersonName, titleCased } from '../../compose/names.ts';
import { composedValue } from '../../compose/value.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { addressOfBlock, partyBlocksOf } from '../../parties/blocks.ts';
import { addressAtFoot, addressUnderHead } from '../../parties/letterhead.ts';
import { headedAgain } from '../../parties/parties.ts';
import { addressOfRows } from './address-run.ts';
import { isOfCustomer, isTitledPerson, topOfFirstSum } from './head.ts';

/** How many lines at the top are a receipt's head. */
const headLineLimit = 8;
/** Bounds on hostile pages. */
const lineLimit = 400;

/** The address of the block whose name heads the receipt as well. */
function addressHeadedAgain(layout: Layout): ExtractedValue | null {
  const again = headedAgain(layout);
  return again ? addressOfBlock(again, headAddressConfidence) : null;
}

/** Where a merchant is, by what stands at the head of its receipt, or else at the foot; null where that is unsure. */
export function merchantAddress(layout: Layout): ExtractedValue | null {
  const found =
    addressOfOutlet(layout) ??
    addressUnderHead(layout) ??
    addressHeadedAgain(layout) ??
    addressAtFoot(layout) ??
    addressAtHead(layout);
  const ofRows = addressOfRows(layout);
  return asRead(ofRows && (!found || isWithin(found, ofRows)) ? ofRows : found, layout);
}

/** What stands before the address of the shop where a chain's seat has one as well: `P.NTO VENDITA: CORSO ESEMPIO 36`. */
const outlet =
  /^(?:p(?:un|\.? ?n)?to\.? ?(?:di |de )?(?:vendita|venta|venda)|p\. ?v\.|filiale|succursale|tienda|centro|magasin|loja|store)\s*:\s*(?=\p{L})/iu;

/** The shop's own street at such a caption with the town below it, beside the address of the seat; null without both. */
function addressOfOutlet(layout: Layout): ExtractedValue | null {
  const heads = layout.lines.slice(0, headLineLimit + 4);
  if (!heads.some(({ text }) => registeredOffice.test(text))) return null;
  for (const line of heads) {
    const [caption] = outlet.exec(line.text) ?? [];
    const street = caption === undefined ? '' : line.text.slice(caption.length).trim();
    if (caption === undefined || !isStreetLine(street)) continue;
    const { below } = neighboursOf(layout, line);
    const stretch = { line, start: caption.length };
    if (hasPlace(street) && hasStreet(street)) return composedValue(street, outletConfidence, [stretch]);
    if (below && hasPlace(below.text))
      return composedValue(`${street.replace(/[\s,;]+$/, '')}, ${below.text.trim()}`, outletConfidence, [
        stretch,
        { line: below },
      ]);
  }
  return null;
}

/** Above what the scorer thinks of the seat's address. */
const outletConfidence = 84;

/** Whether an address is a part of another one, which has more of its rows. */
export function isWithin(part: ExtractedValue, whole: ExtractedValue): boolean {
  const letters = (value: ExtractedValue) => foldText(String(value.value)).replace(/[^\p{L}\d]/gu, '');
  return letters(whole).includes(letters(part));
}

/** What the least sure letter of an address has to have: structure alone does not tell a street's letters. */
const leastLetter = 0.3;

/** An address all of whose letters were read well enough; null for others. */
function asRead(address: ExtractedValue | null, layout: Layout): ExtractedValue | null {
  const isInside = (word: Word) =>
    address?.provenance.some(({ box }) => {
      const [x, y] = [(word.box.x0 + word.box.x1) / 2, (word.box.y0 + word.box.y1) / 2];
      return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1;
    });
  // Of a word with a mark behind it, the mark may be what is unsure.
  const isDoubtful = ({ text, leastConfidence }: Word) =>
    /^[\p{L}\d]{2,}$/u.test(text) && (leastConfidence ?? 1) < leastLetter;
  return layout.lines.some(({ words }) => words.some((word) => isDoubtful(word) && isInside(word))) ? null : address;
}

/** Below what the scorer thinks of an address that it found. */
const headAddressConfidence = 56;

/** What stands before the name of who runs a shop, above its address. */
const ofShop =
  /^(?:(?:store|shop|site|branch|duty) )?(?:mgr|manager|manageress|gérant|encargado|filialleit\p{L}*)(?!\p{L})|^(?:dir\p{L}*\.?|resp\p{L}*\.?) ?t[eé]c\p{L}*\.?[\s:.]*$|^(?:store|shop|branch|filiale|markt|magasin|tienda|negozio|punto vendita|loja|winkel|filiaal|sklep)[\s:.]*$/iu;

/** How many lines at the end of a receipt are its foot. */
const footLines = 6;
const registeredOffice =
  /(?<!\p{L})(?:reg(?:istered|d|\.)? ?office|sede legale|si[eè]ge|domicilio social|sitz)(?!\p{L})/iu;

/** A town, perhaps with its state and code, before the shop's telephone number. */
const townWithPhone =
  /^(\p{Lu}[\p{L} .'’-]{2,30}(?:, ?[A-Z]{2}(?: \d{5}(?:-\d{4})?)?)?),? (?=\(?\d{3}\)?[ .-]{0,2}\d{3}[.-]\d{4}$)/u;

/** The one street above its town and the shop's telephone, in America: `4156 Elm St` above `Greenville, (864) 555-0139`. */
function streetAbovePhone(lines: readonly TextLine[]): ExtractedValue | null {
  const found = lines.flatMap((line, at) => {
    const next = lines[at + 1];
    const [, town] = townWithPhone.exec(next?.text.trim() ?? '') ?? [];
    return next && town && /^\d/.test(line.text) && isStreetLine(line.text) ? [{ line, next, town }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return null;
  const { line, next, town } = only;
  return composedValue(`${line.text.trim().replace(/[\s,;]+$/, '')}, ${town}`, headAddressConfidence, [
    { line },
    { line: next, start: next.text.indexOf(town), end: next.text.indexOf(town) + town.length },
  ]);
}

/** The address that one of these lines alone has, whole and perhaps behind a name: `Example Trains, 1 Mill Street, Bath BA2 3NT`. */
function addressInLine(lines: readonly TextLine[]): ExtractedValue | null {
  const found = lines.flatMap((line, at) => {
    const [first, second = ''] = line.text.split(/\s+[·•|]\s+/u);
    const text =
      first!.trim() && hasPlace(second) && !hasPlace(first!)
        ? line.text.slice(0, line.text.indexOf(second) + second.length)
        : first!;
    if (lines.slice(Math.max(0, at - 2), at + 1).some((above) => isOfCustomer(above.text))) return [];
    if (registeredOffice.test(text) || text.length > 120) return [];
    const comma = text.indexOf(',');
    const name = text.slice(0, Math.max(0, comma));
    const isNamed = /\p{L}{2}/u.test(name) && !/[\d:]/.test(name) && !isStreetLine(name);
    const start = isNamed ? comma + 1 + (text[comma + 1] === ' ' ? 1 : 0) : 0;
    const address = text.slice(start).replace(/[\s.,;]+$/, '');
    // A postal code parts street and town, whatever mark stands before it.
    const parted = address.replace(/(?:,| [·•|-])? ?(?=\d{5} \p{Lu}[\p{L}'’ -]+$)/u, ', ');
    return [address, parted].some((each) => hasPlace(each) && hasStreet(each)) ? [{ line, start, address }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return null;
  const { line, start, address } = only;
  return composedValue(address, headAddressConfidence, [{ line, start, end: start + address.length }]);
}

/** The one address above all sums of a receipt, below the merchant's name or alone; null where several stand there. */
function addressAtHead(layout: Layout): ExtractedValue | null {
  const page = layout.document.pages[0];
  const end = topOfFirstSum(layout);
  const blocks = partyBlocksOf(layout).filter(
    ({ box, caption, page: number, name, besides }) =>
      number === page?.number &&
      box.y0 < end &&
      (caption === null || ofShop.test(caption)) &&
      // Hotels write their bills to their guests.
      ![name ?? '', ...besides].some((text) => isTitledPerson(text)),
  );
  const [only, ...more] = blocks.length > 1 ? blocks.filter(({ name }) => !isPerson(name ?? '')) : blocks;
  if (more.length > 0) return null;
  if (!only) {
    const own = layout.lines.filter((line) => line.page === page?.number).slice(0, lineLimit);
    const below = partyBlocksOf(layout).find(
      ({ name, nameLines, caption }) =>
        caption === null &&
        name !== null &&
        !isTitledPerson(name) &&
        isNamedAbove(
          name,
          own.filter((line) => !nameLines.includes(line)),
        ),
    );
    if (below) return addressOfBlock(below, headAddressConfidence);
    const heads = own.filter(({ box }) => box.y0 < end);
    return (
      streetAbovePhone(heads) ??
      addressInLine(heads) ??
      brokenAddress(heads) ??
      addressInLine(own.filter((line) => !heads.includes(line)).slice(-footLines))
    );
  }
  return addressOfBlock(only, headAddressConfidence);
}

function isPerson(name: string): boolean {
  const spelled = titleCased(name);
  return isPersonName(spelled) && hasGivenName(spelled) && isOrganizationName(name) === null;
}

/** What a narrow roll leaves for the next line: a postal code, the second half of a British one, or the town behind one. */
const restOfPlace = /^(?:\d{5}(?:-\d{4})?|(?:[A-Z]{1,2}\d[A-Z\d]? )?\d[A-Z]{2}|\p{Lu}[\p{L} .'’-]{2,30})$/u;

/** The one address whose place goes on in the next line: `Mill Street, Bath BA2` above `3NT`. */
function brokenAddress(lines: readonly TextLine[]): ExtractedValue | null {
  const found = lines.flatMap((line, at) => {
    const [above, next] = [lines[at - 1], lines[at + 1]];
    if (!next || !restOfPlace.test(next.text.trim()) || hasPlace(line.text) || hasPlace(next.text)) return [];
    const place = `${line.text.trim()} ${next.text.trim()}`;
    if (!hasPlace(place)) return [];
    if (hasStreet(place)) return [{ address: place, own: [line, next] }];
    const address = `${above?.text.trim().replace(/[\s,;]+$/, '')}, ${place}`;
    return above && hasStreet(address) ? [{ address, own: [above, line, next] }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return null;
  return composedValue(
    only.address,
    headAddressConfidence,
    only.own.map((line) => ({ line })),
  );
}

/** Whether a name heads the page as well. */
function isNamedAbove(name: string, own: readonly TextLine[]): boolean {
  return own.slice(0, headLineLimit).some(({ text }) => foldText(text).trim() === foldText(name).trim());
}
