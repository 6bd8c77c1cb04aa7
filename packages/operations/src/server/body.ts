import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FilePart, UploadedFile } from '../operation.ts';
import { RequestFault } from './request-fault.ts';

export interface BodyLimits {
  /** Of a JSON body. */
  readonly jsonSizeBytes: number;
  /** Of the file of a multipart body. */
  readonly fileSizeBytes: number;
  /** Bytes of uploads in memory at a time, across all requests. */
  readonly uploadMemoryBytes: number;
  /** A body of which nothing arrives for this long times out. */
  readonly idleTimeoutMs: number;
}

/** What multipart bodies may cost beyond the file itself. */
const partLimits = { fieldNameSize: 100, fieldSize: 16 * 1024, fields: 32, files: 4, parts: 36, headerPairs: 32 };
const envelopeSizeBytes = 1024 * 1024;

/** Reads request bodies within limits that apply to all requests together. */
export interface BodyReader {
  /**
   * The parsed body; undefined if an optional one is absent or empty, whatever its content type.
   *
   * @throws RequestFault
   */
  json(request: IncomingMessage, optional: boolean): Promise<unknown>;
  /** @throws RequestFault */
  multipart(request: IncomingMessage, part: FilePart): Promise<Form>;
}

interface Form {
  readonly fields: Readonly<Record<string, string>>;
  /** Null if the form has no file with the part's name. */
  readonly file: UploadedFile | null;
  /** Releases the file's share of the upload memory. */
  release(): void;
}

