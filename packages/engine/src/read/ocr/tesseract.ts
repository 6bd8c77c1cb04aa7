import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Word, WordSource } from '@millrace/document-model';
import type { Block } from 'tesseract.js';

/** Languages whose data are installed, by ISO 639-1 code. */
const languagePackages = {
  en: 'eng',
  de: 'deu',
  fr: 'fra',
  es: 'spa',
  it: 'ita',
  pt: 'por',
  nl: 'nld',
  pl: 'pol',
  sv: 'swe',
  da: 'dan',
  he: 'heb',
  ar: 'ara',
  ja: 'jpn',
} as const;

export type OcrLanguage = keyof typeof languagePackages;

/** Those that a page's words are distinguished as before it is understood, and whose words the spelling model knows. */
export const frequentLanguages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const satisfies readonly OcrLanguage[];

/** A picture for Tesseract to read. */
export interface TesseractPicture {
  readonly png: Buffer;
  /** Pixels. */
  readonly width: number;
  /** Of its text. */
  readonly language: OcrLanguage;
}

/** Tesseract's LSTM recogniser in WebAssembly, in a thread of its own. */
export interface Tesseract {
  /** Reads a picture as one block of text lines. Words are in its pixels. */
  recognise(picture: TesseractPicture, source: WordSource): Promise<readonly Word[]>;
  close(): Promise<void>;
}

/** Starts Tesseract without any language's data, which load when they are first needed. */
export async function loadTesseract(): Promise<Tesseract> {
  const { createWorker, OEM, PSM } = await import('tesseract.js');
  const start = async (language: OcrLanguage) => {
    // Without a handler the library throws errors where nobody can catch them; `recognize` rejects all the same.
    const worker = await createWorker(languagePackages[language], OEM.LSTM_ONLY, {
      // Without a path it would reach for the network, with a cache write into the working folder.
      langPath: languageFolder(language),
      cacheMethod: 'none',
      errorHandler: () => undefined,
    });
    await worker.setParameters({
      tessedit_pageseg_mode: PSM.SINGLE_BLOCK,
      user_defined_dpi: '300',
      // It would write warnings to the console.
      debug_file: '/dev/null',
    });
    return { language, worker };
  };
  let current: Awaited<ReturnType<typeof start>> | null = null;
  return {
    recognise: async ({ png, language }, source) => {
      if (current?.language !== language) {
        await current?.worker.terminate();
        current = null;
        current = await start(language);
      }
      const { data } = await current.worker.recognize(png, {}, { text: false, blocks: true });
      return wordsOf(data.blocks ?? [], source);
    },
    close: async () => {
      await current?.worker.terminate();
      current = null;
    },
  };
}

/** The folder with the integer form of the best model: as exact as the library's default, a quarter of its size. */
function languageFolder(language: OcrLanguage): string {
  const manifest = fileURLToPath(import.meta.resolve(`@tesseract.js-data/${languagePackages[language]}/package.json`));
  return join(dirname(manifest), '4.0.0_best_int');
}

/** The file of a language's data, compressed by gzip. */
export function languageDataPath(language: OcrLanguage): string {
  return join(languageFolder(language), `${languagePackages[language]}.traineddata.gz`);
}

function wordsOf(blocks: readonly Block[], source: WordSource): Word[] {
  const words = blocks
    .flatMap((block) => block.paragraphs)
    .flatMap((paragraph) => paragraph.lines)
    .flatMap((line) => line.words);
  return words
    .filter((word) => word.text.trim() !== '')
    .map((word) => ({
      text: word.text.trim(),
      box: { x0: word.bbox.x0, y0: word.bbox.y0, x1: word.bbox.x1, y1: word.bbox.y1 },
      source,
      confidence: Math.round(word.confidence) / 100,
    }));
}
