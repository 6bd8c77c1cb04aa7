import type { Layout } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import type { Lesson } from './lesson.ts';

/** Words of a first page that make its fingerprint. */
const wordLimit = 400;
/** Strips of a page across; a word counts as in its place in the next strip too. */
const stripCount = 24;
/** With fewer words nothing can be concluded. */
const leastWords = 5;

/** Letters and digits alone, accents and case put aside. */
export function plain(text: string): string {
  return foldText(text).replace(/[^\p{L}\d]/gu, '');
}

function* placedWords(layout: Layout): Generator<{ readonly word: string; readonly strip: number }> {
  const [page] = layout.document.pages;
  if (!page || page.width <= 0) return;
  let count = 0;
  for (const { text, box } of page.words) {
    const word = foldText(text).replace(/[^\p{L}]/gu, '');
    if (word.length < 3 || /\d/.test(text)) continue;
    if (++count > wordLimit) return;
    yield { word, strip: Math.round((box.x0 / page.width) * stripCount) };
  }
}

/** FNV-1a, 32 bits. */
function hashOf(word: string, strip: number): number {
  const text = `${word}:${strip}`;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/**
 * Hashes of the first page's words, each with its place across the page.
 *
 * @param own texts whose words are left out: the sender's name and address, which stand on what others send to it too,
 * often in the same place.
 */
export function fingerprintOf(layout: Layout, own: readonly string[]): readonly number[] {
  const ownWords = new Set(own.flatMap((text) => foldText(text).split(/[^\p{L}]+/u)));
  const words = [...placedWords(layout)].filter(({ word }) => !ownWords.has(word));
  return [...new Set(words.map(({ word, strip }) => hashOf(word, strip)))];
}

/** A document's words as fingerprints are looked for in them. */
export function placedHashes(layout: Layout): ReadonlySet<number> {
  const hashes = new Set<number>();
  for (const { word, strip } of placedWords(layout)) {
    for (const near of [strip - 1, strip, strip + 1]) hashes.add(hashOf(word, near));
  }
  return hashes;
}

/**
 * How much of what a sender's documents have in common stands in another, 0 to 1: the words, in their places, of at
 * least half of its lessons.
 */
export function likeness(lessons: readonly Lesson[], hashes: ReadonlySet<number>): number {
  const counts = new Map<number, number>();
  for (const { fingerprint } of lessons) for (const hash of fingerprint) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  let common = 0;
  let found = 0;
  for (const [hash, count] of counts) {
    if (count * 2 < lessons.length || (lessons.length > 1 && count < 2)) continue;
    common++;
    if (hashes.has(hash)) found++;
  }
  return common < leastWords ? 0 : found / common;
}

/** How much two fingerprints have in common, 0 to 1 (Jaccard's index). */
export function fingerprintLikeness(a: readonly number[], b: readonly number[]): number {
  const other = new Set(b);
  const common = a.filter((hash) => other.has(hash)).length;
  const all = a.length + b.length - common;
  return all === 0 ? 0 : common / all;
}

/** How alike two texts are, 0 to 1: the share of pairs of letters that they have in common (Dice's coefficient). */
export function textLikeness(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length < 2 || b.length < 2) return 0;
  const pairs = new Map<string, number>();
  for (let index = 0; index + 1 < a.length; index++) {
    const pair = a.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let index = 0; index + 1 < b.length; index++) {
    const pair = b.slice(index, index + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    shared++;
  }
  return (2 * shared) / (a.length + b.length - 2);
}
