import { documentTypes } from '../types/registry.ts';
import { foldText } from './date.ts';

function comparable(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\d%#&/ ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Words that are captions in forms, but as well a name or a part of one. */
const alsoNames = new Set(['bank', 'banco', 'banca', 'banque', 'de', 'da', 'a', 'an', 'to', 'for', 'von', 'van']);

/** Captions of all fields and columns, titles of documents, and phrases that only a type's own headings have. */
const headings: ReadonlySet<string> = new Set(
  documentTypes
    .flatMap((type) => [
      type.title,
      ...type.fields.flatMap(({ captions }) => captions),
      ...type.columns.flatMap(({ captions }) => captions),
      ...type.evidence.map(([phrase]) => phrase),
    ])
    .map(comparable)
    .filter((text) => text.length > 2 && !alsoNames.has(text)),
);

/** Those of several words without their blanks, which OCR loses: `Billto`, `InvoiceNo.`. */
const joinedHeadings: ReadonlySet<string> = new Set(
  [...headings].filter((text) => text.includes(' ') && text.length > 6).map((text) => text.replaceAll(' ', '')),
);

/** Columns of forms that are no field's. */
const columns: ReadonlySet<string> = new Set(
  'period begin|period beginning|period ending|voucher no|voucher number|advice no|advice number|home department|dept|ni number|tax code|works no|batch|clock|freq|frequency|suff|iss|exp|hgt|wgt|eyes|hair|pay method|cost centre|cost center|suffix'.split(
    '|',
  ),
);

/** Headings that name a part of a page and no field. */
const standing =
  /^(?:your|our|branch|customer|client|billing|mailing|account|service|shipping|delivery|contact|property|employee|employer|patient|member|remittance|payment|company|bank|personal)(?: \p{L}+)? (?:details|information|info|address|location|summary|statement|charged|supplied|served)$/u;

/**
 * Whether a text is a caption, the heading of a column or the title of a document and nothing else: it is nobody's name
 * and no value.
 */
export function isHeading(text: string): boolean {
  const compared = comparable(text).replace(/^[/&] /, '');
  if (headings.has(compared) || columns.has(compared) || joinedHeadings.has(compared)) return true;
  const [, before, within] = /^([^()]{3,})\(([^()]{3,})\)\W*$/u.exec(text.trim()) ?? [];
  if (before && within && isHeading(before) && isHeading(within)) return true;
  // Captions side by side, such as `Shipper / Exporter` or `Account name Account number`.
  const words = compared.split(' ');
  // German compounds are what their last word is: `TAXI-QUITTUNG`.
  const [, compound] = /^\p{L}{3,}-(\p{L}{5,})$/u.exec(text.trim()) ?? [];
  if (compound && headings.has(comparable(compound))) return true;
  if (words.length < 3) return /^(?:your|our) /.test(compared) || standing.test(compared);
  for (let split = 1; split < words.length; split += 1) {
    const [left, right] = [words.slice(0, split).join(' '), words.slice(split).join(' ')];
    if (standing.test(compared)) return true;
    if (headings.has(left.replace(/[/&]$/, '').trim()) && headings.has(right.replace(/^[/&]/, '').trim())) return true;
  }
  return false;
}

/** Nouns that captions, headings and columns end with, and names do not. */
const headingNouns = new Set(
  `date dates detail details info information statement statements summary report number numbers no nos nr num code codes id type
  amount amounts total totals subtotal name names address addresses period due charge charges fee fees usage hours rate rates terms conditions
  invoice bill receipt copy form signature signed phone telephone fax email reference ref description quantity qty balance balances
  advice stub voucher activity transactions deductions earnings withholdings taxes benefits payments account accounts checking savings
  withheld withholding contribution contributions history comparison highlights overview instructions notice message messages questions identification diagnosis impression
  range results specimen year month days ytd current previous status class sex gender origin destination particulars
  routing references measurement employé employeur salarié salarial patronal négociable
  datum nummer rechnung betrag summe seite kundennummer angaben übersicht auszug kontoauszug abrechnung zeitraum
  facture relevé montant numéro période adresse référence détails informations factura fecha importe número periodo datos
  fattura data importo numero periodo dati fatura valor número período dados`
    .split(/\s+/)
    .map(foldText),
);
/** What titles of documents begin with in languages that put the noun first. */
const titleNouns = new Set(
  'releve facture recibo extracto bulletin fiche nomina estratto busta factura fattura fatura extrato kontoauszug abrechnung verdienstabrechnung lohnabrechnung gehaltsabrechnung entgeltabrechnung rechnung rekeningafschrift loonstrook factuur'.split(
    ' ',
  ),
);
/** Words that join the others and name nobody. */
const functionWords = new Set(
  'the of to for and or a an no in on by at from with your our der die das le la les el los il lo o os de'.split(' '),
);

const example = '(?:sample|specimen|example|muster|exemple|ejemplo|esempio|exemplo|voorbeeld)';
/** What a specimen has behind its title, apart from it or behind several words: `Water Bill - SAMPLE`. */
const ofSpecimen = new RegExp(`(?:\\s*[(–-]\\s*|(?<=\\p{L} .*\\p{L})\\s+)${example}(?: only)?\\)?$`, 'iu');

/**
 * Whether a text is worded as captions and headings are, whether or not it is a known one: `Process date`, `Specimen
 * details`, `Energy statement`, or words such as `the` that name nobody.
 */
export function isFormPhrase(text: string): boolean {
  const words = comparable(text.replace(ofSpecimen, ''))
    .replace(/[%#&/]+/g, ' ')
    .trim()
    .split(/\s+/);
  if (titleNouns.has(words[0]!)) return true;
  if (words.length > 6 || words[0] === '') return false;
  if (words.every((word) => functionWords.has(word) || headingNouns.has(word))) return true;
  if (words.length < 4 && /^(?:date|datum|fecha|data)$/.test(words[0]!)) return true;
  if (/^(?:your|our|votre|vos|ihre?|su|tu|see)$/.test(words[0]!)) return true;
  return headingNouns.has(words.at(-1)!) && words.every((word) => !/\d/.test(word));
}

const spoken =
  /(?<!\p{L})(?:please|thank you|thanks for|return (?:this|the|bottom|top)|detach|keep this|tear here|(?:with|your) payment$|call us|visit us|visit our|contact us|if you|for your|questions|pay by|payable|welcome to|a division of|a subsidiary of|member fdic|an? \p{Lu}\p{L}+(?: \p{L}+)? company|since (?:18|19|20)\d\d|give form|do not send|not negotiable|non[- ]negotiable|insert|\p{L}+['’]s (?:most|best|leading|favou?rite)|bitte|vielen dank|wenn sie|merci de|veuillez|por favor|gracias por|si prega|grazie per)(?!\p{L})/iu;

/** Whether a text speaks to its reader: a request, thanks or a slogan, and nobody's name. */
export function isSentence(text: string): boolean {
  return spoken.test(text);
}
