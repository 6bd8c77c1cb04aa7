import type { ExtractedFields, ExtractedValue, ReadDocument, Word } from '@millrace/document-model';
import { proofsOfReading, unsureConfidence } from './calibration.ts';

/** Words of an even picture are read with 0.97 on the mean; of a hundred pictures, one is below this. */
const leastMean = 0.9;
/** Fewer words say little of a picture. */
const leastWords = 20;

/**
 * The fields without the sureness of those that no proof stands behind, where their page's picture is so poor that OCR
 * doubts its words all over: a fax, a copy of a copy. There it misreads digits with confidence, and what stands at a
 * caption may be what was left of several. Where the check digits of a machine-readable zone hold, the zone is proof
 * enough for all that it states.
 */
export function doubtedOnPoorPictures(fields: ExtractedFields, { pages }: ReadDocument): ExtractedFields {
  const poor = new Set(pages.filter(({ readings }) => isPoor(readings[0]?.words ?? [])).map(({ number }) => number));
  if (poor.size === 0 || fields.mrz?.flags.includes('check_digit_holds')) return fields;
  const isDoubted = ({ confidence, flags, provenance }: ExtractedValue) =>
    confidence > unsureConfidence &&
    !flags.some((flag) => proofsOfReading.has(flag)) &&
    provenance.some(({ page, source }) => poor.has(page) && source.startsWith('ocr:'));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isDoubted(value) ? { ...value, confidence: unsureConfidence } : value,
    ]),
  );
}

function isPoor(words: readonly Word[]): boolean {
  let count = 0;
  let sum = 0;
  for (const { text, source, confidence } of words) {
    if (!source.startsWith('ocr:') || !/[\p{L}\d]{2}/u.test(text)) continue;
    count += 1;
    sum += confidence;
  }
  return count >= leastWords && sum < leastMean * count;
}
