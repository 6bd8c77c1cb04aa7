import type { Extraction, Provenance, ReadDocument, Word } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import { repairLetters } from '../candidates/repair.ts';
import { wordsAt } from '../layout/words-at.ts';
import type { DoubtfulPlace } from '../read/settled.ts';
import type { DocumentType } from '../types/definition.ts';

/**
 * A letter less sure than this may be misread. One receipt in fourteen has such a letter in its address and is read again
 * for it; below 0.7 it would be every second one, for hardly more wrong addresses found.
 */
const sureLetter = 0.4;
/** Where so many passes read a place and no two read a word alike, nothing shows which of them is right. */
const leastPasses = 3;

/** Where the values stand of which no word may be one pass's alone, as far as some letter of theirs is doubtful. */
export function unconfirmedPlaces(
  { readAlike = [] }: DocumentType,
  { fields }: Extraction,
  { pages }: ReadDocument,
): readonly DoubtfulPlace[] {
  return readAlike.flatMap((name) => {
    const places = fields[name]?.provenance ?? [];
    const isDoubtful = places.some((place) =>
      wordsAt(place, pages.find(({ number }) => number === place.page)?.words ?? []).some(
        ({ source, leastConfidence }) => source.startsWith('ocr:') && (leastConfidence ?? 1) < sureLetter,
      ),
    );
    return isDoubtful ? places : [];
  });
}

/**
 * The extraction without the values of such fields that have a word which one pass alone read so: each pass takes other
 * letters for each other, as one reads `SE11A` and the others `SETIA`.
 */
export function withoutLoneWords(type: DocumentType, extraction: Extraction, document: ReadDocument): Extraction {
  const { readAlike = [] } = type;
  const fields = Object.entries(extraction.fields).filter(
    ([name, { value, provenance }]) => !readAlike.includes(name) || !hasLoneWord(String(value), provenance, document),
  );
  return { ...extraction, fields: Object.fromEntries(fields) };
}

function hasLoneWord(value: string, places: readonly Provenance[], { pages }: ReadDocument): boolean {
  const readings = pages.find(({ number }) => number === places[0]?.page)?.readings ?? [];
  const texts = readings.map(({ words }) => lettersAt(places, words)).filter((text) => text !== '');
  if (texts.length < leastPasses) return false;
  const words = foldText(value).match(/[\p{L}\d]+/gu) ?? [];
  return words.some((word) => texts.filter((text) => text.includes(word)).length < 2);
}

/** All letters and digits that a pass reads in some places, as they are and put right. */
function lettersAt(places: readonly Provenance[], words: readonly Word[]): string {
  const text = places.flatMap((place) => wordsAt(place, words).map((word) => word.text)).join(' ');
  const bare = (each: string) => foldText(each).replace(/[^\p{L}\d]/gu, '');
  return text === '' ? '' : `${bare(text)} ${bare(repairLetters(text))}`;
}
