import type { Box, Word } from '@millrace/document-model';
import type { Raster } from '../raster.ts';
import { areaOf, commonArea } from './merge.ts';
import { type RasterReading, scaleWords } from './page.ts';
import { leastLetters, lettersOf, type ScriptLanguage, wordsOf } from './scripts.ts';
import type { Tesseract } from './tesseract.ts';
import { pictureForTesseract } from './tesseract-page.ts';
import { meanConfidence } from './words.ts';

/**
 * A reading by PP-OCR with the words of another script as Tesseract reads them instead of what it made of them; unchanged
 * where the page has none of the languages that are asked for. Figures stay as PP-OCR reads them.
 *
 * @param asked the languages that a page may be of; each one that the reading leaves possible costs a pass over the page.
 */
export async function withScripts(
  tesseract: () => Promise<Tesseract>,
  raster: Raster,
  reading: RasterReading,
  asked: readonly ScriptLanguage[],
): Promise<RasterReading> {
  for (const language of asked.filter((each) => isPossible(each, reading.words))) {
    const picture = await pictureForTesseract(raster, reading, reading, { settled: [], language });
    const read = await (await tesseract()).recognise(picture, 'ocr:tesseract:1');
    const found = wordsOf(read, language);
    if (lettersOf(found, language) < leastLetters || meanConfidence(found) < leastConfidence) continue;
    const words = scaleWords(found, reading.width / picture.width);
    return { ...reading, words: [...reading.words.filter(({ box }) => !isCovered(box, words)), ...words] };
  }
  return reading;
}

/** What PP-OCR makes of letters that it lacks is less sure than this in the mean, of others far surer. */
const unsure = 0.85;

/** Of the right script Tesseract is surer than this (0.87 and 0.92 on an Arabic and a Hebrew page), of another far less (0.25). */
const leastConfidence = 0.6;

/** Whether a reading by PP-OCR may be of a page in a language: of unsure letters, of Chinese ones for Japanese. */
function isPossible(language: ScriptLanguage, words: readonly Word[]): boolean {
  if (language === 'ja') return words.some(({ text }) => /\p{Script=Han}/u.test(text));
  const lettered = words.filter(({ text }) => /\p{L}/u.test(text));
  return lettersOf(lettered) >= leastLetters && meanConfidence(lettered) < unsure;
}

/** Whether most of a box lies within words. */
function isCovered(box: Box, words: readonly Word[]): boolean {
  const shared = words.reduce((sum, { box: other }) => sum + commonArea(box, other), 0);
  return shared > areaOf(box) / 2;
}
