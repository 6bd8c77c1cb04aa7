import { EngineError } from '../../errors.ts';

/** A page of a TIFF, as its directory describes it. */
export interface TiffPage {
  /** Its directory's place in the file's chain of directories, from 0. */
  readonly directory: number;
  /** Pixels, as stored. */
  readonly width: number;
  readonly height: number;
  /** How much higher than wide its pixels are: a fax of 204 × 98 dots per inch has 2.08. */
  readonly pixelAspect: number;
}

/** Tags of TIFF 6.0 (Adobe, 1992), section 8, and `NewSubfileType` of section 2. */
const tags = {
  subfileType: 254,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  samplesPerPixel: 277,
  xResolution: 282,
  yResolution: 283,
  sampleFormat: 339,
} as const;

/**
 * None, CCITT (three ways), LZW, JPEG, deflate (two numbers) and PackBits: what scanners and fax servers write. JPEG as
 * TIFF 6.0 first had it (6) is ambiguous, and no other has a reason to stand in a scan.
 */
const compressions = new Set([1, 2, 3, 4, 5, 7, 8, 32_773, 32_946]);
const sampleSizes = new Set([1, 2, 4, 8, 16]);
const unsignedInteger = 1;

/** Pages at another resolution, and transparency masks, are not pages of the document. */
const reducedOrMask = 0b101;
/** A directory with more entries was not written by a scanner. */
const entryLimit = 1_000;
/** Directories for each page: a scanner adds a small picture of each page at most. */
const directoriesPerPage = 4;
const sizes: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 5: 8 };

/**
 * Lists a TIFF's pages by its directories alone, without decoding any: what libtiff is handed afterwards has a known
 * compression, a sane number of samples and directories that end.
 *
 * @throws EngineError `corrupt_document`, `empty_document` or `too_many_pages`.
 */
export function tiffPages(bytes: Uint8Array, limits: { readonly pages: number }): readonly TiffPage[] {
  const file = new TiffBytes(bytes);
  const pages: TiffPage[] = [];
  const seen = new Set<number>();
  let offset = file.integer(4, 4);
  for (let directory = 0; offset !== 0; directory++) {
    if (seen.has(offset) || directory > directoriesPerPage * limits.pages) throw corruptTiff();
    seen.add(offset);
    const { entries, next } = file.directory(offset);
    offset = next;
    if (((entries.get(tags.subfileType)?.[0] ?? 0) & reducedOrMask) !== 0) continue;
    pages.push(pageOf(directory, entries));
    if (pages.length > limits.pages) {
      throw new EngineError('too_many_pages', `The TIFF has more than ${limits.pages} pages. Split it.`);
    }
  }
  if (pages.length === 0) {
    throw new EngineError('empty_document', 'The TIFF has no pages. Send a document with at least one page.');
  }
  return pages;
}

/** The error for a TIFF that cannot be made sense of. */
function corruptTiff(options?: ErrorOptions): EngineError {
  return new EngineError(
    'corrupt_document',
    'The TIFF is damaged and cannot be read. Export or scan it again.',
    options,
  );
}

function pageOf(directory: number, entries: TiffEntries): TiffPage {
  const width = entries.get(tags.width)?.[0] ?? 0;
  const height = entries.get(tags.height)?.[0] ?? 0;
  if (width < 1 || height < 1) throw corruptTiff();
  const isReadable =
    compressions.has(entries.get(tags.compression)?.[0] ?? 1) &&
    (entries.get(tags.bitsPerSample) ?? [1]).every((size) => sampleSizes.has(size)) &&
    (entries.get(tags.sampleFormat) ?? [unsignedInteger]).every((format) => format === unsignedInteger) &&
    (entries.get(tags.samplesPerPixel)?.[0] ?? 1) <= 5;
  if (!isReadable) {
    throw new EngineError(
      'corrupt_document',
      'The TIFF is stored in a way that is not supported. Save it with LZW or CCITT G4 compression, 1 to 16 bits a sample.',
    );
  }
  const aspect = (entries.get(tags.xResolution)?.[0] ?? 0) / (entries.get(tags.yResolution)?.[0] ?? 0);
  // A fax's pixels are up to four times as high as wide; anything else is a resolution made up by a program.
  return { directory, width, height, pixelAspect: aspect > 0.2 && aspect < 5 ? aspect : 1 };
}

/** The values of a directory's entries, by tag. */
type TiffEntries = ReadonlyMap<number, readonly number[]>;

/** Reads a TIFF's bytes in its own order, never beyond their end. */
class TiffBytes {
  readonly #view: DataView;
  readonly #isLittleEndian: boolean;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#isLittleEndian = bytes[0] === 0x49;
  }

  integer(offset: number, size: number): number {
    if (offset + size > this.#view.byteLength) throw corruptTiff();
    if (size === 1) return this.#view.getUint8(offset);
    return size === 2
      ? this.#view.getUint16(offset, this.#isLittleEndian)
      : this.#view.getUint32(offset, this.#isLittleEndian);
  }

  directory(offset: number): { readonly entries: TiffEntries; readonly next: number } {
    const count = this.integer(offset, 2);
    if (count === 0 || count > entryLimit) throw corruptTiff();
    const entries = new Map<number, readonly number[]>();
    const wanted: readonly number[] = Object.values(tags);
    for (let at = offset + 2; at < offset + 2 + count * 12; at += 12) {
      const tag = this.integer(at, 2);
      if (wanted.includes(tag)) entries.set(tag, this.#values(at));
    }
    return { entries, next: this.integer(offset + 2 + count * 12, 4) };
  }

  /** An entry's first values; those that don't fit into it stand elsewhere. */
  #values(entry: number): readonly number[] {
    const type = this.integer(entry + 2, 2);
    const size = sizes[type];
    if (size === undefined) return [];
    const total = this.integer(entry + 4, 4);
    const start = total * size <= 4 ? entry + 8 : this.integer(entry + 8, 4);
    return Array.from({ length: Math.min(total, 8) }, (_, index) => {
      const at = start + index * size;
      return size === 8 ? this.integer(at, 4) / this.integer(at + 4, 4) : this.integer(at, size);
    });
  }
}
