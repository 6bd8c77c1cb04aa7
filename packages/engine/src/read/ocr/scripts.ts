import type { Word } from '@millrace/document-model';
import type { OcrLanguage } from './tesseract.ts';

/** Languages whose script PP-OCR lacks, by ISO 639-1 code, and its letters; of Japanese it reads all but the kana. */
const scripts = {
  he: /\p{Script=Hebrew}/u,
  ar: /\p{Script=Arabic}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
} as const satisfies Partial<Record<OcrLanguage, RegExp>>;

export type ScriptLanguage = keyof typeof scripts;

export const scriptLanguages = Object.keys(scripts) as ScriptLanguage[];

/** Such letters that make a page one of the language: fewer are a sign, or noise. */
export const leastLetters = 5;

/** The language of another script that the words are of; null where they are of none. */
export function scriptLanguageOf(words: readonly Word[]): ScriptLanguage | null {
  return scriptLanguages.find((language) => lettersOf(words, language) >= leastLetters) ?? null;
}

/** The words that have a letter of a language's script. */
export function wordsOf(words: readonly Word[], language: ScriptLanguage): readonly Word[] {
  return words.filter(({ text }) => scripts[language].test(text));
}

/** Letters of a language's script; without one, of any. */
export function lettersOf(words: readonly Word[], language: ScriptLanguage | null = null): number {
  const letter = language ? scripts[language] : /\p{L}/u;
  return words.reduce((sum, { text }) => sum + [...text].filter((each) => letter.test(each)).length, 0);
}
