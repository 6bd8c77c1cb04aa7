import { loadPpOcr, type PpOcr } from './ocr/ppocr.ts';
import type { ScriptLanguage } from './ocr/scripts.ts';
import { loadTesseract, type Tesseract } from './ocr/tesseract.ts';
import { loadPdfium, type Pdfium } from './pdf/pdfium.ts';

/** The engines that read, each loaded when it is first asked for and kept. */
export interface ReadingEngines {
  pdfium(): Promise<Pdfium>;
  /** Gives PDFium up: after a trap its heap is in no known state. */
  dropPdfium(): void;
  ppocr(): Promise<PpOcr>;
  tesseract(): Promise<Tesseract>;
  /** Languages of other scripts that pictures may be of. */
  readonly scriptLanguages: readonly ScriptLanguage[];
  close(): Promise<void>;
}

export function createReadingEngines(scriptLanguages: readonly ScriptLanguage[] = []): ReadingEngines {
  let pdfium: Promise<Pdfium> | null = null;
  let ppocr: Promise<PpOcr> | null = null;
  let tesseract: Promise<Tesseract> | null = null;
  return {
    scriptLanguages,
    pdfium: () => {
      pdfium ??= loadPdfium();
      return pdfium;
    },
    dropPdfium: () => {
      pdfium = null;
    },
    ppocr: () => {
      ppocr ??= loadPpOcr();
      return ppocr;
    },
    tesseract: () => {
      tesseract ??= loadTesseract();
      return tesseract;
    },
    close: async () => {
      await Promise.all([ppocr?.then((engine) => engine.close()), tesseract?.then((engine) => engine.close())]);
      pdfium = null;
      ppocr = null;
      tesseract = null;
    },
  };
}
