import {
  costStep,
  keyOf,
  longest,
  type SpellingWeights,
  symbolCount,
  symbolsOf,
  wordEnd,
  wordStart,
} from '@millrace/engine/read/ocr/spelling';

/** Sequences of three symbols and more that were seen less often are left out of the file. */
const leastCount = 2;

/** What was seen of a sequence. */
interface Seen {
  readonly sequence: readonly number[];
  count: number;
  /** How often it was followed, and by how many different symbols. */
  followed: number;
  followers: number;
}

/**
 * Counts which symbols follow each other in words, and smooths the counts after Witten and Bell: what a sequence leaves
 * for others is shared as the shorter one has it.
 */
export function trainSpelling(words: Iterable<string>): SpellingWeights {
  const seen = countSequences(words);
  const kept = [...seen.values()]
    .filter(isKept)
    .map((each) => ({ ...each, key: keyOf(each.sequence) }))
    .sort((a, b) => a.key - b.key);
  const left = leftForOthers(kept, seen);
  const probabilities = new Map<number, number>();
  const probabilityOf = (sequence: readonly number[]): number => {
    const key = keyOf(sequence);
    const known = probabilities.get(key);
    if (known !== undefined) return known;
    const before = sequence.slice(0, -1);
    const shorter = sequence.length === 1 ? 1 / symbolCount : probabilityOf(sequence.slice(1));
    const context = seen.get(keyOf(before));
    const own = seen.get(key);
    const share = context && own && isKept(own) ? own.count / (context.followed + context.followers) : 0;
    const probability = share + (left.get(keyOf(before)) ?? 1) * shorter;
    probabilities.set(key, probability);
    return probability;
  };
  const keys = Uint32Array.from(kept, ({ key }) => key);
  const costs = Uint8Array.from(kept, ({ sequence }) => (sequence.length === 0 ? 0 : costOf(probabilityOf(sequence))));
  const backoffs = Uint8Array.from(kept, ({ key }) => costOf(left.get(key) ?? 1));
  return { keys: base64(new Uint8Array(keys.buffer)), costs: base64(costs), backoffs: base64(backoffs) };
}

function isKept({ sequence, count }: Seen): boolean {
  return sequence.length < 3 || count >= leastCount;
}

/** All sequences of up to the longest, the empty one and the word's start as well, by their key. */
function countSequences(words: Iterable<string>): ReadonlyMap<number, Seen> {
  const seen = new Map<number, Seen>();
  const known = (sequence: readonly number[]): Seen => {
    const key = keyOf(sequence);
    let found = seen.get(key);
    if (!found) {
      found = { sequence, count: 0, followed: 0, followers: 0 };
      seen.set(key, found);
    }
    return found;
  };
  known([]);
  for (const word of words) {
    const all = [wordStart, ...symbolsOf(word), wordEnd];
    for (let end = 1; end < all.length; end += 1) {
      for (let start = Math.max(0, end - longest + 1); start <= end; start += 1) {
        const own = known(all.slice(start, end + 1));
        const before = known(all.slice(start, end));
        if (own.count === 0) before.followers += 1;
        own.count += 1;
        before.followed += 1;
      }
    }
  }
  return seen;
}

/** For each sequence the share of what does not follow it in the file. */
function leftForOthers(kept: readonly Seen[], seen: ReadonlyMap<number, Seen>): ReadonlyMap<number, number> {
  const left = new Map<number, number>();
  for (const { sequence, count } of kept) {
    if (sequence.length === 0 || count === 0) continue;
    const before = keyOf(sequence.slice(0, -1));
    const { followed, followers } = seen.get(before)!;
    left.set(before, (left.get(before) ?? 1) - count / (followed + followers));
  }
  return left;
}

function costOf(probability: number): number {
  return Math.min(255, Math.round(-Math.log(probability) / costStep));
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
