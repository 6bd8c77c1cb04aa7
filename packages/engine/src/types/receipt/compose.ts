import type { ExtractedValue, Layout, TextLine, Word } from '@millrace/document-model';
import { hasPlace, hasStreet, isStreetLine } from '../../candidates/address-lines.ts';
import { foldText } from '../../candidates/date.ts';
import { isFormPhrase, isHeading } from '../../candidates/headings.ts';
import { detailStart } from '../../candidates/spans.ts';
import { findTimes } from '../../candidates/time.ts';
import { addedTaxes } from '../../compose/added-taxes.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { isOrganizationName, isPersonName, letterHeight, titleCased } from '../../compose/names.ts';
import { composedValue } from '../../compose/value.ts';
import { visualRows } from '../../layout/neighbours.ts';
import { type PartyBlock, partyBlocksOf } from '../../parties/blocks.ts';
import { addressAtFoot, addressUnderHead } from '../../parties/letterhead.ts';
import { captionedSaleNumber, phoneAtHead, signedSaleNumber, taxNumberAtHead } from './head.ts';
import { maskedCard, paymentMethod } from './payment.ts';
import { chargedTotal, onlyAmount } from './sums.ts';

/** Below what the scorer is sure of, such as the company's name at the foot. */
const welcomeConfidence = 62;
/** Bounds on hostile pages. */
const lineLimit = 400;

/** What stands on a receipt by its structure: how it was paid, whose it is, and its only sum. */
export function composeReceipt(findings: Findings): ComposedFields {
  const { layout } = findings;
  return {
    payment_method: paymentMethod(layout),
    card_last4: maskedCard(layout),
    merchant_name:
      aboveOwner(layout) ?? welcomedTo(layout) ?? namedInFull(layout) ?? aboveSlogan(layout) ?? namedByLogo(layout),
    transaction_time: paidTime(layout),
    receipt_number: signedSaleNumber(layout) ?? captionedSaleNumber(layout),
    merchant_phone: phoneAtHead(layout),
    merchant_tax_id: taxNumberAtHead(findings),
    merchant_address: asRead(addressBetweenMarks(layout) ?? addressAtHead(layout), layout),
    total_amount: onlyAmount(findings),
    ...chargedTotal(layout),
    ...addedTaxes(layout),
  };
}

/** Above what the scorer thinks of lines below the logo, and below what it is sure of. */
const logoConfidence = 76;
/** Below what the scorer is sure of. */
const companyConfidence = 58;
const headLineLimit = 8;
/** Stamps, which are larger than what they are put on. */
const stamp =
  /^(?:posted|paid|void|copy|duplicate|original|received|entered|bezahlt|kopie|gebucht|payé|pagado|pagato)$/iu;

/** Above the brand of a logo, which is the chain's or the oil company's. */
const ownedConfidence = 84;

/** Who runs a shop or holds its licence, on a line of its own below the shop's name: `Inh. Jo Example`. */
const owner =
  /^(?:inh(?:aber(?:in)?)?[.:]|inhaber(?:in)?(?!\p{L})|prop(?:\.|rietor|rietors|rietario|rietaria)(?!\p{L})|(?:pharmacien(?:ne)?s? )?titulaires?(?!\p{L})|pharmacien(?:ne)?(?!\p{L})|lic(?:\.|enciad[oa]) |ldo\. |lda\. |(?:de(?:l|lla|i|lle) )?d(?:r|ott)\.(?:ssa)? |di (?!vendita)\p{L}+ \p{L})/iu;
const personWithTitle = /^(?:(?:mr|mrs|ms|dr|mme|mlle|herrn?|frau|sr|sra|dott|dña)(?:\.| )|m\. |d\. )/iu;

