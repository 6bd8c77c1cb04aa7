import type { Layout, TextLine } from '@millrace/document-model';
import { docTypes } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import { isCardSized } from '../layout/card.ts';
import { boxAround } from '../layout/geometry.ts';
import { documentTypes } from '../types/registry.ts';

/** A phrase of some types' evidence, and its weight for each by the type's index in `docTypes`. */
interface Phrase {
  readonly weights: readonly (readonly [type: number, weight: number])[];
}

/** When to pay: names a receipt, or an invoice, in documents of any type. */
const termOfPayment = /(?<!\p{L})(?:up)?on (?:the )?receipt(?: of (?:the |this )?(?:invoice|goods|bill))?(?!\p{L})/giu;
/** A quote that another document refers to, as an invoice does to what was agreed. */
const earlierQuote =
  /(?<!\p{L})(?:(?:selon|suivant|conformément (?:à|au)) (?:notre |votre |le )?devis|devis (?:n[°º.o]* ?)?\S*\d\S* (?:accepté|signé|validé|du)|(?:as )?per (?:our |your |the )?(?:quote|quotation|estimate)|(?:quote|quotation|estimate) (?:no\.? ?)?\S*\d\S* (?:accepted|approved)|(?:gemäß|laut|lt\.) (?:unserem |ihrem |dem )?angebot|según (?:el |nuestro )?presupuesto|come da (?:ns\.? |nostro )?preventivo|volgens (?:onze )?offerte)(?!\p{L})/giu;
