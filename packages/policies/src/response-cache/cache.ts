import type { AnswerCache, CachedAnswer } from '../run.ts';

/** Estimated size of an entry besides its key, headers and body: objects, map slots. */
const entryOverheadBytes = 400;

/** Responses in memory, up to a number of bytes: the least recently used ones make room for new ones. */
export function createAnswerCache(maxBytes: number): AnswerCache & { readonly sizeBytes: number } {
  // A map keeps insertion order: the first entry is the least recently used.
  const entries = new Map<string, { readonly answer: CachedAnswer; readonly sizeBytes: number }>();
  let totalBytes = 0;

  const remove = (key: string): void => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    totalBytes -= entry.sizeBytes;
  };
  return {
    get sizeBytes() {
      return totalBytes;
    },
    get(key, nowMs) {
      const entry = entries.get(key);
      if (!entry) return null;
      entries.delete(key);
      if (entry.answer.expiresAtMs <= nowMs) {
        totalBytes -= entry.sizeBytes;
        return null;
      }
      entries.set(key, entry);
      return entry.answer;
    },
    set(key, answer) {
      remove(key);
      const sizeBytes = sizeOf(key, answer);
      if (sizeBytes > maxBytes) return;
      entries.set(key, { answer, sizeBytes });
      totalBytes += sizeBytes;
      for (const oldest of entries.keys()) {
        if (totalBytes <= maxBytes) break;
        remove(oldest);
      }
    },
  };
}

function sizeOf(key: string, { headers, body }: CachedAnswer): number {
  // Two bytes a character at most.
  return entryOverheadBytes + body.byteLength + headers.reduce((sum, text) => sum + text.length * 2, key.length * 2);
}
