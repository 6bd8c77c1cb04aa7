import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { init, type Methods } from '@embedpdf/pdfium';

/** PDFium compiled to WebAssembly, its functions called without a wrapper in between, and views of its memory. */
export interface Pdfium {
  /**
   * The exported C functions. Their arguments and results are plain numbers (a C boolean is 0 or 1), which is what
   * makes some ten calls per character affordable.
   */
  readonly call: NumericMethods;
  readonly memory: PdfiumMemory;
  /** Lets the heap grow for a file of that size. */
  allowFile(sizeBytes: number): void;
  /** Whether the file needed more memory than it gets: pictures may have been left out. */
  ranOut(): boolean;
}

type NumericMethods = {
  readonly [Name in keyof Methods]: (...values: NumbersOf<Parameters<Methods[Name]>>) => number;
};
type NumbersOf<Parameters extends readonly unknown[]> = { [Index in keyof Parameters]: number };

/** What the package's types do not say of the raw exports: they hold every function of `Methods`, and the heap. */
interface RawExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  malloc(sizeBytes: number): number;
  free(pointer: number): void;
}

/**
 * What PDFium's heap grows to at most, beside the file itself. A page of A4 in colour at 600 dpi takes 65 MB to be
 * unfolded, shrunk and drawn.
 */
const heapLimitBytes = 256 * 1024 * 1024;
const wasmPageBytes = 65_536;
/** Emscripten's, for one allocation. */
const growthAttempts = 3;

/** Has the module's own way to more memory end at a limit, as it ends where the machine has none left. */
function limitHeap({ memory }: RawExports): Pick<Pdfium, 'allowFile' | 'ranOut'> {
  const grow = memory.grow.bind(memory);
  let limitBytes = heapLimitBytes;
  let refusals = 0;
  let ranOut = false;
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * wasmPageBytes <= limitBytes) {
      refusals = 0;
      return grow(pages);
    }
    // The module first asks for more than it needs, then for less and less.
    refusals = (refusals + 1) % growthAttempts;
    ranOut ||= refusals === 0;
    throw new RangeError(`PDFium asks for more than ${limitBytes} bytes`);
  };
  return {
    allowFile: (sizeBytes) => {
      limitBytes = heapLimitBytes + sizeBytes;
      ranOut = false;
    },
    ranOut: () => ranOut,
  };
}

/** PDFium's heap. Its views are renewed whenever it has grown, which moves it. */
class PdfiumMemory {
  readonly #exports: RawExports;
  #buffer: ArrayBuffer;
  #view: DataView;
  /** 256 bytes, aligned to 8, for results that are read at once. */
  readonly scratch: number;

  constructor(exports: RawExports) {
    this.#exports = exports;
    this.#buffer = exports.memory.buffer;
    this.#view = new DataView(this.#buffer);
    this.scratch = this.allocate(256);
  }

  #current(): DataView {
    if (this.#buffer !== this.#exports.memory.buffer) {
      this.#buffer = this.#exports.memory.buffer;
      this.#view = new DataView(this.#buffer);
    }
    return this.#view;
  }

  /** @throws RangeError when the heap cannot grow by that much. */
  allocate(sizeBytes: number): number {
    const pointer = this.#exports.malloc(sizeBytes);
    if (pointer === 0) throw new RangeError(`PDFium has no room for ${sizeBytes} bytes`);
    return pointer;
  }

  free(pointer: number): void {
    this.#exports.free(pointer);
  }

  write(pointer: number, bytes: Uint8Array): void {
    this.view(pointer, bytes.length).set(bytes);
  }

  /** A copy. */
  bytes(pointer: number, sizeBytes: number): Uint8Array {
    return this.view(pointer, sizeBytes).slice();
  }

  /** A view that the next call may invalidate. */
  view(pointer: number, sizeBytes: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, pointer, sizeBytes);
  }

  float(pointer: number, index = 0): number {
    return this.#current().getFloat32(pointer + 4 * index, true);
  }

  double(pointer: number, index = 0): number {
    return this.#current().getFloat64(pointer + 8 * index, true);
  }

  integer(pointer: number, index = 0): number {
    return this.#current().getInt32(pointer + 4 * index, true);
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
  // The module prints PDFium's warnings to the console unless configured otherwise.
  const quiet = { print: () => undefined, printErr: () => undefined };
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength);
  const module = await init({ wasmBinary, ...quiet });
  module.PDFiumExt_Init();
  const exports = module.pdfium.wasmExports as unknown as NumericMethods & RawExports;
  return { call: exports, memory: new PdfiumMemory(exports), ...limitHeap(exports) };
}
