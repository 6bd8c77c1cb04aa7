import type { Layout, TextLine } from '@millrace/document-model';
import {
  hasPlace,
  isAddressLike,
  isDwelling,
  isHouseInStreet,
  isStreetLine,
  isWholeAddress,
} from '../candidates/address-lines.ts';
import { isFormPhrase, isHeading, isSentence } from '../candidates/headings.ts';
import { isMeasure } from '../candidates/measure.ts';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { isValidVat } from '../candidates/tax-id.ts';
import { findTimes } from '../candidates/time.ts';
import { captionedDay, namesOrder, restOfPostBox } from '../compose/at-caption.ts';
import { hasGivenName } from '../compose/given-names.ts';
import { labelOf } from '../compose/labelled-rows.ts';
import { isGreeting, isOrganizationName, isPersonName, titleCased, withoutTitles } from '../compose/names.ts';
import { isDangling } from '../compose/payment-terms.ts';
import { isOtherUsage } from '../compose/usage.ts';
import { isBelowAtEdge } from '../layout/geometry.ts';
import { neighboursOf, rowOf } from '../layout/neighbours.ts';
import { isAttention, isBranch, isListOfTrades } from '../parties/blocks.ts';
import { likenessToExamples } from '../score/examples.ts';
import type { FieldDefinition } from '../types/definition.ts';
import { isNamedMethod } from '../types/receipt/payment.ts';
import { reductionPattern } from './tax-breakdown.ts';
import { ofBranch } from './value-alone.ts';

/** Kinds of texts that a caption may be taken for. */
const textual: ReadonlySet<FieldDefinition['kind']> = new Set(['name', 'organization', 'address', 'text']);

/** A day with its month and year, which is no document's number. */
const dayAlone = /^(?:0?[1-9]|[12]\d|3[01])([/.])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)\d{2}$/;

/** A day with its year, which no address has. */
const wholeDate =
  /(?<![\p{L}\d])\d{1,2}(?:st|nd|rd|th|\.)? (?:de )?(?:jan|ene|gen|fe[bv]|m[aä]r|a[bp]r|ma[giy]|jun|giu|jul|lug|a[gu][go]|sep|set|o[ck]t|out|ott|nov|de[cz]|di[cz])\p{L}*\.? (?:del? )?(?:19|20)\d{2}(?!\d)|(?<!\d)\d{1,2}\/\d{1,2}\/(?:19|20)\d{2}(?!\d)/iu;

/** A document's title with its number, which begins no address. */
const titleWithNumber =
  /^(?:invoice|credit note|quot(?:e|ation)|rechnung|angebot|gutschrift|facture|devis|avoir|factura|presupuesto|fattura|preventivo|fatura|factuur|creditfactuur|offerte|faktura)(?: n?[or.°º]+)? ?#?[\p{Lu}\d]*\d/iu;

/** Below this an address has to look like one. */
const doubtfulAddress = 75;

/** Captions of what a document is about and of other people's work, behind which neither party's name stands. */
const ofSomethingElse =
  /(?<!\p{L})(?:komplement[aä]r(?:in)?|phg|pers[oö]nlich haftender? gesellschafter(?:in)?|general partner|contrat|vertrag|contract|project|projekt|projet|proyecto|group(?: name)?|offre|tarif|tariff|product|produkt|producto|(?:er|vår|var|vores|deres|v[åa]res?) ref(?:erens|erence)?\.?|(?:your|our) ref(?:erence)?\.?|ihr zeichen|unser zeichen|(?:votre|notre) (?:réf(?:érence)?|contact)\.?|uw referentie|onze referentie|subject|subj|betreff|objet|asunto|oggetto|sales ?person|rep|department|abteilung|service type|filing status|marital status|status|familienstand|job title|occupation|emploi|position|beruf)\s*:\s*$/iu;

/** Identifiers that always have a digit, unlike the number of a group or an order that was made by word of mouth. */
const numbered = /^(?!group_|order_|purchase_).*(?:_number|_id)$/;
const institutions: ReadonlySet<string> = new Set(['bank_name', 'provider_name', 'insurer_name', 'facility_name']);
/** How a letter addresses a person, who is no institution. */
const titled = /^(?:mr|mrs|ms|miss|m|mme|mlle|herrn?|frau|sra?|dhr|mevr)\.? \p{Lu}/iu;
/** Of a name that goes on in the next line. */
const brokenOff = / (?:of|for|the|de|du|des|für|und|and|&)$/iu;
const people: ReadonlySet<string> = new Set(['employee_name', 'patient_name']);
/** Texts that are names, which a date or a number is not. */
const named = /_name$|^vessel$|^port_/;

