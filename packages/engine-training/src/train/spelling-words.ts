import { docTypes, type ReadDocument } from '@millrace/document-model';
import { frequentLanguages } from '@millrace/engine/read/ocr/tesseract';
import { createRandom, generateDocument } from '@millrace/synthetic-documents';
import { electronicInvoiceCases } from '../labelled/e-invoices.ts';
import { readReceipts } from '../labelled/receipts.ts';
import { isHeldOut } from '../labelled/split.ts';
import { wordsOfLanguage } from './word-lists.ts';

/** About as many; few enough that the words of documents count beside them. */
const wordsPerLanguage = 25_000;
/** Of each language. */
const generatedPerType = 20;
/** A text layer now and then has a whole line without spaces. */
const longestWord = 24;

/**
 * The words that spelling is learned from: of each language's list as many; those of the training part of the labelled
 * receipts and e-invoices and of generated documents as often as they stand there, for their codes and abbreviations.
 */
export async function* spellingWords(
  dataFolder: string,
  read: (path: string) => Promise<ReadDocument>,
): AsyncGenerator<string> {
  for (const language of frequentLanguages) {
    const words = wordsOfLanguage(language).filter(isWord);
    const random = createRandom(`spelling ${language}`);
    yield* words.filter(() => random.chance(wordsPerLanguage / words.length));
  }
  for (const { key, lines } of await readReceipts(dataFolder)) {
    if (!isHeldOut(key)) yield* lines.flatMap(({ text }) => text.split(/\s+/)).filter(isWord);
  }
  for (const { key, path } of await electronicInvoiceCases(dataFolder, 'printed')) {
    if (path !== null && !isHeldOut(key)) yield* wordsOf(await read(path));
  }
  for (const type of docTypes) {
    for (const language of frequentLanguages) {
      for (let number = 0; number < generatedPerType; number += 1) {
        yield* wordsOf(generateDocument({ type, language, seed: `spelling ${number}` }).document);
      }
    }
  }
}

function wordsOf({ pages }: ReadDocument): readonly string[] {
  return pages.flatMap(({ words }) => words.map(({ text }) => text)).filter(isWord);
}

function isWord(text: string): boolean {
  return text.length > 1 && text.length <= longestWord;
}
