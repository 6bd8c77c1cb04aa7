import type { MediaType } from '@millrace/document-model';
import { EngineError } from '../errors.ts';

/** How much of a document the engine takes on. */
export interface IngestLimits {
  /** The largest file in bytes. */
  readonly sizeBytes: number;
  /** The most pages. */
  readonly pages: number;
}

/** A file whose type is known from its own first bytes. */
export interface IngestedFile {
  readonly mediaType: MediaType;
  readonly bytes: Uint8Array;
}

/** PDF 32000-1, annex H.3.4.1: readers accept a header anywhere within the first 1024 bytes. */
const pdfHeaderSearchBytes = 1024;
const pdfHeader = Buffer.from('%PDF-');
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);
/** Of little-endian and big-endian files; BigTIFF, for files of more than 4 GB, is none of them. */
const tiffSignatures = [Buffer.from('II*\0', 'latin1'), Buffer.from('MM\0*', 'latin1')];

/**
 * Detects a file's type by its magic bytes, never by a name, and rejects what the engine does not accept.
 *
 * @throws EngineError `empty_document`, `file_too_large` or `unsupported_file_type`.
 */
export function ingest(bytes: Uint8Array, limits: IngestLimits): IngestedFile {
  if (bytes.length === 0)
    throw new EngineError('empty_document', 'The file is empty. Send a PDF, PNG, JPG or TIFF file.');
  if (bytes.length > limits.sizeBytes) {
    throw new EngineError(
      'file_too_large',
      `The file has ${bytes.length} bytes; at most ${limits.sizeBytes} are accepted. Send a smaller file or split it.`,
    );
  }
  const mediaType = mediaTypeOf(bytes);
  if (!mediaType) {
    throw new EngineError(
      'unsupported_file_type',
      'The file is neither a PDF, a PNG, a JPG nor a TIFF. Convert it to one of them.',
    );
  }
  return { mediaType, bytes };
}

function mediaTypeOf(bytes: Uint8Array): MediaType | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, pdfHeaderSearchBytes));
  if (startsWith(head, pngSignature)) return 'image/png';
  if (startsWith(head, jpegSignature)) return 'image/jpeg';
  if (tiffSignatures.some((signature) => startsWith(head, signature))) return 'image/tiff';
  return head.includes(pdfHeader) ? 'application/pdf' : null;
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.subarray(0, prefix.length).equals(prefix);
}
