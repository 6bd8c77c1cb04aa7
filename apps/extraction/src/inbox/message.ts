import { Readable } from 'node:stream';
import { EngineError } from '@millrace/engine/errors';
import { type IngestedFile, ingest } from '@millrace/engine/ingest';
import { type AttachmentStream, MailParser, type MessageText } from 'mailparser';
import type { StoredRefusal } from '../database/schema.ts';
import { keptFileName } from '../resources/documents/file-name.ts';
import type { HeaderLine } from './authentication-results.ts';

/** How much of a message is taken on. */
export interface MessageLimits {
  readonly messageSizeBytes: number;
  readonly fileSizeBytes: number;
  /** Documents in one message. */
  readonly files: number;
}

/** Parts of a message and of those forwarded within it, and how deep these may lie within each other. */
const partLimit = 500;
const depthLimit = 5;
/** Of the header of one part, in bytes. */
const headSizeLimit = 128 * 1024;
/** Rejected files that are listed one by one. */
const listedRefusals = 50;
/** A file's type is detected within its first bytes: a PDF's header may be that far in. */
const decidingBytes = 1024;

/** The header of a message. */
export interface MessageHead {
  /** From the top. */
  readonly lines: readonly HeaderLine[];
  readonly messageId: string | null;
  readonly date: string;
  /** The one address in `From`, in lower case; empty where there is none, or several. */
  readonly from: string;
  readonly subject: string;
  /** It was written by a machine, or to a list: nothing answers it. */
  readonly isAutomatic: boolean;
}

/** A document that came with a message. */
interface AttachedFile extends IngestedFile {
  readonly name: string;
}

/** A message that cannot be read. */
export class MessageError extends Error {}

export interface MessageReader {
  /** Sees every piece of the message first; what it throws ends the reading. */
  readonly onChunk: (chunk: Buffer) => void;
  /** Sees the header before any file; what it throws ends the reading. */
  readonly onHead: (head: MessageHead) => void;
  /** Takes each document, one after the other: at most one is held in memory. */
  readonly onFile: (file: AttachedFile) => Promise<void>;
}

/** Parts that are not documents, and that nobody expects to be. */
const passedOver = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
  'message/delivery-status',
  'message/disposition-notification',
  'text/calendar',
  'text/rfc822-headers',
  'text/vcard',
  'text/x-vcard',
]);

/**
 * Reads a message as it comes in: every PDF, PNG, JPG and TIFF that is attached to it or to a message forwarded within
 * it goes to `onFile`; what it refuses of the rest it returns. Pictures that the message's own text shows are part of the text.
 *
 * @throws MessageError, or what the reader's functions threw; the source is read to its end even so.
 */
export async function readMessage(
  source: Readable,
  limits: MessageLimits,
  reader: MessageReader,
): Promise<{ head: MessageHead; refusals: readonly StoredRefusal[] }> {
  const reading: Reading = { limits, reader, partCount: 0, fileCount: 0, refusals: [], unlistedCount: 0 };
  const head = await readLevel(source, reading, 0);
  const { refusals, unlistedCount } = reading;
  if (unlistedCount > 0) {
    const message = `${unlistedCount} further files were rejected.`;
    refusals.push({ fileName: null, code: 'too_many_files', message });
  }
  return { head, refusals };
}

/** A message being read, with those forwarded in it. */
interface Reading {
  readonly limits: MessageLimits;
  readonly reader: MessageReader;
  readonly refusals: StoredRefusal[];
  partCount: number;
  fileCount: number;
  unlistedCount: number;
}

async function readLevel(source: Readable, reading: Reading, depth: number): Promise<MessageHead> {
  const options = {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepDeliveryStatus: true,
    // Of the splitter within.
    maxHeadSize: headSizeLimit,
    maxChildNodes: partLimit,
  };
  const parser = new MailParser(options);
  let head: MessageHead | null = null;
  let content: Readable | null = null;
  parser.once('headerLines', (lines: readonly HeaderLine[]) => {
    head = headOf(lines, parser);
    if (depth > 0) return;
    try {
      reading.reader.onHead(head);
    } catch (error) {
      parser.destroy(error as Error);
    }
  });
  // A part that is read waits for more of a message that has broken off.
  parser.once('close', () => content?.destroy(parser.errored ?? new MessageError('The message broke off.')));
  feed(source, parser, depth === 0 ? reading.reader.onChunk : () => undefined);
  try {
    for await (const part of parser as AsyncIterable<AttachmentStream | MessageText>) {
      if (part.type !== 'attachment') continue;
      if (++reading.partCount > partLimit) throw new MessageError(`The message has more than ${partLimit} parts.`);
      content = part.content as Readable;
      await readPart(part, content, reading, depth);
      part.release();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EMAXLEN') {
      throw new MessageError('The message has too many parts, or a header that is too long.');
    }
    throw error;
  }
  if (head === null) throw new MessageError('The message has no header.');
  return head;
}

/** Writes a message to the parser as fast as that takes it; once the parser has ended, what still comes is let go. */
function feed(source: Readable, parser: MailParser, onChunk: (chunk: Buffer) => void): void {
  source.on('data', (chunk: Buffer) => {
    if (parser.destroyed) return;
    try {
      onChunk(chunk);
    } catch (error) {
      parser.destroy(error as Error);
      return;
    }
    if (parser.write(chunk)) return;
    source.pause();
    parser.once('drain', () => source.resume());
  });
  source.on('end', () => parser.end());
  source.on('error', (error) => parser.destroy(error));
  parser.once('close', () => source.resume());
}

