import type { ExtractedValue, Layout } from '@millrace/document-model';
import { wordsAt } from '../../layout/words-at.ts';

/** What is written by hand on a check and has no other place to be compared with. */
const written = ['payee_name', 'memo'];

/** Of names written by hand with a letter less sure than this, two in three are misread; of the others one in nine. */
const sureLetter = 0.6;

/** The fields without those written by hand of which OCR may have misread a letter: `Anerican Legian Post`. */
export function withoutMisread(
  fields: Readonly<Record<string, ExtractedValue>>,
  { document: { pages } }: Layout,
): Record<string, ExtractedValue> {
  const isMisread = ({ provenance }: ExtractedValue) =>
    provenance
      .flatMap((place) => wordsAt(place, pages.find(({ number }) => number === place.page)?.words ?? []))
      // Of a word with a mark within, the mark may be what is unsure.
      .some(({ text, leastConfidence }) => /^\p{L}{2,}[.,]?$/u.test(text) && (leastConfidence ?? 1) < sureLetter);
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !written.includes(name) || !isMisread(value)),
  );
}
