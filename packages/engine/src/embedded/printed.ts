import type { Box, JsonValue, Page, ReadDocument, Word } from '@millrace/document-model';
import { lazy } from '../lazy.ts';

/** Finds values in the printed words of a document, however they are written there. */
export interface PrintedWords {
  /**
   * The first place where the value is printed in one line; null where there is none, and for values of less than four
   * letters and digits, which stand in many places.
   */
  place(value: JsonValue): { readonly page: number; readonly box: Box } | null;
  /** Whether the value is printed: in one line, or, a longer text, by most of its words anywhere. */
  shows(value: JsonValue): boolean;
}

/** Letters and digits in lower case without accents: what remains the same however a text is set. */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The page's words as one normalised string, line by line, with the word that each character belongs to. */
interface PageText {
  readonly page: Page;
  readonly words: readonly Word[];
  readonly characters: string;
  /** Index of the word, for each character. */
  readonly wordOf: readonly number[];
}

export function indexPrintedWords(document: ReadDocument): PrintedWords {
  const pages = document.pages.map(indexPage);
  const tokens = new Set(pages.flatMap(({ words }) => words.flatMap((word) => tokensOf(word.text))));
  const find = (forms: readonly PrintedForm[]) => {
    for (const page of pages) {
      for (const { characters, fits } of forms) {
        const words = findWords(page, characters, fits);
        if (words) return { page: page.page.number, box: unionOf(words) };
      }
    }
    return null;
  };
  return {
    place: (value) => find(printedForms(value).filter((form) => form.characters.length >= 4)),
    shows: (value) => {
      if (find(printedForms(value))) return true;
      if (typeof value !== 'string') return false;
      const wanted = tokensOf(value);
      return wanted.length > 1 && wanted.filter((token) => tokens.has(token)).length >= 0.8 * wanted.length;
    },
  };
}

function tokensOf(text: string): readonly string[] {
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .map(normalizeText)
    .filter((token) => token !== '');
}

function indexPage(page: Page): PageText {
  const words = inLines(page.words);
  let characters = '';
  const wordOf: number[] = [];
  words.forEach((word, index) => {
    const text = normalizeText(word.text);
    characters += text;
    for (let i = 0; i < text.length; i += 1) wordOf.push(index);
  });
  return { page, words, characters, wordOf };
}

/** Words from top to bottom and, where they stand at one height, from left to right. */
function inLines(words: readonly Word[]): readonly Word[] {
  const middle = (word: Word) => (word.box.y0 + word.box.y1) / 2;
  const lines: { bottom: number; words: Word[] }[] = [];
  for (const word of words.toSorted((a, b) => middle(a) - middle(b))) {
    const line = lines.at(-1);
    if (line && middle(word) < line.bottom) line.words.push(word);
    else lines.push({ bottom: middle(word) + (word.box.y1 - word.box.y0) / 2, words: [word] });
  }
  return lines.flatMap((line) => line.words.sort((a, b) => a.box.x0 - b.box.x0));
}

interface PrintedForm {
  /** Normalised. */
  readonly characters: string;
  /** Whether the words that have these characters say this value. */
  readonly fits: (text: string) => boolean;
}

const always = () => true;

function printedForms(value: JsonValue): readonly PrintedForm[] {
  if (typeof value === 'number') return numberForms(value);
  if (typeof value !== 'string') return [];
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
  if (date) return dateForms(date[1]!, date[2]!, date[3]!);
  const characters = normalizeText(value);
  return characters === '' ? [] : [{ characters, fits: always }];
}

/** With two to four decimals, and as a whole number where it is one; the sign is left aside. */
function numberForms(value: number): readonly PrintedForm[] {
  const absolute = Math.abs(value);
  const forms: PrintedForm[] = [2, 3, 4]
    .filter((decimals) => Math.abs(Number(absolute.toFixed(decimals)) - absolute) < 1e-9)
    .map((decimals) => ({
      characters: absolute.toFixed(decimals).replace('.', ''),
      fits: (text) => new RegExp(`[.,']\\d{${decimals}}\\D*$`).test(text),
    }));
  const short = String(absolute);
  const decimals = short.split('.')[1]?.length ?? 0;
  if (decimals === 0) forms.push({ characters: short, fits: (text) => !/[.,]\d{1,2}\D*$/.test(text) });
  if (decimals === 1) {
    forms.push({ characters: short.replace('.', ''), fits: (text) => /[.,]\d\D*$/.test(text) });
  }
  return forms;
}

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];
const monthNames = lazy(() =>
  Array.from({ length: 12 }, (_, month) => {
    const date = new Date(Date.UTC(2024, month, 1));
    const names = languages.flatMap((language) =>
      (['long', 'short'] as const).map((width) =>
        normalizeText(new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' }).format(date)),
      ),
    );
    return [...new Set(names)];
  }),
);

function dateForms(year: string, month: string, day: string): readonly PrintedForm[] {
  const shortDay = String(Number(day));
  const shortMonth = String(Number(month));
  const names = monthNames()[Number(month) - 1] ?? [];
  const years = [year, year.slice(2)];
  const forms = years.flatMap((y) => [
    day + month + y,
    month + day + y,
    shortDay + shortMonth + y,
    shortMonth + shortDay + y,
    ...names.flatMap((name) => [day + name + y, shortDay + name + y, name + day + y, name + shortDay + y]),
    ...names.map((name) => `${shortDay}de${name}de${y}`),
  ]);
  return [year + month + day, ...forms].map((characters) => ({ characters, fits: always }));
}

/** The words of a stretch of exactly these characters, which begins and ends where no number or word goes on. */
function findWords(page: PageText, characters: string, fits: (text: string) => boolean): readonly Word[] | null {
  for (
    let start = page.characters.indexOf(characters);
    start >= 0;
    start = page.characters.indexOf(characters, start + 1)
  ) {
    const end = start + characters.length - 1;
    if (goesOn(page, start - 1, start) || goesOn(page, end, end + 1)) continue;
    const words = page.words.slice(page.wordOf[start], page.wordOf[end]! + 1);
    if (fits(words.map((word) => word.text).join(' '))) return words;
  }
  return null;
}

/** Whether two neighbouring characters belong to one word and are both digits or both letters. */
function goesOn(page: PageText, left: number, right: number): boolean {
  if (left < 0 || right >= page.characters.length || page.wordOf[left] !== page.wordOf[right]) return false;
  return /\d/.test(page.characters[left]!) === /\d/.test(page.characters[right]!);
}

function unionOf(words: readonly Word[]): Box {
  return {
    x0: Math.min(...words.map((word) => word.box.x0)),
    y0: Math.min(...words.map((word) => word.box.y0)),
    x1: Math.max(...words.map((word) => word.box.x1)),
    y1: Math.max(...words.map((word) => word.box.y1)),
  };
}