async function readPart(part: AttachmentStream, content: Readable, reading: Reading, depth: number): Promise<void> {
  const { fileSizeBytes, messageSizeBytes, files } = reading.limits;
  const name = keptFileName(part.filename ?? '', null);
  if (/^message\/(rfc822|global)$/.test(part.contentType) || /\.eml$/i.test(name)) {
    const forwarded = await collect(content, messageSizeBytes);
    if (depth < depthLimit && typeof forwarded !== 'string') {
      await readLevel(Readable.from([forwarded], { objectMode: false }), reading, depth + 1);
    } else refuse(reading, name, 'nested_too_deep', 'The message is forwarded within too many others.');
    return;
  }
  const isShownInText = 'related' in part && part.related === true && part.contentDisposition !== 'attachment';
  const bytes = await collect(content, fileSizeBytes, isShownInText ? () => false : isDocument);
  if (bytes === 'too_large') {
    refuse(reading, name, 'file_too_large', `The file has more than ${fileSizeBytes} bytes. Send a smaller file.`);
  } else if (bytes === 'no_document') {
    if (isShownInText || isPassedOver(part)) return;
    const message = 'The file is neither a PDF, a PNG, a JPG nor a TIFF. Convert it to one of them.';
    refuse(reading, name, 'unsupported_file_type', message);
  } else if (++reading.fileCount > files) {
    refuse(reading, name, 'too_many_files', `A message takes ${files} documents at most.`);
  } else {
    const file = ingest(bytes, { sizeBytes: fileSizeBytes, pages: 1 });
    await reading.reader.onFile({ ...file, name: keptFileName(part.filename ?? '', file.mediaType) });
  }
}

function isPassedOver({ contentType, filename }: AttachmentStream): boolean {
  return passedOver.has(contentType) || (filename === undefined && /^text\/(plain|html)$/.test(contentType));
}

/** Whether a file is a document by its beginning. */
function isDocument(beginning: Buffer): boolean {
  try {
    ingest(beginning, { sizeBytes: beginning.length, pages: 1 });
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

/**
 * The bytes of a part, which is read to its end in any case, so that the message goes on. No more is kept than up to the
 * limit, and nothing of what `accepts` turns away by its beginning.
 */
async function collect(
  content: Readable,
  limitBytes: number,
  accepts: (beginning: Buffer) => boolean = () => true,
): Promise<Buffer | 'too_large' | 'no_document'> {
  let chunks: Buffer[] = [];
  let sizeBytes = 0;
  let kept: 'undecided' | 'accepted' | 'too_large' | 'no_document' = 'undecided';
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (kept === 'too_large' || kept === 'no_document') continue;
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (kept === 'undecided' && sizeBytes >= decidingBytes) {
      kept = accepts(Buffer.concat(chunks)) ? 'accepted' : 'no_document';
    }
    if (sizeBytes > limitBytes && kept !== 'no_document') kept = 'too_large';
    if (kept === 'too_large' || kept === 'no_document') chunks = [];
  }
  if (kept === 'too_large' || kept === 'no_document') return kept;
  const bytes = Buffer.concat(chunks);
  return kept === 'accepted' || accepts(bytes) ? bytes : 'no_document';
}

function refuse(reading: Reading, fileName: string, code: string, message: string): void {
  if (reading.refusals.length < listedRefusals) reading.refusals.push({ fileName, code, message });
  else reading.unlistedCount++;
}

function headOf(lines: readonly HeaderLine[], parser: MailParser): MessageHead {
  const fieldOf = (name: string) => {
    const field = lines.find(({ key }) => key === name);
    return field === undefined ? '' : field.line.slice(field.line.indexOf(':') + 1).trim();
  };
  const parsed = parser as MailParser & ParsedHead;
  const senders = lines.filter(({ key }) => key === 'from').length === 1 ? (parsed.from?.value ?? []) : [];
  const [sender] = senders;
  const address = senders.length === 1 && sender?.group === undefined ? (sender?.address ?? '') : '';
  return {
    lines,
    messageId: storable(fieldOf('message-id'), 998) || null,
    date: storable(fieldOf('date'), 100),
    from: isAddress(address) ? address.toLowerCase() : '',
    subject: storable(typeof parsed.subject === 'string' ? parsed.subject : '', 500),
    isAutomatic:
      !/^(no)?$/i.test(fieldOf('auto-submitted').split(/[;\s(]/)[0] ?? '') ||
      /^(bulk|junk|list)$/i.test(fieldOf('precedence')) ||
      ['list-id', 'x-auto-response-suppress', 'x-autoreply', 'x-loop'].some((name) => fieldOf(name) !== ''),
  };
}

/** What the parser keeps of the header. */
interface ParsedHead {
  readonly from?: { readonly value: readonly { readonly address?: string; readonly group?: unknown }[] };
  readonly subject?: unknown;
}

/** An address that is no more than that: nothing of it is read as anything else by what it is given to. */
function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>"(),:;\\[\]]{1,64}@[A-Za-z0-9.-]{1,253}$/.test(text);
}

/** A text from outside as it may be stored and shown: without control characters, and no longer than that. */
function storable(text: string, length: number): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, length)
    .toWellFormed();
}
