import type { Candidate, ExtractedRow, ExtractedValue, Layout, Provenance } from '@millrace/document-model';
import { isStreetLine } from '../../candidates/address-lines.ts';
import { foldText } from '../../candidates/date.ts';
import { isHeading } from '../../candidates/headings.ts';
import type { TypeRules } from '../../compose/compose.ts';
import { isOrganizationName } from '../../compose/names.ts';
import { candidateValue, composedValue } from '../../compose/value.ts';
import { isOnLine } from '../../layout/geometry.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { isWithin } from './address.ts';
import { addressOfRows } from './address-run.ts';
import { isFormAlone, withBrokenName } from './broken-name.ts';
import { composeReceipt } from './compose.ts';
import { isTitledPerson } from './head.ts';
import { withMalaysianCompany } from './malaysian-company.ts';
import { isMethod, methodAlone, paymentMethod } from './payment.ts';
import { withHalves, withNetSum, withOwnChange, withTaxOfRates } from './sums.ts';

/** How a receipt was paid, by what its structure says where words that are no way to pay were taken for one. */
function withMethod(fields: Readonly<Record<string, ExtractedValue>>, layout: Layout): Record<string, ExtractedValue> {
  const { payment_method: method, ...others } = fields;
  if (method && isMethod(String(method.value)))
    return { ...fields, payment_method: { ...method, value: methodAlone(String(method.value)) } };
  if (!method) return { ...fields };
  const found = paymentMethod(layout);
  return found ? { ...others, payment_method: found } : others;
}

