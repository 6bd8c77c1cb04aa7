import type { Box, JsonValue, Layout, Locale, Page, TextLine, ValueKind, Word } from '@millrace/document-model';
import { fold, type PlacedCandidate } from '../candidates/placed.ts';
import { furtherReadings, proposeCandidates } from '../candidates/propose.ts';
import { normalizeText } from '../embedded/printed.ts';
import { layOut } from '../layout/layout.ts';
import { visualRows } from '../layout/neighbours.ts';
import { comparable } from '../score/comparable.ts';

/** A text that was read as a value of some kind. */
export interface WrittenValue {
  readonly value: JsonValue;
  /** As a candidate's quality. */
  readonly quality: number;
  readonly ambiguous: boolean;
}

/** Kinds that are any text. */
const textKinds: ReadonlySet<ValueKind> = new Set(['text', 'name', 'organization', 'address']);
/** Kinds of which a text that no recogniser knows may still be one: numbers of whatever form. */
const openKinds: ReadonlySet<ValueKind> = new Set(['identifier', 'phone', 'website', 'bic', 'tax_id']);

/** How much of a text a recogniser must take for its value to be the text's; the rest is a currency, a weekday, a unit. */
const closedShare = 0.5;
const openShare = 0.9;

const textLimit = 2000;

/**
 * A text on its own as a value of a kind, as the engine's recognisers read it in a document of this locale. Null where
 * it is none, such as a date that no calendar has.
 */
export function readAs(kind: ValueKind, text: string, locale: Locale): WrittenValue | null {
  const folded = fold(text.slice(0, textLimit));
  if (folded === '') return null;
  if (textKinds.has(kind)) return { value: folded, quality: 0.5, ambiguous: false };
  const length = normalizeText(folded).length;
  const isOpen = openKinds.has(kind);
  const share = isOpen ? openShare : closedShare;
  const known = proposeCandidates(layOut(documentOf(folded)), locale)
    .filter((candidate) => candidate.kind === kind && normalizeText(candidate.text).length >= share * length)
    .sort((a, b) => normalizeText(b.text).length - normalizeText(a.text).length || b.quality - a.quality)[0];
  if (known) return { value: known.value, quality: known.quality, ambiguous: known.ambiguous };
  if (!isOpen) return null;
  return { value: kind === 'tax_id' ? folded.replaceAll(' ', '') : folded, quality: 0.2, ambiguous: false };
}

const letterWidth = 6;
const lineHeight = 10;

/** One page with one line that says the text. */
function documentOf(text: string) {
  let x = 0;
  const words = text.split(' ').map((part): Word => {
    const box: Box = { x0: x, y0: 0, x1: x + part.length * letterWidth, y1: lineHeight };
    x = box.x1 + letterWidth / 2;
    return { text: part, box, source: 'text', confidence: 1 };
  });
  const page: Page = {
    number: 1,
    width: x,
    height: lineHeight,
    unit: 'point',
    words,
    readings: [{ source: 'text', words }],
    rulings: [],
    turnedDegrees: 0,
  };
  return { mediaType: 'application/pdf' as const, pages: [page], attachments: [] };
}

/** Words of one page that say a value. */
export interface FoundWords {
  readonly page: number;
  readonly words: readonly Word[];
  /** The recogniser's candidate where one proposed it. */
  readonly candidate: PlacedCandidate | null;
}

/** Where a document says what. */
export interface Evidence {
  readonly candidates: readonly PlacedCandidate[];
  /**
   * Every place where a value stands, in reading order, at most fifty. Values that can be written in several ways
   * (numbers, dates, codes) stand where a recogniser reads the same value; others where the same letters and digits are.
   */
  placesOf(kind: ValueKind, text: string, value: JsonValue): readonly FoundWords[];
}

const placeLimit = 50;

/** @param candidates the document's, in all of its readings. */
export function gatherEvidence(layout: Layout, candidates: readonly PlacedCandidate[]): Evidence {
  const byValue = Map.groupBy(candidates, ({ kind, value }) => keyOf(kind, value));
  let streams: readonly Stream[] | null = null;
  const placesOf = (kind: ValueKind, text: string, value: JsonValue): readonly FoundWords[] => {
    const alike = (byValue.get(keyOf(kind, value)) ?? []).slice(0, placeLimit);
    const recognised = alike.map((candidate) => ({ page: candidate.page, words: candidate.words, candidate }));
    if (recognised.length > 0 || !(textKinds.has(kind) || openKinds.has(kind))) return recognised;
    streams ??= [layout, ...furtherReadings(layout)].flatMap(streamsOf);
    for (const stream of streams) {
      const found = findIn(stream, normalizeText(text));
      if (found.length > 0) return found;
    }
    return [];
  };
  return { candidates, placesOf };
}

function keyOf(kind: ValueKind, value: JsonValue): string {
  return `${kind} ${comparable(kind, value)}`;
}

/** The words of a page in some order as one normalised string. */
interface Stream {
  readonly page: number;
  readonly words: readonly Word[];
  readonly characters: string;
  /** Index of the word, for each character. */
  readonly wordOf: readonly number[];
}

/** Each page's words in reading order, and row by row. */
function streamsOf(layout: Layout): readonly Stream[] {
  const ofLines = (lines: readonly TextLine[]) =>
    [...Map.groupBy(lines, ({ page }) => page)].map(([page, onPage]) =>
      streamOf(
        page,
        onPage.flatMap(({ words }) => words),
      ),
    );
  return [...ofLines(layout.lines), ...ofLines(visualRows(layout).flat())];
}

function streamOf(page: number, words: readonly Word[]): Stream {
  const wordOf: number[] = [];
  const characters = words
    .map(({ text }, index) => {
      const normalized = normalizeText(text);
      for (let at = 0; at < normalized.length; at += 1) wordOf.push(index);
      return normalized;
    })
    .join('');
  return { page, words, characters, wordOf };
}

/** A part of a word is a place of its own from this length on, as a name is that a bracket or number is written onto. */
const partLength = 4;

function findIn(stream: Stream, characters: string): FoundWords[] {
  const found: FoundWords[] = [];
  if (characters === '') return found;
  let start = stream.characters.indexOf(characters);
  while (start >= 0 && found.length < placeLimit) {
    const end = start + characters.length - 1;
    if (!goesOn(stream, start - 1, characters.length) && !goesOn(stream, end, characters.length)) {
      const words = stream.words.slice(stream.wordOf[start], stream.wordOf[end]! + 1);
      found.push({ page: stream.page, words, candidate: null });
    }
    start = stream.characters.indexOf(characters, start + 1);
  }
  return found;
}

/** Whether the characters at `left` and behind it belong to one word that must not be parted there. */
function goesOn({ characters, wordOf }: Stream, left: number, length: number): boolean {
  if (left < 0 || left + 1 >= characters.length || wordOf[left] !== wordOf[left + 1]) return false;
  return length < partLength || /\d/.test(characters[left]!) === /\d/.test(characters[left + 1]!);
}