/** The cents of an amount in words, as checks write them: `Two hundred and 50/100`. */
const hundredths = /(?<![\p{L}\d/])(?:\d{2}|no|xx) ?\/ ?100(?![\d/%])/giu;
const tokenPattern = /[\p{L}\d]+(?:[-.'’/][\p{L}\d]+)*|[<#%$€£]+/gu;
const wordLimit = 1500;
const phraseLength = 6;
const pageLimit = 3;
/** The share of a page in which its title stands. */
const headShare = 0.22;

/** Where OCR lost the blank between two sentences: `Governing law.The laws of …`. */
const lostBlank = /(?<=\p{Ll}{3}[.;])(?=\p{Lu}\p{Ll})/gu;

/** A text's words as phrases are compared: lower case, without accents, apostrophes of one kind. */
function phraseTokens(text: string): string[] {
  return foldText(text.replace(lostBlank, ' ')).replaceAll('’', "'").match(tokenPattern) ?? [];
}

const phrases: ReadonlyMap<string, Phrase> = (() => {
  const found = new Map<string, [number, number][]>();
  documentTypes.forEach((type, index) => {
    for (const [phrase, weight] of type.evidence) {
      const key = phraseTokens(phrase).join(' ');
      if (key === '') continue;
      const weights = found.get(key) ?? [];
      if (!weights.some(([other]) => other === index)) weights.push([index, weight]);
      found.set(key, weights);
    }
  });
  return new Map([...found].map(([key, weights]) => [key, { weights }]));
})();

const typeCount = docTypes.length;

/** What a document shows beside its evidence phrases. */
const shapeNames = [
  'constant',
  'words',
  'few_words',
  'lines',
  'pages',
  'wide',
  'narrow',
  'small_page',
  'amounts',
  'amount_share',
  'dates',
  'zone',
  'iban',
  'email',
  'phone',
  'percent',
  'line_length',
  'long_lines',
  'tables',
  'rulings',
  'digit_share',
  'magnetic',
  'capitals',
  'units',
] as const;

/** One name per feature: evidence for each type, evidence in titles for each type, then the document's shape. */
export const classifierFeatures: readonly string[] = [
  ...docTypes.map((name) => `evidence.${name}`),
  ...docTypes.map((name) => `title.${name}`),
  ...shapeNames,
];

const amountPattern = /^\W{0,3}[-+(]?\d{1,3}(?:[.,' ]?\d{3})*[.,]\d{2}\W{0,3}$/;
const datePattern = /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})$/;
const unitPattern = /^(?:mg|g|mmol|ng|pg|[uµμ]g|miu|iu|u)\/(?:dl|l|ml)$/i;

/** The features of a document, in the order of `classifierFeatures`. Costs well below a millisecond a page. */
export function classifierFeaturesOf(layout: Layout): Float64Array {
  const evidence = new Float64Array(typeCount);
  const titles = new Float64Array(typeCount);
  const lines = layout.lines.filter((line) => line.page <= pageLimit);
  const heights = lines.map((line) => lineHeight(line)).sort((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 1;
  const seen = new Set<string>();
  let words = 0;
  let amounts = 0;
  let dates = 0;
  let emails = 0;
  let percents = 0;
  let units = 0;
  let digits = 0;
  let letters = 0;
  let capitals = 0;
  let longLines = 0;
  let zoneLines = 0;
  let ibans = 0;
  let phones = 0;
  let magnetic = 0;
  const headEnds = new Map(layout.document.pages.map((page) => [page.number, headShare * page.height]));
  // A card is a part of its picture only.
  if (isCardSized(layout)) {
    const { y0, y1 } = boxAround(lines.filter(({ page }) => page === 1));
    headEnds.set(1, Math.max(headEnds.get(1) ?? 0, y0 + headShare * (y1 - y0)));
  }
  for (const line of lines) {
    if (words > wordLimit) break;
    const { text } = line;
    words += line.words.length;
    if (text.length > 60) longLines += 1;
    if (/[A-Z0-9<]{8,}<{2,}|<{4,}/.test(text.replaceAll(' ', ''))) zoneLines += 1;
    if (/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,}/.test(text)) ibans += 1;
    if (/(?:tel|phone|fon|fax|mobil)\b|^\W*\+\d{2}/i.test(text)) phones += 1;
    if (/^\W{0,3}[":|¦⑆⑈]?\s?\d{4,}\W{1,4}\d{6,}|[⑆⑈:|"]\d{9}[⑆⑈:|"]|(?<!\w)A\d{9}A(?!\w)/.test(text)) magnetic += 1;
    for (const word of line.words) {
      if (amountPattern.test(word.text)) amounts += 1;
      else if (datePattern.test(word.text)) dates += 1;
      else if (unitPattern.test(word.text)) units += 1;
      if (word.text.includes('@')) emails += 1;
      if (word.text.endsWith('%')) percents += 1;
      for (const character of word.text) {
        if (character >= '0' && character <= '9') digits += 1;
        else if (character >= 'A' && character <= 'Z') capitals += 1;
        else if (character > '@') letters += 1;
      }
    }
    const tokens = phraseTokens(
      text.replace(termOfPayment, ' ').replace(earlierQuote, ' ').replace(hundredths, ' hundredths '),
    );
    const standsOut = lineHeight(line) > 1.25 * usual || line.box.y1 < (headEnds.get(line.page) ?? 0);
    for (let start = 0; start < tokens.length; start += 1) {
      let key = '';
      for (let length = 1; length <= phraseLength && start + length <= tokens.length; length += 1) {
        key = length === 1 ? tokens[start]! : `${key} ${tokens[start + length - 1]!}`;
        const phrase = phrases.get(key);
        if (!phrase) continue;
        const isTitle = standsOut && tokens.length <= length + 3 && line.page === 1;
        if (isTitle) for (const [type, weight] of phrase.weights) titles[type] = Math.max(titles[type]!, weight);
        if (seen.has(key)) continue;
        seen.add(key);
        for (const [type, weight] of phrase.weights) evidence[type]! += weight;
      }
    }
  }
  const first = layout.document.pages[0];
  const aspect = first ? first.width / Math.max(1, first.height) : 1;
  const smallPage = first?.unit === 'point' && first.width * first.height < 200_000 ? 1 : 0;
  const count = Math.max(1, words);
  const shape: Record<(typeof shapeNames)[number], number> = {
    constant: 1,
    words: Math.log1p(words) / 6,
    few_words: words < 60 ? 1 : 0,
    lines: Math.log1p(lines.length) / 5,
    pages: Math.min(3, layout.document.pages.length) - 1,
    wide: aspect > 1.2 ? 1 : 0,
    narrow: aspect < 0.6 ? 1 : 0,
    small_page: smallPage,
    amounts: Math.log1p(amounts) / 3,
    amount_share: Math.min(0.3, amounts / count) * 5,
    dates: Math.log1p(dates) / 2,
    zone: Math.min(3, zoneLines),
    iban: Math.min(1, ibans),
    email: Math.min(2, emails),
    phone: Math.min(2, phones),
    percent: Math.min(3, percents) / 2,
    line_length: words / Math.max(1, lines.length) / 6,
    long_lines: longLines / Math.max(1, lines.length),
    tables: Math.min(2, layout.tables.length),
    rulings: Math.log1p(first?.rulings.length ?? 0) / 4,
    digit_share: digits / Math.max(1, digits + letters + capitals),
    magnetic: Math.min(1, magnetic),
    capitals: capitals / Math.max(1, letters + capitals),
    units: Math.log1p(units),
  };
  const features = new Float64Array(classifierFeatures.length);
  for (let type = 0; type < typeCount; type += 1) {
    // Evidence grows ever less: the tenth phrase says little that nine did not.
    features[type] = Math.sqrt(evidence[type]!);
    features[typeCount + type] = titles[type]! / 2;
  }
  shapeNames.forEach((name, index) => {
    features[2 * typeCount + index] = shape[name];
  });
  return features;
}

function lineHeight(line: TextLine): number {
  return line.words.reduce((sum, word) => sum + word.box.y1 - word.box.y0, 0) / Math.max(1, line.words.length);
}
