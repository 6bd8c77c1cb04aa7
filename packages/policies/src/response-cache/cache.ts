import type { AnswerCache, CachedAnswer } from '../run.ts';

/** What an entry takes beside its key, headers and body: objects, map slots. An estimate. */
const entryOverheadBytes = 400;

/** Answers in memory, at most so many bytes of them: those that were asked for longest ago make room for new ones. */
export function createAnswerCache(maxBytes: number): AnswerCache & { readonly sizeBytes: number } {
  // A map keeps the order of insertion: the first entry is the one that was used longest ago.
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
