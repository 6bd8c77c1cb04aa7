import type { Box, ExtractedValue, Extraction, ReadDocument, Reading } from '@millrace/document-model';
import { withoutMarks } from '../candidates/unmarked.ts';
import type { OcrLanguage } from '../read/ocr/tesseract.ts';
import type { DoubtfulPlace } from '../read/settled.ts';
import type { DocumentType } from '../types/definition.ts';
import { letteredFields } from './lettered-fields.ts';

/** Languages that write many names with letters that the first pass has no signs for, and the second has. */
const markedLanguages: readonly OcrLanguage[] = ['de', 'fr', 'es', 'it', 'pt', 'pl', 'sv', 'da'];

/** The countries that issue papers in each, whose captions are in English as well, or in several languages. */
const issuersByLanguage: Readonly<Partial<Record<OcrLanguage, string>>> = {
  de: 'DE AT CH LI',
  fr: 'FR BE LU MC SN CI CM MA DZ TN',
  es: 'ES MX AR BO CL CO CR CU DO EC GT HN NI PA PE PY SV UY VE',
  it: 'IT SM',
  pt: 'PT BR AO CV MZ',
  pl: 'PL',
  sv: 'SE FI',
  da: 'DK NO',
};

/** The language with marks of a text, or of the country that issued a paper; null where its names have none. */
export function markedLanguageOf({ locale, fields }: Extraction): OcrLanguage | null {
  const issuer = fields.issuing_country?.value;
  const own = markedLanguages.find((each) => each === locale.language);
  if (own || typeof issuer !== 'string') return own ?? null;
  return markedLanguages.find((each) => issuersByLanguage[each]?.split(' ').includes(issuer)) ?? null;
}

/** Words for how one pays that are written with marks. */
const markedWords = /(?<!\p{L})(?:credito|debito|credit|especes|numerario|cartao|cheque|reglement)(?!\p{L})/iu;

/** Summaries and the like are not worth another reading. */
const longestText = 120;

/** Where names, addresses, short texts and words for payment stand whose letters may have lost their marks: `Marche` for `Marché`. */
export function unmarkedPlaces(
  type: DocumentType,
  fields: Readonly<Record<string, ExtractedValue>>,
): readonly DoubtfulPlace[] {
  const texts = type.fields.flatMap(({ name, kind }) => (kind === 'text' || name === 'payment_method' ? [name] : []));
  return [...letteredFields(type), ...texts].flatMap((name) => {
    const value = fields[name];
    const isPlain =
      typeof value?.value === 'string' &&
      !/\P{ASCII}/u.test(value.value) &&
      value.value.length <= longestText &&
      (name !== 'payment_method' || markedWords.test(value.value));
    return value && isPlain ? value.provenance.filter(({ source }) => source === 'ocr:ppocr:1') : [];
  });
}

/** The extraction with its texts in the words that stand in their places with marks, and otherwise letter for letter. */
export function withMarks(extraction: Extraction, { pages }: ReadDocument): Extraction {
  const fields = Object.entries(extraction.fields).map(([name, each]): [string, ExtractedValue] => {
    const { value, provenance } = each;
    if (typeof value !== 'string' || !provenance.some(({ source }) => source.startsWith('ocr:'))) return [name, each];
    const marked = pages.flatMap(({ number, words, readings }) =>
      [...readings.filter(isMarked).flatMap((reading) => reading.words), ...words]
        .filter(({ box }) => provenance.some((place) => place.page === number && overlaps(place.box, box)))
        .flatMap(({ text }) => text.match(letters) ?? [])
        .filter((word) => /\P{ASCII}/u.test(word)),
    );
    const withItsMarks = (word: string) => marked.find((each) => isSameButMarks(each, word));
    return [
      name,
      {
        ...each,
        value: value.replace(letters, (word) => withItsMarks(word) ?? withItsMarks(inCapitals(word)) ?? word),
      },
    ];
  });
  return { ...extraction, fields: Object.fromEntries(fields) };
}

/** Whether a reading is by Tesseract, which alone has letters with marks: where passes differ, the others outvote it. */
function isMarked({ source }: Reading): boolean {
  return source.startsWith('ocr:tesseract');
}

/** Words, with the figures that letters with marks are taken for: `Krak6w`. */
const letters = /[\p{L}\d]*\p{L}[\p{L}\d]*/gu;

/** Letters with marks that are letters of their own, and what the first pass, which lacks them, takes them for. */
const lookalikes: Readonly<Record<string, string>> = { ł: 'tl1', Ł: 'tLE', ø: 'o0', Ø: 'O0', đ: 'd', Đ: 'D', ß: 'B8b' };

/** Whether a word is another one with marks, which the other has lost and nothing else: `Żółw` is, of `Zotw`. */
function isSameButMarks(marked: string, word: string): boolean {
  if (marked.length !== word.length || marked === word) return false;
  return [...marked].every((letter, at) => {
    const other = word[at]!;
    if (letter === other) return true;
    const plain = withoutMarks(letter);
    if (plain === letter) return lookalikes[letter]?.includes(other) ?? false;
    return plain === other || (other === '6' && plain === 'o');
  });
}

/** A word in capitals, of which the first pass takes an `Í` for a small `i`: `GARCiA`. */
function inCapitals(word: string): string {
  return /^\p{Lu}*(?:i\p{Lu}+)+i?$|^\p{Lu}{2,}i$/u.test(word) ? word.toUpperCase() : word;
}

function overlaps(a: Box, b: Box): boolean {
  return a.x0 < b.x1 && a.x1 > b.x0 && a.y0 < b.y1 && a.y1 > b.y0;
}
