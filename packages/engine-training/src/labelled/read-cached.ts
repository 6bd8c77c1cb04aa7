import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page, ReadDocument } from '@millrace/document-model';
import { type IngestedFile, ingest } from '@millrace/engine/ingest';
import { chooseWords, ordinalOf } from '@millrace/engine/read/passes';
import type { Reader } from '@millrace/engine/read/reader';

/** Raised whenever the reader reads differently, so that training and evaluation never see stale words. */
const readerVersion = 15;

const folder = fileURLToPath(new URL('../../../../.cache/readings/', import.meta.url));
const limits = { sizeBytes: 64 * 1024 * 1024, pages: 100 };

/** `first` is what the reader makes of a file at once; `all` has every further pass as well. */
export interface ReadCachedOptions {
  readonly passes?: 'first' | 'all';
}

/**
 * Reads a file, or takes an earlier reading of the same bytes by the same reader from the cache: training and
 * evaluation read the same pictures again and again.
 *
 * @throws EngineError as the reader does; failures are not cached.
 */
export async function readCached(path: string, reader: Reader, options: ReadCachedOptions = {}): Promise<ReadDocument> {
  const passes = options.passes ?? 'first';
  const bytes = await readFile(path);
  const key = createHash('sha256').update(bytes).digest('hex');
  const cached = join(folder, `${key}-${readerVersion}-${passes}.json`);
  const text = await readFile(cached, 'utf8').catch(() => null);
  if (text !== null) return parse(text);
  const file = ingest(bytes, limits);
  const document = passes === 'all' ? await readByAll(file, path, reader) : await reader.read(file, limits);
  await mkdir(folder, { recursive: true });
  const temporary = `${cached}.${process.pid}`;
  await writeFile(temporary, stringify(document));
  await rename(temporary, cached);
  return document;
}

async function readByAll(file: IngestedFile, path: string, reader: Reader): Promise<ReadDocument> {
  const first = await readCached(path, reader);
  return (await reader.readAgain(file, first)).at(-1) ?? first;
}

/** Attachments' bytes are the one part of a document that JSON has no form for. */
function stringify(document: ReadDocument): string {
  const attachments = document.attachments.map(({ name, bytes }) => ({
    name,
    base64: Buffer.from(bytes).toString('base64'),
  }));
  return JSON.stringify({ ...document, attachments });
}

function parse(text: string): ReadDocument {
  const document = JSON.parse(text) as Omit<ReadDocument, 'attachments'> & {
    attachments: { name: string; base64: string }[];
  };
  const attachments = document.attachments.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') }));
  return { ...document, attachments, pages: document.pages.map(withChosenWords) };
}

/** A page with the words that its passes agree on, so that how they are chosen may change and the passes need not be made again. */
function withChosenWords(page: Page): Page {
  const isReadAgain = page.readings.some(({ source }) => ordinalOf(source) > 1);
  return isReadAgain ? { ...page, words: chooseWords(page.readings) } : page;
}
