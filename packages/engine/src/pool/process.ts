import { flushCompileCache } from 'node:module';
import { isOwnType, ownTypeLimits } from '@millrace/document-model/own-type';
import { documentTooComplex, EngineError } from '../errors.ts';
import { extract } from '../extract.ts';
import { ingest } from '../ingest/ingest.ts';
import { extractWithAnswer } from '../model-reading/consult.ts';
import { consult } from '../model-reading/question.ts';
import { barOtherDecoders } from '../read/image/decode.ts';
import { scriptLanguages } from '../read/ocr/scripts.ts';
import { createReader } from '../read/reader.ts';
import { teach } from '../supplier-memory/teach.ts';
import type { Report, Request } from './messages.ts';

/**
 * The entry point of a pool's process: answers one request after the other until its pool ends it or is gone.
 */
const send = (report: Report) => process.send?.(report);

// A pool that was killed can't end its processes; they notice the broken channel.
process.on('disconnect', () => process.exit());
// Ctrl-C on a terminal reaches this process too; its pool decides whether the current document is finished first.
process.on('SIGINT', () => undefined);

barOtherDecoders();
const asked = process.argv.slice(2);
const reader = createReader({
  onStep: (step) => send({ kind: 'step', step }),
  scriptLanguages: scriptLanguages.filter((language) => asked.includes(language)),
});

process.on('message', async (request: Request) => {
  try {
    const result = await answer(request);
    send({ kind: 'done', result, residentBytes: process.memoryUsage.rss() });
    keepCompiled();
  } catch (error) {
    // A stack, a string or a list beyond what the platform has: the document is too much for it, and stays so.
    const thrown = error instanceof RangeError ? documentTooComplex({ cause: error }) : error;
    const known = thrown instanceof EngineError ? thrown : null;
    send({
      kind: 'failed',
      code: known?.code ?? 'extraction_failed',
      message: known?.message ?? 'The document could not be processed. Send a simpler export or a new scan of it.',
      cause: describeCause(known ? known.cause : error),
      residentBytes: process.memoryUsage.rss(),
    });
  }
});

/** Its pool ends this process by a signal, on which Node doesn’t keep what it has compiled for the next one’s start. */
let kept = false;
function keepCompiled(): void {
  if (kept) return;
  kept = true;
  flushCompileCache();
}

/** What a request says of an account's own types, checked again: this process trusts nobody's definitions. */
function checkOwnTypes(request: Request): void {
  const types =
    request.kind === 'teach' ? request.confirmed.ownTypes : 'options' in request ? request.options.ownTypes : undefined;
  if (types === undefined || (types.length <= ownTypeLimits.types && types.every(isOwnType))) return;
  throw new EngineError(
    'extraction_failed',
    'A document type’s definition is invalid. Change it, then send the document again.',
  );
}

async function answer(request: Request) {
  checkOwnTypes(request);
  switch (request.kind) {
    case 'warm-up':
      await reader.warmUp();
      return null;
    case 'read':
      return await reader.read(ingest(request.bytes, request.limits), request.limits);
    case 'count':
      return await reader.countPages(ingest(request.bytes, request.limits), request.limits);
    case 'draw':
      return await reader.draw(ingest(request.bytes, request.limits), request.picture);
    case 'teach':
      return await teach(ingest(request.bytes, request.limits), request.confirmed, request.limits, reader);
    case 'extract':
      return await extract(request.bytes, request.options, reader);
    case 'consult':
      return await consult(request.bytes, request.options, request.scope, reader);
    case 'answer':
      return extractWithAnswer(request.document, request.options, request.answer);
  }
}

function describeCause(cause: unknown): string | null {
  return cause instanceof Error ? `${cause.name}: ${cause.message}\n${cause.stack ?? ''}` : null;
}

send({ kind: 'ready' });