/** A card by its last four digits, without what hides the others; none by anything else. */
function withLastDigits(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { card_last4: card, ...rest } = fields;
  const [, digits] = /(?:^|[Xx×*•#·.\s-])(\d{4})$/u.exec(String(card?.value ?? '').trim()) ?? [];
  return card && digits ? { ...rest, card_last4: { ...card, value: digits } } : rest;
}

/** A receipt's only sum is its total where cash and change say that it was paid, and so is all that was received. */
function withPaidTotal(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { subtotal, tax_amount: tax, cash_received: cash, change_amount: change } = fields;
  // A receipt of an amount received, which is what was bought for with its tax.
  const isWhole =
    subtotal && tax && cash && Math.abs(Number(subtotal.value) + Number(tax.value) - Number(cash.value)) < 0.005;
  if (!fields.total_amount && isWhole && !Number(change?.value ?? 0)) {
    const { cash_received: total, change_amount: _, ...others } = fields;
    return { ...others, total_amount: total! };
  }
  if (fields.total_amount || !subtotal || !cash || !change) return { ...fields };
  const paid = Number(cash.value) - Math.abs(Number(change.value));
  if (Math.abs(paid - Number(subtotal.value)) > 0.055) return { ...fields };
  const { subtotal: total, ...rest } = fields;
  return { ...rest, total_amount: total! };
}

/** A merchant whose name was taken for the first line of the address, which begins with a numbered street. */
function withMerchantApart(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { merchant_name: name, merchant_address: address } = fields;
  const parts = String(address?.value ?? '').split(', ');
  const street = parts.findIndex((part) => /^\d{1,5} \p{L}/u.test(part) && isStreetLine(part));
  const [first = ''] = parts;
  const isName = street > 0 && /\p{L}{3}/u.test(first) && !/\d/.test(first) && !isHeading(first);
  if (name || !address || !isName) return { ...fields };
  return {
    ...fields,
    merchant_name: { ...address, value: first },
    merchant_address: { ...address, value: parts.slice(street).join(', ') },
  };
}

/** What a shop is called by what it is, in a brand's first or last word. */
const shopWord =
  /^(?:parking|parcheggio|parkhaus|aparcamiento|estacionamento|kiosk|market|mini ?mart|deli|café|coffee|tea|kitchen|house|bar|pub|grill|bistro)(?!\p{L})|(?<!\p{L})(?:market|mart|deli|café|coffee|kitchen|house|bar|pub|grill|bistro|store)$/iu;

/** Whether a text is a company with a name of its own and its legal form. */
function isWholeCompany(text: string): boolean {
  const [first = '', ...others] = text.split(' ');
  const isForm = isOrganizationName(`X ${first}`) === 'legal_form';
  if (isOrganizationName(text) !== 'legal_form' || others.length === 0 || /^\P{L}/u.test(text) || isFormAlone(text))
    return false;
  return !isForm || /^(?:sarl|sasu?|eurl|sci|snc) /iu.test(text);
}

/** How much larger than the company below it a brand is set. */
const brandSize = 1.2;

/**
 * Whether two lines name one shop, each on its own: the first is set larger, they share a word, or one has the other's
 * initials or says what it is.
 */
function isBrandOf({ text: brand, box: above }: Provenance, { text: company, box: below }: Provenance): boolean {
  const wordsOf = (text: string): readonly string[] => foldText(text).match(/\p{L}{4,}/gu) ?? [];
  const initials = (foldText(brand).match(/(?<!\p{L})\p{L}/gu) ?? []).join('');
  return (
    wordsOf(brand).some((word) => wordsOf(company).includes(word)) ||
    (initials.length > 2 && foldText(company).startsWith(`${initials} `)) ||
    above.y1 - above.y0 > brandSize * (below.y1 - below.y0) ||
    isOrganizationName(brand) === 'word' ||
    shopWord.test(brand.trim())
  );
}

/**
 * A merchant by the brand alone, where the company that runs it was joined from the line below, `Harbour Coffee House`
 * above `HCH Retail Ltd`, what it does in smaller letters, a caption, or the town in which it is. In Malaysia the company is a part of what a shop is called.
 */
function withBrandApart(
  fields: Readonly<Record<string, ExtractedValue>>,
  country: string | null,
): Record<string, ExtractedValue> {
  const { merchant_name: name } = fields;
  const lines = name?.provenance ?? [];
  const [brand] = lines;
  const company = lines.at(-1);
  if (!name || !brand || !company || lines.length < 2) return { ...fields };
  const isRun = country !== 'MY' && isWholeCompany(company.text) && isBrandOf(brand, company);
  const isSlogan = isHeading(company.text) || isSmallerLine(brand, company);
  if (!isRun && !isSlogan && !isTownOf(company.text, fields.merchant_address)) return { ...fields };
  const own = lines.slice(0, -1);
  return {
    ...fields,
    merchant_name: { ...name, value: own.map(({ text }) => text).join(' '), provenance: own },
  };
}

/** What kind of shop or station one is, which heads a receipt and is nobody's name. */
const kindAlone =
  /^(?:estaci[óo]n de servicio|[áa]rea de servicio|gasolinera|gasthaus|gasthof|station[- ]service|tankstelle|stazione di servizio|posto de (?:combust[íi]vel|abastecimento)|(?:petrol|filling|gas|service|fuel) station|supermercado|supermarkt|supermarket|supermercato|supermarch[ée]|farmacia|farm[áa]cia|pharmacie|pharmacy|apotheke|panader[íi]a|boulangerie|b[äa]ckerei|cafeter[íi]a|restaurante?|ristorante|hotel|bar)$/iu;

/** A merchant by the company right below what kind of shop it is, where that alone was taken for its name. */
function withCompanyOfKind(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const { merchant_name: name } = fields;
  const place = name && kindAlone.test(String(name.value).trim()) ? name.provenance[0] : undefined;
  const line = place && layout.lines.find((each) => isOnLine(place, each));
  const below = line ? neighboursOf(layout, line).below : null;
  if (!name || !below || isOrganizationName(below.text) !== 'legal_form' || /\d{3}/.test(below.text))
    return { ...fields };
  const company = composedValue(below.text.trim(), name.confidence, [{ line: below }]);
  return { ...fields, merchant_name: { ...company, flags: name.flags } };
}

/** A merchant named once, where its logo and below it the whole name were taken together: `EXAMPLE`, `Example Express`. */
function withNameOnce(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { merchant_name: name } = fields;
  const [logo, whole, ...more] = name?.provenance ?? [];
  if (!name || !logo || !whole || more.length > 0) return { ...fields };
  const isRepeated = foldText(whole.text).startsWith(`${foldText(logo.text).trim()} `);
  return isRepeated
    ? { ...fields, merchant_name: { ...name, value: whole.text.trim(), provenance: [whole] } }
    : { ...fields };
}

/** Letters that much larger are of a name, and those below it say what it does. */
const sloganSize = 1.35;
const sloganWords = 3;

function isSmallerLine({ box: above }: Provenance, { text, box: below }: Provenance): boolean {
  const isLarger = above.y1 - above.y0 > sloganSize * (below.y1 - below.y0);
  return isLarger && text.split(' ').length >= sloganWords && isOrganizationName(text) !== 'legal_form';
}

/** Whether a text is the town of an address, by which chains call their shops. */
function isTownOf(text: string, address: ExtractedValue | undefined): boolean {
  const town = foldText(text).trim();
  return String(address?.value ?? '')
    .split(', ')
    .slice(1)
    .some((part) => foldText(part) === town || foldText(part).startsWith(`${town} `));
}

/** Rows that a total is looked for by, where it is less than one of them. */
const fewestRows = 3;

/** A total that is less than one of the items is none: what they add up to is, where it is printed, as hotels credit it. */
function withTotalOfRows(
  fields: Readonly<Record<string, ExtractedValue>>,
  rows: readonly ExtractedRow[],
  candidates: readonly Candidate[],
): Record<string, ExtractedValue> {
  const amounts = rows.map(({ amount }) => Number(amount?.value ?? Number.NaN));
  const sum = amounts.reduce((all, amount) => all + amount, 0);
  const total = fields.total_amount?.value;
  const isDated = rows.every(({ date }) => date !== undefined);
  const isTooLow = typeof total !== 'number' || total <= Math.max(...amounts);
  if (rows.length < fewestRows || !isDated || !(sum > 0) || !isTooLow) return { ...fields };
  const found = candidates.find(({ kind, value }) => kind === 'amount' && Math.abs(Number(value) - sum) < 0.005);
  return found
    ? { ...fields, total_amount: candidateValue(found, totalConfidence, ['arithmetic_holds']) }
    : { ...fields };
}

const totalConfidence = 80;

/** An address without the merchant's name before its street. */
function withoutMerchant(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { merchant_name: name, merchant_address: address } = fields;
  const [first = '', ...rest] = String(address?.value ?? '').split(', ');
  const bare = (text: unknown) => foldText(String(text)).replace(/[^\p{L}\d]/gu, '');
  // Behind the name the shop's number may stand.
  const isName = name && bare(first).replace(/\d+$/, '') === bare(name.value).replace(/\d+$/, '');
  if (!address || rest.length === 0 || !isName) return { ...fields };
  return { ...fields, merchant_address: { ...address, value: rest.join(', ') } };
}

/** An address with all the rows that it goes on over, where only some of them were taken. */
function withAllRows(fields: Readonly<Record<string, ExtractedValue>>, layout: Layout): Record<string, ExtractedValue> {
  const { merchant_address: address } = fields;
  const whole = address && addressOfRows(layout);
  return whole && isWithin(address, whole)
    ? { ...fields, merchant_address: { ...address, value: whole.value, provenance: whole.provenance } }
    : { ...fields };
}

/** Signs that no address has between its letters, so that some letter was read as one: `JA:AN`, `1~1`. */
const signWithin =
  /(?<=[\p{L}\d])[~^_|<>=\\](?=[\p{L}\d])|(?<=\p{L}{2})(?<!(?<!\p{L})(?:no|lot|unit|blk|block|shop|suite|add|addr|address)):(?=\p{L}{2})/iu;

function withoutSigns(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { merchant_address: address, ...others } = fields;
  return address && signWithin.test(String(address.value)) ? others : { ...fields };
}

/**
 * An address that does not stand right below the guest to whom a hotel writes its bill. Who stands below the shop's name runs
 * it, as at pharmacies.
 */
function withoutGuests(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const { merchant_address: address, ...others } = fields;
  const [street] = address?.provenance ?? [];
  const line = street && layout.lines.find((each) => isOnLine(street, each));
  const above = line && neighboursOf(layout, line).above;
  if (!above || !isTitledPerson(above.text)) return { ...fields };
  const over = neighboursOf(layout, above).above;
  const isOwner = over !== null && fields.merchant_name?.provenance.some((place) => isOnLine(place, over));
  return isOwner ? { ...fields } : others;
}

export const receiptRules: TypeRules = {
  compose: composeReceipt,
  check: (fields, rows, { layout, candidates, locale }) => {
    const totalled = withTotalOfRows(withLastDigits(withMethod(fields, layout)), rows, candidates);
    const paid = withPaidTotal(withOwnChange(totalled, layout));
    const addressed = withoutGuests(withoutSigns(withAllRows(paid, layout)), layout);
    const called = withNameOnce(withCompanyOfKind(addressed, layout));
    const branded = withBrandApart(withBrokenName(called, layout), locale.country);
    const ofCompany = locale.country === 'MY' ? withMalaysianCompany(branded, layout) : branded;
    const named = withoutMerchant(withMerchantApart(ofCompany));
    const taxed = withHalves(withTaxOfRates(named, layout), layout);
    return withNetSum(taxed, layout, candidates);
  },
};
