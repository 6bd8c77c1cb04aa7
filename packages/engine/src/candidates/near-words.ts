import type { TextLine } from '@millrace/document-model';

/**
 * Words that captions are made of, which a text has although OCR misread, lost or added one letter of them: `Emplovee`,
 * `recipent`. Shorter words are too often one letter from another.
 */
export class NearWords {
  readonly #words: ReadonlySet<string>;
  /** Words by their forms with one letter left out. */
  readonly #near = new Map<string, readonly string[]>();
  readonly #texts = new WeakMap<TextLine, string>();

  /** @param words in small letters, of six or more */
  constructor(words: readonly string[]) {
    this.#words = new Set(words);
    for (const word of words) {
      for (const form of withoutOneLetter(word)) this.#near.set(form, [...(this.#near.get(form) ?? []), word]);
    }
  }

  /** A line's text as it was typeset; as OCR read it, with those of its words put right that are near to one known word alone. */
  textOf(line: TextLine): string {
    if (!line.words[0]?.source.startsWith('ocr:')) return line.text;
    let text = this.#texts.get(line);
    if (text === undefined) {
      text = line.text.length > lengthLimit ? line.text : line.text.replace(longWord, (word) => this.#repaired(word));
      this.#texts.set(line, text);
    }
    return text;
  }

  #repaired(read: string): string {
    const word = read.toLowerCase();
    if (this.#words.has(word)) return read;
    const near = new Set(
      withoutOneLetter(word)
        .flatMap((form) => this.#near.get(form) ?? [])
        .filter((known) => Math.abs(known.length - word.length) <= 1),
    );
    const [only] = near;
    return near.size === 1 ? only! : read;
  }
}

const longWord = /(?<![\p{L}\d])\p{L}[\p{L}\d|]{4,15}(?![\p{L}\d])/gu;
/** Captions are shorter. */
const lengthLimit = 200;

/** A word, and what is left of it without each of its letters. */
export function withoutOneLetter(word: string): readonly string[] {
  const forms = [word];
  for (let at = 0; at < word.length; at += 1) forms.push(word.slice(0, at) + word.slice(at + 1));
  return forms;
}
