import type { createEnginePool, EnginePool } from '@millrace/engine';
import type { Settings } from '@millrace/settings/extraction';
import { pictureWidths } from './dashboard-contract.ts';

/** Pictures of documents' pages, drawn when they are asked for. */
export interface Pictures {
  /**
   * A page in WebP, at least as wide as asked where such a width is drawn.
   *
   * @param original reads the document's file, if the picture isn't in memory.
   * @throws EngineError where the page cannot be drawn.
   */
  draw(
    page: { readonly documentId: string; readonly page: number; readonly width: number },
    original: () => Promise<Uint8Array>,
  ): Promise<Uint8Array>;
  /** Lets go of a document's pictures. */
  forget(documentId: string): void;
  close(): Promise<void>;
}

/** Of the pictures in memory, which are stored nowhere else. */
const keptBytes = 64 * 1024 * 1024;
/** Of the process that draws, beside what the engine sets aside. */
const memoryLimitBytes = 1024 ** 3;
/** Drawing is limited by its processor time; this ends what hangs. */
const pageTimeoutMs = 120_000;
const queueLimit = 200;

/**
 * Draws pages in a separate engine process, started with the first one, so that viewing a document doesn't wait for
 * other people's scans. Recent pictures are kept in memory.
 */
export function createPictures(
  settings: Pick<Settings, 'maxFileSizeBytes' | 'maxPages'>,
  openEnginePool: typeof createEnginePool,
): Pictures {
  let pool: EnginePool | null = null;
  let closed = false;
  /** By document and page, the least recently asked for first. */
  const kept = new Map<string, Uint8Array>();
  let bytes = 0;
  const underWay = new Map<string, Promise<Uint8Array>>();
  const limits = { sizeBytes: settings.maxFileSizeBytes, pages: settings.maxPages };

  const keep = (key: string, picture: Uint8Array) => {
    kept.set(key, picture);
    bytes += picture.length;
    for (const [oldest, { length }] of kept) {
      if (bytes <= keptBytes) break;
      kept.delete(oldest);
      bytes -= length;
    }
  };

  const drop = (key: string): Uint8Array | undefined => {
    const picture = kept.get(key);
    if (!picture) return undefined;
    kept.delete(key);
    bytes -= picture.length;
    return picture;
  };

  return {
    draw: async ({ documentId, page, width }, original) => {
      const widthPixels = pictureWidths.find((each) => each >= width) ?? pictureWidths.at(-1)!;
      const key = `${documentId} ${page} ${widthPixels}`;
      const known = drop(key);
      if (known) {
        keep(key, known);
        return known;
      }
      let drawn = underWay.get(key);
      if (!drawn) {
        drawn = (async () => {
          const file = await original();
          if (closed) throw new Error('the service stops');
          pool ??= openEnginePool({ workers: 1, memoryLimitBytes, pageTimeoutMs, queueLimit });
          const picture = await pool.draw(file, { page, widthPixels }, limits);
          keep(key, picture);
          return picture;
        })().finally(() => underWay.delete(key));
        underWay.set(key, drawn);
      }
      return await drawn;
    },
    forget: (documentId) => {
      for (const key of [...kept.keys()]) if (key.startsWith(`${documentId} `)) drop(key);
    },
    close: async () => {
      closed = true;
      await pool?.close();
    },
  };
}