const freePhone = /^(?:\+?1[- .])?\(?8(?:00|33|44|55|66|77|88)\)?[- .]\d{3}[- .]\d{4}$/;
const phone = /^(?:\+?1[- .])?\(?\d{3}\)?[- .]\d{3}[- .]\d{4}$/;
const phoneWord = /(?<!\p{L})(?:tel|telephone|phone|call|fax|mobile|cell|tty|toll[- ]free)(?!\p{L})/iu;

/** What stands before the number of a fax: `Telefax`, or its first letter alone. */
const faxCaption = /(?<!\p{L})(?:(?:[Tt]ele)?[Ff]ax\W*|FAX\W*|F[.:)]? ?)$/u;

/** A quarter for trade or a hamlet, which begins an address: `ZA des Quatre Vents`, `Lieu-dit Les Granges`. */
const zone =
  /^(?:Z\.? ?[ACEI]\.?|(?:[Zz]one|ZONE) (?:[Aa]rtisanale|[Ii]ndustrielle|[Dd]['’][Aa]ctivit[ée]s?)|[Ll]ieu[- ][Dd]it|[Pp]arc d['’][Aa]ctivit[ée]s?|[Pp]ol\.? ?[Ii]nd\.?|[Pp]ol[ií]gono(?: [Ii]ndustrial)?|[Zz]ona [Ii]ndustrial[e]?) (?:d|l|\p{Lu})/u;

/** How long a check is valid, and whom it is for. */
const validity =
  /^(?:void|(?:not )?valid|(?:not |non[- ])negotiable)(?: (?:after|for|if|over|unless|beyond)(?!\p{L})|$)/iu;

/** What stands before the number of a box at a post office. */
const postBox =
  /(?<!\p{L})(?:p\.? ?o\.? ?box|postfach|bo[iî]te postale|b\.?p\.?|apartado|casella postale|postbus)\s*$/iu;

/**
 * A caption, the heading of a column or a document's title is no field's value, nor a request to the reader a name, a
 * telephone number the number of an account, or a word of a sentence somebody.
 */
export function isNoValue(
  field: FieldDefinition,
  { text, value, lines, start, layout }: PlacedCandidate,
  confidence: number,
): boolean {
  const { kind } = field;
  if (likenessToExamples(field, value, text) === 'same') return false;
  // The time in a till's signature, where it prints another: `…_2025-02-19T09:12:04`.
  if (kind === 'time' && isOfTimestamp(lines[0]!.text.slice(0, start)))
    return layout.lines.some((line) =>
      findTimes(line.text).some((time) => time.value !== value && !isOfTimestamp(line.text.slice(0, time.start))),
    );
  // An amount whose point was read as a colon: `Sales Tax 9.25%   11:15`.
  if (kind === 'time' && lines.length === 1 && isOfSum(layout, lines[0]!)) return true;
  // A number of the Dutch register of companies is none for tax, where that is printed too.
  if (kind === 'tax_id' && lines.length === 1 && ofRegister.test(lines[0]!.text.slice(0, start)))
    return layout.lines.some((line) => dutchTaxNumber.test(line.text));
  if (kind === 'identifier') {
    const number = String(value).trim();
    if (field.name === 'account_number' && /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(number.replaceAll(' ', '')))
      return true;
    // A number that the state gave is no employer's.
    if (
      field.name === 'employee_id' &&
      /^(?:[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]|[\dX*]{3}-[\dX*]{2}-\d{4}|\d{7}[A-W][A-IW]?|[A-Z]{5}\d{4}[A-Z]|(?:\d|[XYZ])\d{7}[A-Z])$/i.test(
        number,
      )
    )
      return true;
    // A tax number is no reference of a payment.
    if (
      field.name === 'payment_reference' &&
      (/^\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]$/.test(number) || (/^[A-Z]{2}/.test(number) && isValidVat(number)))
    )
      return true;
    // What begins with the sign of a telephone is the number of one: `T 0341-555 210`.
    if (/^(?:t|f|m)\.? ?(?:\+|\(?0)\d/i.test(number) && number.replace(/\D/g, '').length >= 9) return true;
    if (restOfPostBox.test(number) || (lines.length === 1 && postBox.test(lines[0]!.text.slice(0, start)))) return true;
    if (isOfAnotherNumber(field.name, { lines, start, layout })) return true;
    if (field.name === 'receipt_number' && (sizeOfGoods.test(number) || canadianTaxNumber.test(number))) return true;
    if (field.name === 'receipt_number' && isBarcode(number) && lines[0]!.text.trim() === number) return true;
    if (ownNumbers.has(field.name) && lines.length === 1 && isOfAddress(lines[0]!, layout)) return true;
    if (field.name === 'receipt_number' && isOfTill(number, { lines, start, layout })) return true;
    // The number of an order says so itself, wherever it stands: `Reference: PO 88120`.
    if (field.name === 'payment_reference' && lines.length === 1 && namesOrder(lines[0]!.text.slice(0, start), number))
      return true;
    if (field.name === 'card_last4' && number.replace(/\D/g, '').length !== 4) return true;
    if (/^(?:rx ?)?(?:bin|pcn|grp)\b/i.test(number)) return true;
    // A container's number, by ISO 6346.
    if ((field.name === 'bl_number' || field.name === 'voyage') && /^[A-Z]{3}[UJZ] ?\d{6}[ -]?\d$/.test(number))
      return true;
    // Behind `DD` American cards have the document's discriminator.
    if (
      field.name === 'document_number' &&
      lines.length === 1 &&
      /(?:^|\s)5?\s*DD[\s:#]*$/.test(lines[0]!.text.slice(0, start))
    )
      return true;
    if (numbered.test(field.name) && (!/\d/.test(number) || dayAlone.test(number))) return true;
    // A caption with its day is no number: `DATE 05/30/2025`.
    if (captionedDay.test(number)) return true;
    // The caption of another number is a part of none: `BIC HELADEF1XXX`, `P.IVA 02441180371`.
    if (/^(?:bic|swift|iban|blz|p\.? ?iva|vat|ust|siret|tva|abn|nif|cif)(?![\p{L}])/iu.test(number)) return true;
    return (
      freePhone.test(number) ||
      (phone.test(number) && lines.some((line) => phoneWord.test(line.text) || isUncaptioned(line, number, layout)))
    );
  }
  if (kind === 'phone' && lines.length === 1 && faxCaption.test(lines[0]!.text.slice(0, start))) return true;
  if (kind === 'tax_id' && otherCaption.test(captionOfNumber({ lines, start, layout }))) return true;
  // The number that a German tax office gave is that of who writes.
  if (field.name === 'customer_tax_id' && lines.length === 1)
    return /steuer-?n(?:r|ummer)\.?[\s:]*$/iu.test(lines[0]!.text.slice(0, start));
  if (
    field.name === 'payment_method' &&
    (paymentState.test(String(value)) || /\d[.,]\d{2}$|[*•xX]{2,} ?\d{4}$/u.test(String(value)))
  )
    return true;
  if (field.name === 'payment_method' && lines.length === 1 && ofOtherType.test(lines[0]!.text.slice(0, start)))
    return true;
  if (field.name === 'consumption' && lines.length === 1) return isOtherUsage(layout, lines[0]!, start);
  // A discount, or what is charged on late payments, is no tax.
  if (field.name === 'tax_rate' && lines.length === 1)
    return reductionPattern.test(lines[0]!.text) || lateCharge.test(lines[0]!.text);
  if (!textual.has(kind) || typeof value !== 'string') return false;
  if (kind === 'address') {
    return (
      /^["“]|(?<!\p{L})\p{L}{3,}-nr(?!\p{L})|\S@\S/iu.test(value) ||
      wholeDate.test(value) ||
      titleWithNumber.test(value) ||
      (confidence < doubtfulAddress && !isAddressLike(value)) ||
      (field.name === 'service_address' &&
        /^(?:p\.? ?o\.? box|postfach|bo[iî]te postale|bp \d|apartado|casella postale)\b/i.test(value)) ||
      value.split(', ').some((part) => isHeading(part) || (field.name === 'service_address' && isFormPhrase(part)))
    );
  }
  // A unit may head a column as well.
  if (field.name.endsWith('_unit')) return !isMeasure(value);
  // What ends with the sign of a number is the caption of one: `EMP #`.
  if (named.test(field.name) && /[#№]\s*$/u.test(value) && !ofBranch.test(value)) return true;
  if (named.test(field.name) && isHouseInStreet(value)) return true;
  // Nobody is called like a whole address, or like the notice of how long a check is valid.
  if (kind !== 'text' && (isWholeAddress(value) || validity.test(value))) return true;
  // A form of address is nobody without the name below it: `Gent.ma Sig.ra`.
  if (named.test(field.name) && withoutTitles(`${value} X`) === 'X') return true;
  // No bank, provider or insurer is a person.
  if (
    institutions.has(field.name) &&
    (hasGivenName(titleCased(value)) || titled.test(value)) &&
    isPersonName(titleCased(value)) &&
    isOrganizationName(value) === null
  )
    return true;
  if (institutions.has(field.name) && brokenOff.test(value)) return true;
  // No employee and no patient is an organization, where somebody lives, or a grade: `Level 2 Casual`.
  if (people.has(field.name) && (isOrganizationName(value) !== null || isDwelling(value) || /\d/.test(value)))
    return true;
  if (field.name === 'payment_method' && isNamedMethod(value)) return false;
  if (isHeading(value) || (named.test(field.name) && !/\p{L}{2}/u.test(value))) return true;
  // A title with the beginning of its number is nobody: `AVOIR AV`, of `AVOIR AV-2025-017`.
  const [line] = lines;
  if (
    named.test(field.name) &&
    lines.length === 1 &&
    start === 0 &&
    /\d/.test(line!.text.slice(value.length)) &&
    isHeading(value.split(' ')[0]!)
  )
    return true;
  // What somebody does, in a list, is no name: `Garden design · Care · Natural stone`.
  if (kind === 'organization' && isListOfTrades(value) && /[·•|]/u.test(value)) return true;
  // Which of its branches it is says nothing of who somebody is; shops may be called so: `The Olive Branch`.
  if (kind === 'organization' && field.name !== 'merchant_name' && isBranch(value)) return true;
  if (named.test(field.name) && (isGreeting(value) || zone.test(value))) return true;
  // The rest of a caption is no name: `Coverage starts`.
  if (named.test(field.name) && start > 0 && /^\p{Ll}/u.test(value)) return true;
  // A caption begins another value.
  if (field.name === 'payment_terms' && lines.slice(1).some((line) => /^\p{Lu}[^:]{1,25}:(?: |$)/u.test(line.text)))
    return true;
  const [ofOther] = field.name === 'payment_terms' ? (/^\p{Lu}[^:\d]{1,25}:(?= )/u.exec(value) ?? []) : [];
  if (ofOther && isHeading(ofOther) && !field.captions.some((own) => labelOf(own) === labelOf(ofOther))) return true;
  // The rest of another caption, such as `Terms of delivery (Incoterms 2020)`.
  if (field.name === 'payment_terms' && isDangling(value)) return true;
  // What late payers are charged is no term.
  if (field.name === 'payment_terms' && lateInterest.test(value)) return true;
  if (field.name === 'payment_terms' && /^(?:banc[ao]|banque|bank)(?!\p{L})/iu.test(value)) return true;
  if (field.name === 'payment_terms' && /^(?:of (?:delivery|sale|business|use)|(?:and|&) conditions)/iu.test(value))
    return true;
  if (field.name === 'payment_terms' && !/\d/.test(value) && (isFormPhrase(value) || termOfDelivery.test(value)))
    return true;
  if (kind === 'text') return false;
  if (isFormPhrase(value) || /^(?:name\s|\d{1,2}[.)] )/i.test(value)) return true;
  const [caption = ''] = /^[^:\d]{2,30}:(?= )/.exec(value) ?? [];
  const called = labelOf(caption);
  const isOfOther =
    called.includes(' ') && isFormPhrase(called) && !field.captions.some((own) => labelOf(own) === called);
  if (isOfOther || (field.name === 'facility_name' && /^(?:dr|prof)\b/i.test(value) && isPersonName(value)))
    return true;
  if (lines.length === 1 && ofSomethingElse.test(`${lines[0]!.text.slice(0, start)}${caption}`)) return true;
  // Who is written to at a company stands below it, and so does what it does, in small letters.
  const isBelow = lines.length === 1 && (isAttention(lines[0]!.text) || !/[\p{Lu}\d]/u.test(lines[0]!.text));
  if (kind === 'organization' && isBelow && hasNameAbove(lines[0]!, layout)) return true;
  const isWithin = lines.length === 1 && lines[0]!.text.trim().length > value.length + 3;
  return isSentence(value) || (isWithin && /\p{Ll}/u.test(value) && !/\p{Lu}/u.test(value));
}

/** Whether a number is alone in its line, with no caption left of it or above it, as those of a letterhead are. */
function isUncaptioned(line: TextLine, number: string, layout: Layout): boolean {
  if (line.text.trim() !== number) return false;
  const { left, above } = neighboursOf(layout, line);
  const isCaption = (other: TextLine | null) =>
    other !== null && (isHeading(other.text) || isFormPhrase(other.text) || /[:#]\s*$/.test(other.text));
  return !isCaption(left) && !isCaption(above);
}

/** Whether a line's row is a sum or a tax with nothing but figures behind its name, and no half of a day. */
function isOfSum(layout: Layout, line: TextLine): boolean {
  const row = rowOf(layout, line)
    .map(({ text }) => text)
    .join(' ');
  return row.length <= 60 && sumOrTax.test(row) && !/\d[/.-]\d{1,2}[/.-]\d/.test(row);
}

const sumOrTax =
  /^[\d.%\s]{0,6}(?:sub ?-?total|total|(?:sa ?les |state |local )?tax|vat|gst|hst|amount due|balance|zwischensumme|summe|gesamt|mwst|sous-total|tva|subtotale?|totale|iva|tip|gratuity)(?:[^\p{L}]|(?:due|amount|eur|usd|gbp|chf)(?!\p{L}))*$/iu;

/** Whether a time stands right behind its day, as computers write both. */
function isOfTimestamp(before: string): boolean {
  return /\d{4}-\d{2}-\d{2}T$/.test(before);
}

/** Captions of tax numbers, and of numbers that are not the document's own. */
const taxCaption =
  /^(?:(?:[vs]\/ ?n\.?[ºo°]? ?)?contrib\p{L}*|abn|acn|vat|gst(?:in)?(?:\/uin)?|tax|nif|cif|nipc|p\.? ?iva|siret|tva|btw|ust\p{L}*|nip)[ .-]*(?:id|reg|registration|nr|no|number|n[.º°])*[ .:#º°]*$/iu;
const documents =
  'job|order|p\\.?o|purchase order|delivery note|project|claim|ticket|auftrag(?:s-?)?|bestell-?|lieferschein-?|projekt-?|commande|devis|chantier|pedido|albar[aá]n|presupuesto|ordine|ddt|preventivo|encomenda|requisi[cç][aã]o|offerte|pakbon';
const accounts = 'account|a\\/c|customer|client|kunden-?|cliente|klant';
const captionOf = (words: string) =>
  new RegExp(
    `^(?:(?:your|our|customer|client|buyer['’]?s|sales) )?(?:${words})[ .-]*(?:no|number|nr|nummer|num|#|id|ref(?:erence)?|n[.º°])*[ .:#º°]*$`,
    'iu',
  );
const orderCaption = captionOf('p\\.?o|purchase order');
const documentCaption = captionOf(documents);
const otherCaption = captionOf(`${documents}|${accounts}`);

/** A document's own numbers, which stand at no caption of another number. */
const ownNumbers: ReadonlySet<string> = new Set(['invoice_number', 'credit_note_number']);
/** Numbers that neither side has from the state. */
const neverTaxNumber = /^(?:(?:invoice|credit_note|receipt)_number|payment_reference|purchase_order|customer_id)$/;

/** Captions of what a till prints beside its receipt's number: who sold, where, at which desk, and what the card's bank wants. */
const tillCaption =
  /(?:^|[\s\d:;,/|-])(?:mid|tid|aid|arqc|tc|rrn|stan|apn?|pan|rc|vu|merch(?:ant)?|term(?:inal)?|str|store|shop|site|branch|markt|filiale|magasin|tienda|reg(?:ister)?|till|pos|kasse|kassa|caisse|caja|cassa|caixa|cshr|csh|cashier|operator|oper?|server|serveur|kassierer|bed|table|tbl|tisch|mesa|tavolo|pax|guests?|covers?|member(?:ship)?|card|karte(?:nnr)?|kaart|carte|tarjeta|auth?|autoris\p{L}*|autor\p{L}*|appr(?:oval)?(?: code)?|approved|aut(?:or)?|pump|zapfs[aä]ule|surtidor|tel|phone|ph|fax|room|zimmer|chambre|coupon|points?)[ .-]*(?:id|no|nr|number|code|n[.º°o])*[ .:#º°-]*$/iu;

/** What a row of goods ends with, perhaps with the mark of its tax. */
const priceAlone = /^-?[$€£]? ?\d{1,5}[.,]\d{2}-?(?: ?[A-Z]{1,2})?$/u;

const ofRegister = /(?<!\p{L})kvk[ .-]*(?:nr|nummer)?[ .:-]*$/iu;
const dutchTaxNumber = /(?<!\p{L})NL ?\d{4}[. ]?\d{2}[. ]?\d{3}[. ]?B[. ]?\d{2}(?!\d)/u;

/** What Canada and Quebec tax a shop by. */
const canadianTaxNumber = /^\d{9} ?RT ?\d{4}$|^\d{10} ?TQ ?\d{4}$/i;

/** Whether a number is an article's by its length and its check digit, as tills print it above the article's name. */
function isBarcode(number: string): boolean {
  if (!/^\d{12,13}$/.test(number)) return false;
  const sum = [...number.padStart(13, '0')].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/** How much of something is in one piece, as tills name their goods: `SILICONE 300G`. */
const sizeOfGoods = /^\d{1,4} ?(?:m?g|kg|[mc]?l|[mc]m|m|oz|lb|pk|pce?s?|stk?|w|v)$/i;

/** What hides the first digits of a number. */
const masks = /[*•]{2,} ?$|(?<![\p{L}\d])[xX]{3,} ?$/u;

/** A telephone number alone in its line, which begins with a zero or its country's code. */
const ownPhone = /^(?!.*\/.*\/)(?:\+|00?[1-9])[\d ./()-]{8,16}$/;

/** A number for value-added tax with the letters of its country. */
const ownTaxNumber =
  /^(?:ATU\d{8}|(?:DE|PT)\d{9}|(?:IT|FR)[A-Z\d]{11}|ES[A-Z]\d{8}|NL\d{9}B\d\d|BE[01]\d{9}|PL\d{10})$/;

/** Whether a number on a receipt is a till's, a bank's or the merchant's own: by its caption, its form or what hides its beginning. */
function isOfTill(
  number: string,
  { lines, start, layout }: Pick<PlacedCandidate, 'lines' | 'start' | 'layout'>,
): boolean {
  const [line] = lines;
  if (!line) return false;
  const before = line.text.slice(0, start);
  if (masks.test(before) || /^[*•xX]{2,}/u.test(number)) return true;
  const { left, right } = neighboursOf(layout, line);
  // An article's number begins a row that ends with its price.
  if (start === 0 && !left && priceAlone.test(right?.text.trim() ?? '')) return true;
  const isAlone = line.text.trim() === number && !left;
  if (isAlone && ((ownPhone.test(number) && /[ ./()-]/.test(number)) || ownTaxNumber.test(number))) return true;
  const caption = /[\p{L}\d]/u.test(before) ? before : (left?.text ?? '');
  return tillCaption.test(caption);
}

/** A number's caption: before it, left of it or above it. */
function captionOfNumber({ lines, start, layout }: Pick<PlacedCandidate, 'lines' | 'start' | 'layout'>): string {
  const [line] = lines;
  if (!line) return '';
  const before = line.text.slice(0, start).trim();
  if (/\p{L}/u.test(before)) return before;
  const { left, above } = neighboursOf(layout, line);
  const isBeside = left && (isHeading(left.text) || isFormPhrase(left.text) || isOtherCaption(left.text));
  return (isBeside ? left : above)?.text ?? '';
}

const isOtherCaption = (text: string) => taxCaption.test(text) || otherCaption.test(text);

/** Whether a line is the town of an address, the street right above one, or its postal code right below it. */
function isOfAddress(line: TextLine, layout: Layout): boolean {
  if (hasPlace(line.text)) return true;
  const { above, below } = neighboursOf(layout, line);
  if (isRightBelow(line, below) && isStreetLine(line.text) && hasPlace(below!.text)) return true;
  if (!/^\d{4,6}$/.test(line.text.trim()) || !isRightBelow(above, line)) return false;
  const over = neighboursOf(layout, above!).above;
  return hasPlace(`${above!.text} ${line.text.trim()}`) && isRightBelow(over, above) && isStreetLine(over!.text);
}

function isRightBelow(upper: TextLine | null, lower: TextLine | null): boolean {
  return upper !== null && lower !== null && isBelowAtEdge(upper.box, lower.box);
}

/** Whether a number's caption is that of another number. */
function isOfAnotherNumber(name: string, place: Pick<PlacedCandidate, 'lines' | 'start' | 'layout'>): boolean {
  if (!neverTaxNumber.test(name)) return false;
  const caption = captionOfNumber(place);
  return (
    caption.length <= 30 &&
    (taxCaption.test(caption) ||
      (ownNumbers.has(name) && otherCaption.test(caption)) ||
      (name === 'customer_id' && documentCaption.test(caption)) ||
      (name === 'payment_reference' && orderCaption.test(caption)))
  );
}

function hasNameAbove(line: TextLine, layout: Layout): boolean {
  const { above } = neighboursOf(layout, line);
  if (!above) return false;
  const height = line.box.y1 - line.box.y0;
  const fromMiddle = Math.abs(above.box.x0 + above.box.x1 - line.box.x0 - line.box.x1) / 2;
  return (
    line.box.y0 - above.box.y1 <= height &&
    Math.min(Math.abs(above.box.x0 - line.box.x0), fromMiddle) <= height &&
    /^\p{Lu}/u.test(above.text) &&
    !/\d/.test(above.text) &&
    !isHeading(above.text) &&
    !isFormPhrase(above.text) &&
    !/:\s*$/.test(above.text)
  );
}

/** Captions of what else has a type: `Room Type: KSTE`. */
const ofOtherType =
  /(?<!\p{L})(?:room|rate|ticket|vehicle|order|service|sale|txn|tran\p{L}*|entry|fuel|fare|zimmer) ?type[\s:]*$/iu;

/** What became of a payment, or what was paid for, which is no way to pay. */
const paymentState =
  /^(?:purchase|sale|refund|account|erfolgt|genehmigt|autorisiert|approved|accepted|successful|received|declined|details|due|copy|original|duplicat[ae]?|information|thank you|vielen dank|merci|gracias|grazie|accept[ée]e?|aceptad[ao]|autorizzat[ao]|eseguit[ao]|akkoord|geslaagd)(?!\p{L})/iu;

/** Who pays for the carriage and from where on, by the Incoterms or in words. */
const termOfDelivery =
  /^(?:exw|fca|fas|fob|cfr|cif|cpt|cip|dap|dpu|ddp|frei (?:haus|baustelle|werk|bordsteinkante)|frachtfrei|unfrei|ab (?:werk|lager)|ex works|carriage paid|franco(?: domicile)?|départ usine|porto (?:franco|assegnato)|portes? (?:pagad|debid)\p{L}*)(?!\p{L})/iu;

/** Interest on what is paid late, and nothing about when to pay. */
const lateInterest =
  /^(?:late|overdue|interest|verzugs\p{L}*|mahn\p{L}*|pénalités|intérêts? de retard|intereses de demora|interessi di mora|dr[öo]jsm[åa]ls\p{L}*|morarente|rentenota)(?!\p{L})(?!.*\d+ ?(?:days|tage|dagar|dage|jours|días|giorni|dagen))/iu;

const lateCharge =
  /(?<!\p{L})(?:late|overdue|past due|finance charge|per month|monthly (?:charge|interest|fee)|interest|verzug\p{L}*|mahn\p{L}*|pénalités|retard|intérêts?|intereses|demora|mora|interessi)(?!\p{L})/iu;