/** The shop right above the line of who owns or runs it; null without one. */
function aboveOwner(layout: Layout): ExtractedValue | null {
  const heads = layout.lines.slice(0, headLineLimit);
  const at = heads.findIndex(({ text }) => owner.test(text));
  const line = heads.slice(0, Math.max(0, at)).findLast(({ text }) => !personWithTitle.test(text));
  const isShop =
    line &&
    /\p{L}{3}/u.test(line.text) &&
    !/\d|[:@]/.test(line.text) &&
    !isStreetLine(line.text) &&
    !hasPlace(line.text) &&
    !isHeading(line.text) &&
    !isFormPhrase(line.text);
  return isShop ? composedValue(line.text, ownedConfidence, [{ line }]) : null;
}

const welcome = /^welcome to:?(?: (?=\p{L}))?/iu;

/** Whom a receipt welcomes its customer to, on that line or the next. */
function welcomedTo(layout: Layout): ExtractedValue | null {
  const lines = layout.lines.slice(0, 8);
  const at = lines.findIndex(({ text }) => welcome.test(text));
  const line = lines[at];
  if (!line) return null;
  const start = welcome.exec(line.text)![0].length;
  const place = start < line.text.length ? { line, start } : { line: lines[at + 1], start: 0 };
  const name = place.line?.text.slice(place.start).replace(/[\s!.,]+$/, '') ?? '';
  // Chains number their branches.
  const own = name.replace(/\s*(?:#|no\.? ?|store ?#? ?|stn\.? ?|branch ?)\s*\d{1,6}$/iu, '');
  const isName = /\p{L}{2}/u.test(own) && !/\d|:/.test(own) && !isHeading(own) && !isFormPhrase(own);
  return place.line && isName
    ? composedValue(own, welcomeConfidence, [{ line: place.line, start: place.start, end: place.start + own.length }])
    : null;
}

/** The full name right below a logo that has its first words: `halfmoon` above `Halfmoon Coffee Roasters`. */
function namedInFull(layout: Layout): ExtractedValue | null {
  const [logo, ...rest] = layout.lines.slice(0, 5);
  if (!logo || !/\p{L}{4}/u.test(logo.text)) return null;
  const word = `${foldText(logo.text).trim()} `;
  const full = rest.find(
    (line) =>
      foldText(line.text).startsWith(word) &&
      letterHeight(logo) > 1.2 * letterHeight(line) &&
      !/\d|:|@|www\./.test(line.text) &&
      !isStreetLine(line.text),
  );
  if (!full) return null;
  const next = rest[rest.indexOf(full) + 1];
  const form = next && next.words.length <= 3 && isOrganizationName(`X ${next.text}`) === 'legal_form' ? [next] : [];
  const lines = [full, ...form];
  return composedValue(
    lines.map(({ text }) => text.trim()).join(' '),
    logoConfidence,
    lines.map((line) => ({ line })),
  );
}

/** Whose logo is at the head, far larger than what they do below it in small letters: `cafe & bakehouse`. */
function aboveSlogan(layout: Layout): ExtractedValue | null {
  const [logo, slogan] = layout.lines;
  if (!logo || !slogan || !/^\p{Ll}[^\d:@]*$/u.test(slogan.text) || /www\.|https?:/i.test(slogan.text)) return null;
  const isName = /^\p{Lu}/u.test(logo.text) && !/\d|:/.test(logo.text) && !isHeading(logo.text);
  return isName && letterHeight(logo) > 1.4 * letterHeight(slogan)
    ? composedValue(logo.text, logoConfidence, [{ line: logo }])
    : null;
}

/**
 * The merchant whose name is set as a logo at the head of a receipt: far larger than what stands around it, above the
 * address.
 */
function namedByLogo(layout: Layout): ExtractedValue | null {
  const page = layout.document.pages[0];
  const own = layout.lines.filter((line) => line.page === page?.number).slice(0, lineLimit);
  const usual = own.map(letterHeight).toSorted((a, b) => a - b)[Math.floor(own.length / 2)] ?? 1;
  const address = own.findIndex(({ text }) => isStreetLine(text) || hasPlace(text));
  const heads = own
    .slice(0, Math.min(headLineLimit, address < 0 ? headLineLimit : address))
    .filter(({ text }) => !thanks.test(text));
  const [logo, second] = heads.toSorted((a, b) => letterHeight(b) - letterHeight(a));
  if (!logo || letterHeight(logo) < 1.4 * usual) return null;
  const stacked = stackedLogo(logo, heads, usual);
  if (stacked) return stacked;
  if (second && letterHeight(second) > 0.85 * letterHeight(logo)) return null;
  const name = logo.text.replace(/^[^\p{L}\d]+|[^\p{L}\d.)!]+$/gu, '');
  // The company below a brand is who sells.
  const isCompany = ({ text, box }: TextLine) =>
    (isOrganizationName(text) === 'legal_form' || /(?<!\p{L})s\/b(?!\p{L})/iu.test(text)) &&
    box.x0 < logo.box.x1 &&
    box.x1 > logo.box.x0;
  const companies = heads.filter((line) => line !== logo && isCompany(line));
  if (companies.length > 0) return companies.length > 1 ? null : companyIn(companies[0]!);
  // A branch that is named below it by the logo's word and more.
  const word = foldText(logo.text).trim();
  if (own.some((line) => line !== logo && line.box.y0 < logo.box.y1 + 4 * usual && foldText(line.text).includes(word)))
    return null;
  const isName =
    /\p{L}{3}/u.test(name) && !/\d{3}|[:@]/.test(name) && !stamp.test(name) && !isHeading(name) && !isFormPhrase(name);
  const start = logo.text.indexOf(name);
  const isHuge = letterHeight(logo) > hugeShare * Math.max(usual, second ? letterHeight(second) : 0);
  return isName && name.split(' ').length < 7
    ? composedValue(name, isHuge ? hugeConfidence : logoConfidence, [{ line: logo, start, end: start + name.length }])
    : null;
}

/** A company without what else its line says of it: `SARL EXEMPLE au capital de 8000 EUR`. */
function companyIn(line: TextLine): ExtractedValue {
  const detail = detailStart(line.text);
  const end = detail > 2 ? detail : line.text.length;
  return composedValue(line.text.slice(0, end), companyConfidence, [{ line, start: 0, end }]);
}

/** What is that much larger than all around it is a logo, and what stands below it a slogan or a branch. */
const hugeShare = 1.7;
const hugeConfidence = 84;

/** What a shop says to who bought something: `Thank you for your order!` */
const thanks =
  /^(?:thank(?:s| you)|merci|vielen dank|(?:herzlichen )?dank|gracias|grazie|obrigad[oa]|bedankt|dank (?:u|je)|hi|hello|hallo|bonjour|hola|ciao)(?!\p{L})|[!?]$/iu;

/** A logo whose words stand one below the other, in the middle of each other: `SUNRISE` above `MART`. Null for one line. */
function stackedLogo(logo: TextLine, heads: readonly TextLine[], usual: number): ExtractedValue | null {
  const middle = ({ box }: TextLine) => (box.x0 + box.x1) / 2;
  const at = heads.indexOf(logo);
  const other = [heads[at - 1], heads[at + 1]].filter(
    (line) =>
      line &&
      letterHeight(line) > 1.25 * usual &&
      letterHeight(line) > 0.55 * letterHeight(logo) &&
      Math.abs(middle(line) - middle(logo)) < 0.6 * letterHeight(logo) &&
      Math.max(line.box.y0 - logo.box.y1, logo.box.y0 - line.box.y1) < 0.8 * letterHeight(logo),
  );
  const [line] = other;
  if (!line || other.length > 1) return withKind(logo, heads);
  const lines = heads.indexOf(line) < at ? [line, logo] : [logo, line];
  const isWords = lines.every(
    ({ text }) =>
      /^[\p{Lu}&][\p{L}&'’. -]*$/u.test(text) &&
      text.split(' ').length < 3 &&
      !stamp.test(text) &&
      !isHeading(text) &&
      !isFormPhrase(text),
  );
  return isWords && isOrganizationName(line.text) !== 'legal_form'
    ? composedValue(
        lines.map(({ text }) => text.trim()).join(' '),
        stackedConfidence,
        lines.map((part) => ({ line: part })),
      )
    : null;
}

/** What kind of shop one is, as logos have it in smaller letters above or below the name. */
const kindOfShop =
  /^(?:(?:the )?(?:grill|bistro|brasserie|trattoria|osteria|ristorante|restaurante?|taquer[ií]a|pizzeria|caf[eé]|coffee|deli|bakery|bakehouse|panader[ií]a|pasteler[ií]a|boulangerie|p[aâ]tisserie|b[aä]ckerei|konditorei|metzgerei|gasthof|gasthaus|wirtshaus|brauhaus|hotel|h[oô]tel|albergo|inn|lodge|motel|pub|tavern|bar|pharmacy|pharmacie|farmacia|apotheke|drugstore|chemist|hardware|market|supermarket|supermercado|supermarkt|mercado|grocery|grocers?|foods?|florist|books?|bookshop|librer[ií]a|librairie|buchhandlung|optic(?:s|al|ians?)|cleaners|laundry|garage|parking|services?))(?: (?:&|and|und|et|y|e) \p{L}+)?$/iu;

/** A logo with what kind of shop it is, right above or below it: `Larkspur` above `PHARMACY`. Null without that. */
function withKind(logo: TextLine, heads: readonly TextLine[]): ExtractedValue | null {
  const at = heads.indexOf(logo);
  const [above, below] = [heads[at - 1], heads[at + 1]].map((line) => {
    const gap = line ? Math.max(line.box.y0 - logo.box.y1, logo.box.y0 - line.box.y1) : Infinity;
    const isBeside = line && line.box.x0 < logo.box.x1 && line.box.x1 > logo.box.x0;
    return isBeside && gap < letterHeight(logo) && kindOfShop.test(line.text.trim()) ? line : null;
  });
  const isName = /^\p{L}[\p{L}&'’. -]+$/u.test(logo.text) && !isHeading(logo.text) && !kindOfShop.test(logo.text);
  if (!isName || (!above && !below) || (above && below)) return null;
  const lines = above ? [above, logo] : [logo, below!];
  return composedValue(
    lines.map(({ text }) => text.trim()).join(' '),
    kindConfidence,
    lines.map((line) => ({ line })),
  );
}

/** Above what the scorer thinks of a logo alone. */
const kindConfidence = 85;

/** Above what the scorer thinks of the larger one of two words. */
const stackedConfidence = 82;

/** What says that something was paid then. */
const paidThen =
  /(?<!\p{L})(?:paid|payment|pago|pagad[oa]|pagato|pagamento|bezahlt|zahlung|pay[ée]e?|paiement|betaald|betaling)(?!\p{L})/iu;
/** Below what the scorer is sure of. */
const paidTimeConfidence = 66;

/** When a receipt was paid that has other times, such as of going in and out: the only time on a row that says so. */
function paidTime(layout: Layout): ExtractedValue | null {
  const found = visualRows(layout)
    .slice(0, lineLimit)
    .filter((row) => row.some(({ text }) => paidThen.test(text)))
    .flatMap((row) => row.flatMap((line) => findTimes(line.text).map((time) => ({ line, ...time }))));
  const [only] = found;
  return only && found.every(({ value }) => value === only.value)
    ? composedValue(only.value, paidTimeConfidence, [only])
    : null;
}

/** A merchant's address in one line of marks, as hotels have it at the foot of their bills. */
function addressBetweenMarks(layout: Layout): ExtractedValue | null {
  return addressUnderHead(layout) ?? addressAtFoot(layout);
}

/** What the least sure letter of an address has to have: structure alone does not tell a street's letters. */
const leastLetter = 0.45;

/** An address all of whose letters were read well enough; null for others. */
function asRead(address: ExtractedValue | null, layout: Layout): ExtractedValue | null {
  const isWithin = (word: Word) =>
    address?.provenance.some(({ box }) => {
      const [x, y] = [(word.box.x0 + word.box.x1) / 2, (word.box.y0 + word.box.y1) / 2];
      return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1;
    });
  // Of a word with a mark behind it, the mark may be what is unsure.
  const isDoubtful = ({ text, leastConfidence }: Word) =>
    /^[\p{L}\d]{2,}$/u.test(text) && (leastConfidence ?? 1) < leastLetter;
  return layout.lines.some(({ words }) => words.some((word) => isDoubtful(word) && isWithin(word))) ? null : address;
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

/** Whom a hotel or a shop writes to. */
const ofCustomer =
  /^(?:cliente?|customer|guest|gast|kunde|client|h[uú]esped|ospite|klant|name|bill(?:ed)? to|lieferadresse|ship(?:ping|ped)?)(?!\p{L})/iu;

/** The address that one of these lines alone has, whole and perhaps behind a name: `Example Trains, 1 Mill Street, Bath BA2 3NT`. */
function addressInLine(lines: readonly TextLine[]): ExtractedValue | null {
  const found = lines.flatMap((line, at) => {
    const [first, second = ''] = line.text.split(/\s+[·•|]\s+/u);
    const text =
      first!.trim() && hasPlace(second) && !hasPlace(first!)
        ? line.text.slice(0, line.text.indexOf(second) + second.length)
        : first!;
    if (lines.slice(Math.max(0, at - 2), at + 1).some((above) => ofCustomer.test(above.text))) return [];
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
  const sum = layout.lines.find(({ text }) => /\d[.,]\d\d(?!\d)/.test(text));
  const end = sum ? sum.box.y0 : (page?.height ?? 1) * 0.4;
  const blocks = partyBlocksOf(layout).filter(
    ({ box, caption, page: number, name, besides }) =>
      number === page?.number &&
      box.y0 < end &&
      (caption === null || ofShop.test(caption)) &&
      // Hotels write their bills to their guests.
      ![name ?? '', ...besides].some((text) => personWithTitle.test(text)),
  );
  const [only, ...more] = blocks.length > 1 ? blocks.filter(({ name }) => !isPerson(name ?? '')) : blocks;
  if (more.length > 0) return null;
  if (!only) {
    const own = layout.lines.filter((line) => line.page === page?.number).slice(0, lineLimit);
    const below = partyBlocksOf(layout).find(
      ({ name, nameLines, caption }) =>
        caption === null &&
        name !== null &&
        !personWithTitle.test(name) &&
        isNamedAbove(
          name,
          own.filter((line) => !nameLines.includes(line)),
        ),
    );
    if (below) return blockAddress(below);
    const heads = own.filter(({ box }) => box.y0 < end);
    return (
      streetAbovePlace(heads) ??
      streetAbovePhone(heads) ??
      addressInLine(heads) ??
      brokenAddress(heads) ??
      addressInLine(own.filter((line) => !heads.includes(line)).slice(-footLines))
    );
  }
  return blockAddress(only);
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

/** What no name above an address has: a telephone number, or the end of a sentence. */
const noName = /\d{3}[-. )]{1,2}\d{3}[-. ]\d{4}|[.!?]$/;

/** The one street with its place on the next line, whatever stands above them, such as a slogan and a manager's name. */
function streetAbovePlace(lines: readonly TextLine[]): ExtractedValue | null {
  const found = lines.flatMap((line, at) => {
    const [above, next] = [lines[at - 1], lines[at + 1]];
    if (!above || !noName.test(above.text)) return [];
    const isBelow = next && next.box.y0 > line.box.y0 + 0.5 * letterHeight(line);
    return isBelow && isStreetLine(line.text) && !hasPlace(line.text) && hasPlace(next.text) ? [[line, next]] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return null;
  const address = only.map(({ text }) => text.trim().replace(/[\s,;]+$/, '')).join(', ');
  return composedValue(
    address,
    headAddressConfidence,
    only.map((line) => ({ line })),
  );
}

function blockAddress({ address, addressLines }: PartyBlock): ExtractedValue {
  return composedValue(
    address,
    headAddressConfidence,
    addressLines.map((line) => ({ line })),
  );
}

/** Whether a name heads the page as well. */
function isNamedAbove(name: string, own: readonly TextLine[]): boolean {
  return own.slice(0, headLineLimit).some(({ text }) => foldText(text).trim() === foldText(name).trim());
}
