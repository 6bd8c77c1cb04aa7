import type { Box, Word } from '@millrace/document-model';
import type { Raster } from '../raster.ts';
import type { RasterReading } from './page.ts';
import type { OcrLanguage, Tesseract } from './tesseract.ts';
import { pictureForTesseract } from './tesseract-page.ts';

/** Languages whose script PP-OCR lacks, by ISO 639-1 code, and its letters; of Japanese it reads all but the kana. */
const scripts = {
  he: /\p{Script=Hebrew}/u,
  ar: /\p{Script=Arabic}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
} as const satisfies Partial<Record<OcrLanguage, RegExp>>;

export type ScriptLanguage = keyof typeof scripts;

export const scriptLanguages = Object.keys(scripts) as ScriptLanguage[];

/** Such letters that make a page one of the language: fewer are a sign, or noise. */
const leastLetters = 5;

/** The language of another script that the words are of; null where they are of none. */
export function scriptLanguageOf(words: readonly Word[]): ScriptLanguage | null {
  return scriptLanguages.find((language) => lettersOf(words, language) >= leastLetters) ?? null;
}

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
    const scale = reading.width / picture.width;
    const words = found.map((word) => ({ ...word, box: scaled(word.box, scale) }));
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

function wordsOf(words: readonly Word[], language: ScriptLanguage): readonly Word[] {
  return words.filter(({ text }) => scripts[language].test(text));
}

/** Letters of a language's script; without one, of any. */
function lettersOf(words: readonly Word[], language: ScriptLanguage | null = null): number {
  const letter = language ? scripts[language] : /\p{L}/u;
  return words.reduce((sum, { text }) => sum + [...text].filter((each) => letter.test(each)).length, 0);
}

/** By how many characters each word has. */
function meanConfidence(words: readonly Word[]): number {
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / Math.max(1, characters);
}

/** Whether most of a box lies within words. */
function isCovered(box: Box, words: readonly Word[]): boolean {
  const area = (box.x1 - box.x0) * (box.y1 - box.y0);
  const shared = words.reduce((sum, { box: other }) => {
    const width = Math.min(box.x1, other.x1) - Math.max(box.x0, other.x0);
    const height = Math.min(box.y1, other.y1) - Math.max(box.y0, other.y0);
    return width > 0 && height > 0 ? sum + width * height : sum;
  }, 0);
  return shared > area / 2;
}

function scaled({ x0, y0, x1, y1 }: Box, scale: number): Box {
  return { x0: x0 * scale, y0: y0 * scale, x1: x1 * scale, y1: y1 * scale };
}
