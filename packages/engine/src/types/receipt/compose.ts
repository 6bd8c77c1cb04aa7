import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { hasPlace, isStreetLine } from '../../candidates/address-lines.ts';
import { foldText } from '../../candidates/date.ts';
import { isFormPhrase, isHeading } from '../../candidates/headings.ts';
import { detailStart } from '../../candidates/spans.ts';
import { findTimes } from '../../candidates/time.ts';
import { addedTaxes } from '../../compose/added-taxes.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { isOrganizationName, letterHeight } from '../../compose/names.ts';
import { composedValue } from '../../compose/value.ts';
import { visualRows } from '../../layout/neighbours.ts';
import { merchantAddress } from './address.ts';
import {
  captionedSaleNumber,
  isTitledPerson,
  phoneAtHead,
  phoneBelowName,
  phoneForQuestions,
  signedSaleNumber,
  taxNumberAtHead,
} from './head.ts';
import { maskedCard, paymentMethod } from './payment.ts';
import { chargedTotal, onlyAmount, roundedTotal } from './sums.ts';

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
    merchant_phone: phoneAtHead(layout) ?? phoneBelowName(layout) ?? phoneForQuestions(layout),
    merchant_tax_id: taxNumberAtHead(findings),
    merchant_address: merchantAddress(layout),
    total_amount: onlyAmount(findings),
    ...addedTaxes(layout),
    ...chargedTotal(layout),
    ...roundedTotal(layout),
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

/** The shop right above the line of who owns or runs it; null without one. */
function aboveOwner(layout: Layout): ExtractedValue | null {
  const heads = layout.lines.slice(0, headLineLimit);
  const at = heads.findIndex(({ text }) => owner.test(text));
  const line = heads.slice(0, Math.max(0, at)).findLast(({ text }) => !isTitledPerson(text));
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
  const own = name.replace(/\s*(?:#|no\.? ?|store ?#? ?|stn\.? ?|branch ?)\s*\d{1,6}$|\s\d{2,6}$/iu, '');
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
      !isHeading(line.text) &&
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
    .filter(({ text }) => !thanks.test(text) && !isHeading(text));
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
