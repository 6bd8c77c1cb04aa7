import type { Box } from '@millrace/document-model';
import { EngineError } from '../../errors.ts';
import type { Pdfium } from './pdfium.ts';

/** An open PDF. */
export interface PdfDocument {
  readonly pdfium: Pdfium;
  readonly handle: number;
  readonly pageCount: number;
  close(): void;
}

/** A loaded page and the way from its own coordinates to those of the page as displayed. */
export interface PdfPage {
  readonly pdfium: Pdfium;
  readonly handle: number;
  /** From 0. */
  readonly index: number;
  /** Points, as displayed. */
  readonly width: number;
  readonly height: number;
  /** What the page shows, in its own coordinates (`y` upwards). */
  readonly crop: Box;
  /** Quarter turns clockwise when displayed. */
  readonly rotation: 0 | 1 | 2 | 3;
  close(): void;
}

const passwordError = 4;
const securityError = 5;

/**
 * Opens a PDF. The caller closes it.
 *
 * @throws EngineError `encrypted_document`, `corrupt_document`, `empty_document` or `too_many_pages`.
 */
export function openDocument(pdfium: Pdfium, bytes: Uint8Array, limits: { readonly pages: number }): PdfDocument {
  const { call, memory } = pdfium;
  pdfium.allowFile(bytes.length);
  const file = memory.allocate(bytes.length);
  memory.write(file, bytes);
  const handle = call.FPDF_LoadMemDocument(file, bytes.length, 0);
  if (handle === 0) {
    const error = call.FPDF_GetLastError();
    memory.free(file);
    if (error === passwordError || error === securityError) {
      throw new EngineError('encrypted_document', 'The PDF needs a password. Remove its protection and send it again.');
    }
    throw corruptPdf();
  }
  const close = () => {
    call.FPDF_CloseDocument(handle);
    memory.free(file);
  };
  const pageCount = call.FPDF_GetPageCount(handle);
  if (pageCount <= 0) {
    close();
    throw new EngineError('empty_document', 'The PDF has no pages. Send a document with at least one page.');
  }
  if (pageCount > limits.pages) {
    close();
    throw new EngineError(
      'too_many_pages',
      `The PDF has ${pageCount} pages; at most ${limits.pages} are accepted. Split it.`,
    );
  }
  return { pdfium, handle, pageCount, close };
}

/** The error for a file that PDFium cannot make sense of. */
export function corruptPdf(): EngineError {
  return new EngineError('corrupt_document', 'The PDF is damaged and cannot be read. Export or scan it again.');
}

/** Loads a page, or null where it is damaged. The caller closes it. */
export function loadPage(document: PdfDocument, index: number): PdfPage | null {
  const { call, memory } = document.pdfium;
  const handle = call.FPDF_LoadPage(document.handle, index);
  if (handle === 0) return null;
  const close = () => call.FPDF_ClosePage(handle);
  const rotation = (call.FPDFPage_GetRotation(handle) & 3) as PdfPage['rotation'];
  const rectangle = memory.scratch;
  // FS_RECTF: left, top, right, bottom.
  call.FPDF_GetPageBoundingBox(handle, rectangle);
  const crop = {
    x0: memory.float(rectangle, 0),
    y0: memory.float(rectangle, 3),
    x1: memory.float(rectangle, 2),
    y1: memory.float(rectangle, 1),
  };
  const across = crop.x1 - crop.x0;
  const down = crop.y1 - crop.y0;
  if (!(across > 0 && down > 0 && Number.isFinite(across) && Number.isFinite(down))) {
    close();
    return null;
  }
  const [width, height] = rotation % 2 === 0 ? [across, down] : [down, across];
  return { pdfium: document.pdfium, handle, index, width, height, crop, rotation, close };
}

/** A point of the page's own coordinates as a point of the displayed page, from its top left. */
export function displayPoint(page: PdfPage, x: number, y: number): { x: number; y: number } {
  const { crop } = page;
  switch (page.rotation) {
    case 0:
      return { x: x - crop.x0, y: crop.y1 - y };
    case 1:
      return { x: y - crop.y0, y: x - crop.x0 };
    case 2:
      return { x: crop.x1 - x, y: y - crop.y0 };
    case 3:
      return { x: crop.y1 - y, y: crop.x1 - x };
  }
}

/** A rectangle of the page's own coordinates, its corners in any order, as a box of the displayed page. */
export function displayBox(page: PdfPage, x0: number, y0: number, x1: number, y1: number): Box {
  const a = displayPoint(page, x0, y0);
  const b = displayPoint(page, x1, y1);
  return { x0: Math.min(a.x, b.x), y0: Math.min(a.y, b.y), x1: Math.max(a.x, b.x), y1: Math.max(a.y, b.y) };
}
