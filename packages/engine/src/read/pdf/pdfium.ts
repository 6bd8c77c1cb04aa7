import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { init, type Methods, type WrappedPdfiumModule } from '@embedpdf/pdfium';

/** PDFium compiled to WebAssembly, its functions called without a wrapper in between, and views of its memory. */
export interface Pdfium {
  /**
   * The exported C functions. Their arguments and results are plain numbers (a C boolean is 0 or 1), which is what
   * makes some ten calls per character affordable.
   */
  readonly call: NumericMethods;
  /** Functions that take strings, through the package's own wrapper. */
  readonly methods: Methods;
  readonly memory: PdfiumMemory;
}

type NumericMethods = {
  readonly [Name in keyof Methods]: (...values: NumbersOf<Parameters<Methods[Name]>>) => number;
};
type NumbersOf<Parameters extends readonly unknown[]> = { [Index in keyof Parameters]: number };

/** PDFium's heap. Every view is taken anew because the heap moves when it grows. */
export class PdfiumMemory {
  readonly #runtime: WrappedPdfiumModule['pdfium'];
  /** 256 bytes for results that are read at once. */
  readonly scratch: number;

  constructor(module: WrappedPdfiumModule) {
    this.#runtime = module.pdfium;
    this.scratch = this.allocate(256);
  }

  /** @throws RangeError when the heap cannot grow by that much. */
  allocate(sizeBytes: number): number {
    const pointer = this.#runtime.wasmExports.malloc(sizeBytes);
    if (pointer === 0) throw new RangeError(`PDFium has no room for ${sizeBytes} bytes`);
    return pointer;
  }

  free(pointer: number): void {
    this.#runtime.wasmExports.free(pointer);
  }

  write(pointer: number, bytes: Uint8Array): void {
    this.#runtime.HEAPU8.set(bytes, pointer);
  }

  /** A copy. */
  bytes(pointer: number, sizeBytes: number): Uint8Array {
    return this.#runtime.HEAPU8.slice(pointer, pointer + sizeBytes);
  }

  /** A view that the next call may invalidate. */
  view(pointer: number, sizeBytes: number): Uint8Array {
    return this.#runtime.HEAPU8.subarray(pointer, pointer + sizeBytes);
  }

  float(pointer: number, index = 0): number {
    return this.#runtime.HEAPF32[(pointer >> 2) + index] ?? 0;
  }

  double(pointer: number, index = 0): number {
    return this.#runtime.HEAPF64[(pointer >> 3) + index] ?? 0;
  }

  integer(pointer: number, index = 0): number {
    return this.#runtime.HEAP32[(pointer >> 2) + index] ?? 0;
  }

  /** A string of UTF-16 code units, `sizeBytes` long with its closing zero. */
  utf16(pointer: number, sizeBytes: number): string {
    const text = Buffer.from(this.view(pointer, sizeBytes)).toString('utf16le');
    const end = text.indexOf('\0');
    return end < 0 ? text : text.slice(0, end);
  }
}

/**
 * Reads a UTF-16 string from a function that follows PDFium's convention: it returns the length in bytes with the
 * closing zero, and fills the buffer if that is long enough. Longer strings than `limitBytes` come back empty.
 */
export function readUtf16(
  pdfium: Pdfium,
  fill: (pointer: number, sizeBytes: number) => number,
  limitBytes = 64 * 1024,
): string {
  const sizeBytes = fill(0, 0);
  if (sizeBytes <= 2 || sizeBytes > limitBytes) return '';
  const pointer = pdfium.memory.allocate(sizeBytes);
  try {
    fill(pointer, sizeBytes);
    return pdfium.memory.utf16(pointer, sizeBytes);
  } finally {
    pdfium.memory.free(pointer);
  }
}

/** Compiles and starts PDFium; about 60 ms. */
export async function loadPdfium(): Promise<Pdfium> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  // The module prints PDFium's warnings on the console unless told otherwise.
  const quiet = { print: () => undefined, printErr: () => undefined };
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength);
  const module = await init({ wasmBinary, ...quiet });
  module.PDFiumExt_Init();
  // The package's types name `malloc` and `free` alone among the raw exports, which hold every function of `Methods`.
  const call = module.pdfium.wasmExports as unknown as NumericMethods;
  return { call, methods: module, memory: new PdfiumMemory(module) };
}