/** @param limits apply to each body, `uploadMemoryBytes` to all of them together. */
export function createBodyReader(limits: BodyLimits): BodyReader {
  let heldBytes = 0;

  function reserve(sizeBytes: number) {
    if (heldBytes + sizeBytes > limits.uploadMemoryBytes) {
      throw new RequestFault('overloaded', 'Too many uploads are in progress. Try again later.');
    }
    heldBytes += sizeBytes;
  }

  return {
    async json(request, optional) {
      if (optional && declaresNoBody(request)) return undefined;
      // Only its end shows whether a chunked body is empty.
      const maybeEmpty = optional && request.headers['transfer-encoding'] !== undefined;
      if (!maybeEmpty) refuseOtherThanJson(request);
      refuseDeclaredSize(request, limits.jsonSizeBytes, () => tooLarge('body', limits.jsonSizeBytes));
      const bytes = arrivedWhole(request, limits.jsonSizeBytes) ?? (await receiveJson(request, limits));
      if (maybeEmpty && bytes.length === 0) return undefined;
      refuseOtherThanJson(request);
      try {
        return JSON.parse(bytes.toString('utf8'));
      } catch (cause) {
        throw new RequestFault('invalid', 'The body is not valid JSON.', { cause });
      }
    },

    async multipart(request, part) {
      if (mediaTypeOf(request) !== 'multipart/form-data') {
        throw new RequestFault(
          'wrong_content_type',
          `Send the request as multipart/form-data with the file in the field "${part.name}".`,
        );
      }
      const fileTooLarge = () => tooLarge('file', limits.fileSizeBytes);
      refuseDeclaredSize(request, limits.fileSizeBytes + envelopeSizeBytes, fileTooLarge);
      const form = collectForm(request, part, limits.fileSizeBytes, reserve);
      const release = () => {
        heldBytes -= form.reservedBytes();
        form.forget();
      };
      try {
        await receive(request, limits.idleTimeoutMs, form);
        return { ...form.result(), release };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** The body of a request that has already arrived completely, as a short one does with its headers; else null. */
function arrivedWhole(request: IncomingMessage, limitBytes: number): Buffer | null {
  const { readableLength } = request;
  return request.complete && readableLength > 0 && readableLength <= limitBytes ? request.read() : null;
}

async function receiveJson(request: IncomingMessage, { jsonSizeBytes, idleTimeoutMs }: BodyLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  await receive(request, idleTimeoutMs, {
    data(chunk) {
      sizeBytes += chunk.length;
      if (sizeBytes > jsonSizeBytes) throw tooLarge('body', jsonSizeBytes);
      chunks.push(chunk);
    },
    async end() {},
  });
  return Buffer.concat(chunks);
}

interface Receiver {
  /** @throws RequestFault to stop reading */
  data(chunk: Buffer): void;
  /** Settles once everything that arrived has been understood. */
  end(): Promise<void>;
}

/** Feeds a request's body to a receiver until its end, its limit, its time-out or the end of its connection. */
async function receive(request: IncomingMessage, idleTimeoutMs: number, receiver: Receiver): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (fault: unknown) => {
      settle();
      reject(fault);
    };
    const timer = setTimeout(
      () => stop(new RequestFault('timed_out', 'The request body stopped arriving. Send the request again.')),
      idleTimeoutMs,
    );
    const onData = (chunk: Buffer) => {
      timer.refresh();
      try {
        receiver.data(chunk);
      } catch (fault) {
        stop(fault);
      }
    };
    const onEnd = () => {
      settle();
      receiver.end().then(resolve, reject);
    };
    const onClose = () => stop(new RequestFault('aborted', 'The connection closed before the request body ended.'));
    const settle = () => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function collectForm(
  request: IncomingMessage,
  part: FilePart,
  fileSizeBytes: number,
  reserve: (sizeBytes: number) => void,
): Receiver & {
  result(): Omit<Form, 'release'>;
  reservedBytes(): number;
  forget(): void;
} {
  const fields: Record<string, string> = Object.create(null);
  let file: { name: string; claimedMediaType: string } | null = null;
  let chunks: Buffer[] = [];
  let receivedBytes = 0;
  let reservedBytes = 0;
  let fault: RequestFault | null = null;
  const refuse = (kind: 'invalid' | 'file_too_large', message: string) => {
    fault ??= new RequestFault(kind, message);
  };

  const parser = openParser(request, fileSizeBytes);
  parser.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated || valueTruncated) return refuse('invalid', 'A form field or its name is too long.');
    if (name in fields) return refuse('invalid', `The form field "${name}" is repeated. Send it once.`);
    fields[name] = value;
  });
  parser.on('file', (name, stream, fileName, _encoding, claimedMediaType) => {
    stream.on('error', () => {});
    if (name !== part.name || file) {
      refuse(
        'invalid',
        `Send one file, in the field "${part.name}"; another came in the field "${name.slice(0, 64)}".`,
      );
      stream.resume();
      return;
    }
    file = { name: fileName, claimedMediaType };
    stream.on('limit', () => {
      fault ??= tooLarge('file', fileSizeBytes);
    });
    stream.on('data', (chunk: Buffer) => {
      if (fault) return;
      try {
        reserve(chunk.length);
        reservedBytes += chunk.length;
        receivedBytes += chunk.length;
        chunks.push(chunk);
      } catch (error) {
        fault = error as RequestFault;
      }
    });
  });
  const tooMany = () => refuse('invalid', 'The form has too many fields or files.');
  parser.on('partsLimit', tooMany).on('filesLimit', tooMany).on('fieldsLimit', tooMany);
  const finished = new Promise<void>((resolve) => {
    parser.on('finish', resolve);
    parser.on('error', () => {
      refuse('invalid', 'The body is not valid multipart/form-data.');
      resolve();
    });
  });

  return {
    data(chunk) {
      parser.write(chunk);
      if (fault) throw fault;
    },
    async end() {
      parser.end();
      await finished;
      if (fault) throw fault;
    },
    result() {
      const bytes = Buffer.concat(chunks, receivedBytes);
      chunks = [];
      return { fields: { ...fields }, file: file && { ...file, bytes } };
    },
    reservedBytes: () => reservedBytes,
    forget() {
      reservedBytes = 0;
      chunks = [];
    },
  };
}

function openParser(request: IncomingMessage, fileSizeBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': request.headers['content-type'] ?? '' },
      limits: { ...partLimits, fileSize: fileSizeBytes },
    });
  } catch (cause) {
    throw new RequestFault('invalid', 'The multipart boundary is missing from the Content-Type header.', { cause });
  }
}

function refuseDeclaredSize(request: IncomingMessage, limitBytes: number, fault: () => RequestFault) {
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  if (declaredBytes > limitBytes) throw fault();
}

function tooLarge(subject: string, limitBytes: number) {
  const limit = limitBytes >= 1e6 ? `${Math.floor(limitBytes / (1024 * 1024))} MB` : `${limitBytes} bytes`;
  return new RequestFault('file_too_large', `The ${subject} is larger than ${limit}. Send a smaller one.`);
}

/** Whether the headers say that no body follows. */
function declaresNoBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function refuseOtherThanJson(request: IncomingMessage) {
  if (mediaTypeOf(request) === 'application/json') return;
  throw new RequestFault('wrong_content_type', 'Send the body as application/json.');
}

function mediaTypeOf(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
}
