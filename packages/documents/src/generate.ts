import { type DocType, docTypes } from '@millrace/engine/document';
import type { GeneratedDocument } from './generated.ts';
import { writePdf } from './pdf.ts';
import { drawReceipt } from './receipt.ts';
import type { Language } from './regions.ts';
import { Scene } from './scene.ts';
import { drawTrade } from './trade.ts';

export interface GenerateRequest {
  readonly type: DocType;
  /** The same request gives the same document, on every machine. */
  readonly seed: string | number;
  readonly language?: Language;
  /** A region such as `de-AT`; goes before the language. */
  readonly region?: string;
  /** One of the type's layouts; any by default. */
  readonly layout?: string;
}

/** Makes a fictional document of a type with the truth of what it says. Takes a few milliseconds; the PDF is written by `pdfOf`. */
export function generateDocument(request: GenerateRequest): GeneratedDocument {
  const scene = new Scene(request);
  return request.type === 'receipt'
    ? drawReceipt(scene, request.layout)
    : drawTrade(scene, request.type as never, request.layout);
}

/** Writes a generated document as a PDF with a text layer. */
export function pdfOf(generated: GeneratedDocument): Promise<Uint8Array> {
  return writePdf(
    generated.pages,
    docTypes.includes(generated.truth.docType) ? generated.truth.docType.replaceAll('_', ' ') : '',
  );
}
