import type { Raster } from '../raster.ts';
import type { PdfPage } from './document.ts';

const bitmapFormatBgr = 2;
const renderAnnotations = 0x01;
const renderReverseByteOrder = 0x10;
const white = 0xffffffff;

/** The most pixels that a page is drawn with; PDFium's memory never shrinks again. */
const pixelLimit = 12_000_000;

/**
 * Draws a page as displayed, at a resolution in dots per inch or as much less as keeps it below the pixel limit.
 * Returns null where PDFium cannot draw it.
 */
export function rasterisePage(page: PdfPage, dotsPerInch: number): Raster | null {
  const { call, memory } = page.pdfium;
  const wanted = dotsPerInch / 72;
  const scale = Math.min(wanted, Math.sqrt(pixelLimit / (page.width * page.height)));
  const width = Math.max(1, Math.round(page.width * scale));
  const height = Math.max(1, Math.round(page.height * scale));
  if (width * height > pixelLimit * 1.01) return null;
  const stride = width * 3;
  const pixels = memory.allocate(stride * height);
  try {
    const bitmap = call.FPDFBitmap_CreateEx(width, height, bitmapFormatBgr, pixels, stride);
    if (bitmap === 0) return null;
    try {
      call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
      call.FPDF_RenderPageBitmap(
        bitmap,
        page.handle,
        0,
        0,
        width,
        height,
        0,
        renderAnnotations | renderReverseByteOrder,
      );
      return { width, height, data: memory.bytes(pixels, stride * height) };
    } finally {
      call.FPDFBitmap_Destroy(bitmap);
    }
  } finally {
    memory.free(pixels);
  }
}
