import type { createEnginePool, EnginePool, EnginePoolOptions } from '@millrace/engine';
import { EngineError } from '@millrace/engine/errors';
import type { Settings } from '@millrace/settings/extraction';
import { ApiError } from '../../http/errors.ts';

/** Counts the pages of documents that are queued, so that the response can state them. */
export interface PageCounter {
  /**
   * The pages that extracting a file will read: 1 for a PNG or JPEG; 0 for a PDF or TIFF that can't be opened, whose job will fail.
   *
   * @throws ApiError `unavailable` where too many others wait; or the signal's reason.
   */
  count(
    file: { readonly mediaType: string; readonly bytes: Uint8Array },
    control: { readonly signal: AbortSignal },
  ): Promise<number>;
  close(): Promise<void>;
}

/** How long a caller waits for its turn and its pages. */
const patienceMs = 60_000;

const poolOptions: EnginePoolOptions = {
  workers: 1,
  // As urgent as the service: a caller waits for the pages, and not for the documents that are read meanwhile.
  niceness: 0,
  // What opens a PDF is hardly worth compiling.
  isShortLived: true,
  memoryLimitBytes: 1024 ** 3,
  // A fifth of what reading a page may take: opening a PDF takes milliseconds.
  cpuLimitShare: 0.2,
  pageTimeoutMs: patienceMs,
  queueLimit: 200,
};

/**
 * Counts in a separate engine process, started with the first PDF or TIFF, so that a document is accepted no later because all
 * workers are busy.
 */
export function createPageCounter(
  settings: Pick<Settings, 'maxFileSizeBytes' | 'maxPages'>,
  openEnginePool: typeof createEnginePool,
): PageCounter {
  let pool: EnginePool | null = null;
  let closed = false;
  const limits = { sizeBytes: settings.maxFileSizeBytes, pages: settings.maxPages };
  return {
    count: async ({ mediaType, bytes }, { signal: callerSignal }) => {
      if (mediaType === 'image/png' || mediaType === 'image/jpeg') return 1;
      if (closed) throw new ApiError('unavailable');
      pool ??= openEnginePool(poolOptions);
      const patience = AbortSignal.timeout(patienceMs);
      const signal = AbortSignal.any([callerSignal, patience]);
      try {
        return await pool.countPages(bytes, limits, { signal });
      } catch (error) {
        if (patience.aborted) throw new ApiError('unavailable', { cause: error });
        if (!(error instanceof EngineError)) throw error;
        if (error.code === 'extraction_failed') throw new ApiError('unavailable', { cause: error });
        return 0;
      }
    },
    close: async () => {
      closed = true;
      await pool?.close();
    },
  };
}
