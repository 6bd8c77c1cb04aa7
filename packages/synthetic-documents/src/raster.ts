import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

/** Pixels in rows from the top, three bytes each: red, green, blue. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const formatBgr = 2;
const reverseByteOrder = 0x10;
const white = 0xffffffff;

/** What the package's types do not say of the module's exports. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(sizeBytes: number): number;
  free(pointer: number): void;
}

let loading: Promise<WrappedPdfiumModule> | null = null;

async function load(): Promise<WrappedPdfiumModule> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength);
  // The module prints PDFium's warnings to the console unless configured otherwise.
  const module = await init({ wasmBinary, print: () => undefined, printErr: () => undefined });
  module.PDFiumExt_Init();
  return module;
}

/** Draws every page of a PDF at a resolution in dots per inch. */
export async function rasterise(pdf: Uint8Array, dotsPerInch: number): Promise<Raster[]> {
  loading ??= load();
  const module = await loading;
  const exports = module.pdfium.wasmExports as unknown as Exports;
  // Its buffer is another one after the heap has grown.
  const heap = () => new Uint8Array(exports.memory.buffer);
  const file = exports.malloc(pdf.length);
  heap().set(pdf, file);
  const document = module.FPDF_LoadMemDocument(file, pdf.length, '');
  try {
    return Array.from({ length: module.FPDF_GetPageCount(document) }, (_, index) => {
      const page = module.FPDF_LoadPage(document, index);
      const scale = dotsPerInch / 72;
      const width = Math.round(module.FPDF_GetPageWidthF(page) * scale);
      const height = Math.round(module.FPDF_GetPageHeightF(page) * scale);
      const sizeBytes = width * height * 3;
      const pixels = exports.malloc(sizeBytes);
      const bitmap = module.FPDFBitmap_CreateEx(width, height, formatBgr, pixels, width * 3);
      module.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
      module.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, reverseByteOrder);
      const data = heap().slice(pixels, pixels + sizeBytes);
      module.FPDFBitmap_Destroy(bitmap);
      exports.free(pixels);
      module.FPDF_ClosePage(page);
      return { width, height, data };
    });
  } finally {
    module.FPDF_CloseDocument(document);
    exports.free(file);
  }
}
