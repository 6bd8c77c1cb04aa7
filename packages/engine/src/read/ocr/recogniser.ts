import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Crop, parseAlphabet, type RecognisedCrop, readCrop } from './recognition.ts';
import { createSession } from './session.ts';

/** PP-OCR's recogniser of text lines. */
export interface Recogniser {
  /** Reads a crop, whose buffers may be gone afterwards. */
  read(crop: Crop): Promise<RecognisedCrop>;
  close(): Promise<void>;
}

/** What a recogniser is made of, as it may be sent to a thread. */
export interface RecogniserModel {
  /** The network, an ONNX file's bytes. */
  readonly network: Uint8Array;
  /** What its classes mean, one a line. */
  readonly keys: string;
}

/** A recogniser in the caller's thread, which stands still while it reads. */
export async function loadRecogniser({ network, keys }: RecogniserModel): Promise<Recogniser> {
  const { session, TensorOf } = await createSession(network);
  const alphabet = parseAlphabet(keys);
  return { read: (crop) => readCrop(session, TensorOf, alphabet, crop), close: () => session.release() };
}

/** Asks a recogniser's thread to read a crop, or, without one, to end. */
export interface RecogniserRequest {
  readonly id: number;
  readonly crop: Crop | null;
}

/** What a recogniser's thread says once it is ready, and then to each request. */
export type RecogniserReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly id: number; readonly recognised: RecognisedCrop }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown };

/**
 * A recogniser in its own thread, which reads while the caller's does something else. ONNX Runtime may abort the
 * process if its thread is ended from outside, so `close` asks it to end on its own.
 */
export async function startRecogniser(model: RecogniserModel): Promise<Recogniser> {
  const worker = new Worker(new URL('./recogniser-thread.ts', import.meta.url), {
    workerData: model,
    // It has little code of its own; otherwise half a gigabyte of the process's limit would be set aside for it.
    resourceLimits: { codeRangeSizeMb: 16 },
  });
  const waiting = new Map<number, PromiseWithResolvers<RecognisedCrop>>();
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  // Rejects when the thread fails before it is ready.
  await once(worker, 'message');
  let fault: unknown = null;
  const giveUp = (error: unknown) => {
    fault ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('error', giveUp);
  worker.on('exit', () => giveUp(new Error('The thread of the OCR recogniser has ended')));
  worker.on('message', (report: Exclude<RecogniserReport, { kind: 'ready' }>) => {
    const reading = waiting.get(report.id);
    waiting.delete(report.id);
    if (report.kind === 'read') reading?.resolve(report.recognised);
    else reading?.reject(report.error);
  });
  let lastId = 0;
  return {
    read: async (crop) => {
      if (fault) throw fault;
      const reading = Promise.withResolvers<RecognisedCrop>();
      const request: RecogniserRequest = { id: ++lastId, crop };
      waiting.set(request.id, reading);
      worker.postMessage(request, [crop.planes.buffer, crop.grey.buffer]);
      return await reading.promise;
    },
    close: async () => {
      worker.postMessage({ id: 0, crop: null } satisfies RecogniserRequest);
      await ended;
    },
  };
}
