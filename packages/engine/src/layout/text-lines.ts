import type { Page, Ruling, TextLine, Word } from '@millrace/document-model';
import { boxAround, median, overlap } from './geometry.ts';
import { joinSpreadLetters } from './spread-letters.ts';

/** A word in coordinates that take the page's skew out, for comparing heights only. */
interface Placed {
  readonly word: Word;
  readonly x0: number;
  readonly x1: number;
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
}

/** Bands that one word is looked up in, and words that are looked at in each: what bounds the work on hostile pages. */
const bandLimit = 12;
const lookAheadLimit = 24;
/** How much taller one word of a line may be than the next, unless it stands at its side like an initial. */
const tallest = 3.5;
const skewSample = 1500;
/** Pairs of neighbouring words that tell a page's skew. */
const leastSlopes = 8;
/** The share of a cell that stands blank around a word in a type of fixed width. */
const inklessCells = 0.3;

/** How far a page's lines fall, as {@link pageSlope} says of its upright words. */
export function slopeOfPage(page: Page): number {
  return pageSlope(page.words.filter((word) => word.text.length > 0 && isUpright(word)));
}

/**
 * Joins a page's words into lines: words of one baseline with less than about a letter's height between them. A wide
 * gap or a vertical ruling ends a line, so that the columns of a table or a letterhead stay apart; what else stands at
 * the same height is found through `rowOf`.
 *
 * A word that runs upwards or downwards is a line of its own. Holds for pages that are skewed by a few degrees, mixed font sizes, superscripts and the jitter of OCR boxes. Takes
 * O(n log n) for n words, whatever their places. The lines come in no promised order.
 *
 * @param slope of the page
 */
export function joinWords(page: Page, slope: number): TextLine[] {
  const words = page.words.filter((word) => word.text.length > 0 && isUpright(word));
  const turned = page.words.filter((word) => word.text.length > 0 && !isUpright(word));
  return [...joinUpright(page, words, slope), ...turned.map((word) => lineOf(page.number, [word]))];
}

function joinUpright(page: Page, words: readonly Word[], slope: number): TextLine[] {
  if (words.length === 0) return [];
  const placed = words.map((word): Placed => {
    const { x0, y0, x1, y1 } = word.box;
    const shift = (slope * (x0 + x1)) / 2;
    return { word, x0, x1, top: y0 - shift, bottom: y1 - shift, height: Math.max(y1 - y0, 0.1) };
  });
  const next = linkRight(placed, page.rulings);
  const hasPrevious = new Uint8Array(placed.length);
  for (const index of next) if (index >= 0) hasPrevious[index] = 1;
  const lines: TextLine[] = [];
  for (let start = 0; start < placed.length; start++) {
    if (hasPrevious[start]) continue;
    const chain: Word[] = [];
    for (let index = start; index >= 0; index = next[index] as number) chain.push((placed[index] as Placed).word);
    lines.push(lineOf(page.number, joinSpreadLetters(withoutTrademark(withoutEchoes(chain)))));
  }
  return lines;
}

/** How much of a character lies within the word beside it where it is an echo of it. */
const echoShare = 0.6;

/**
 * The words without the single characters that stand where the word beside them does: OCR looks at a line in parts, and
 * reads twice what is at the end of one and the beginning of the next, `RUPEES s One`, `6 600418822`.
 */
function withoutEchoes(words: readonly Word[]): readonly Word[] {
  const isEcho = ({ text, box, source }: Word, beside: Word | undefined) =>
    beside !== undefined &&
    text.length === 1 &&
    source.startsWith('ocr:') &&
    box.x1 - box.x0 < beside.box.x1 - beside.box.x0 &&
    overlap(box.x0, box.x1, beside.box.x0, beside.box.x1) > echoShare * (box.x1 - box.x0);
  const echoes = words.filter((word, at) => isEcho(word, words[at - 1]) || isEcho(word, words[at + 1]));
  return echoes.length === 0 ? words : words.filter((word) => !echoes.includes(word));
}

/** How much lower than its word a trademark's sign is that is set raised behind it. */
const raisedSign = 0.6;

/** The words without a raised `R` or `TM` at their end, which OCR makes of a trademark's sign: `Permanente®`. */
function withoutTrademark(words: readonly Word[]): readonly Word[] {
  const [before, sign] = words.slice(-2);
  if (!before || !sign || !/^(?:R|TM)$/.test(sign.text) || !sign.source.startsWith('ocr:')) return words;
  const height = before.box.y1 - before.box.y0;
  const isRaised = sign.box.y1 - sign.box.y0 < raisedSign * height && sign.box.y1 < before.box.y1 - 0.25 * height;
  return isRaised && /\p{L}{2}$/u.test(before.text) ? words.slice(0, -1) : words;
}

/** Whether a word runs from bottom to top or top to bottom, as in a page's margin. */
export function isUpright(word: Pick<Word, 'text' | 'box'>): boolean {
  const { x0, y0, x1, y1 } = word.box;
  return word.text.length < 3 || y1 - y0 <= 1.5 * (x1 - x0) || narrowLetters.test(word.text);
}

/** A short word that is higher than it is wide however it runs: the figures of `Phase II,`. */
const narrowLetters = /^[Iil1|.,;:'’!()/-]{3,4}$/u;

/** A line made of these words, in their order. */
export function lineOf(page: number, words: readonly Word[]): TextLine {
  return { page, words, text: words.map((word) => word.text).join(' '), box: boxAround(words) };
}

/**
 * How far the page's lines of text fall per unit to the right (the tangent of its skew): the median over pairs of
 * neighbouring words. Zero where there are too few pairs to tell.
 */
export function pageSlope(words: readonly Pick<Word, 'box'>[]): number {
  if (words.length <= leastSlopes) return 0;
  const step = Math.max(1, Math.floor(words.length / skewSample));
  const bands = new Bands(
    words.map(({ box }) => ({
      x0: box.x0,
      x1: box.x1,
      top: box.y0,
      bottom: box.y1,
      height: Math.max(box.y1 - box.y0, 0.1),
    })),
  );
  const slopes: number[] = [];
  for (let index = 0; index < words.length; index += step) {
    const a = (words[index] as Word).box;
    const height = a.y1 - a.y0;
    let nearest: number | null = null;
    let nearestGap = 3 * height;
    bands.toTheRight(index, (other) => {
      const b = (words[other] as Word).box;
      const gap = b.x0 - a.x1;
      if (gap > nearestGap) return false;
      if (gap > -0.2 * height && overlap(a.y0, a.y1, b.y0, b.y1) > 0.5 * Math.min(height, b.y1 - b.y0)) {
        nearest = other;
        nearestGap = gap;
      }
      return true;
    });
    if (nearest === null) continue;
    const b = (words[nearest] as Word).box;
    const distance = (b.x0 + b.x1 - a.x0 - a.x1) / 2;
    // Boxes of equal height have equal ascenders and descenders, so that their middles tell of the baseline alone.
    if (Math.abs(b.y1 - b.y0 - height) > 0.15 * height || distance < height) continue;
    slopes.push((b.y0 + b.y1 - a.y0 - a.y1) / 2 / distance);
  }
  if (slopes.length < leastSlopes) return 0;
  const slope = median(slopes);
  return Math.abs(slope) > 0.2 ? 0 : slope;
}

/** For each word the index of the word that follows it in its line, or -1. */
function linkRight(placed: readonly Placed[], rulings: readonly Ruling[]): Int32Array {
  const usual = median(placed.map((word) => word.height));
  const bands = new Bands(placed);
  const widest = widestBlank(placed, usual);
  const pitches = new Pitches(placed);
  const walls = new Walls(rulings);
  const next = new Int32Array(placed.length).fill(-1);
  const previous = new Int32Array(placed.length).fill(-1);
  const previousGap = new Float64Array(placed.length);
  for (let index = 0; index < placed.length; index++) {
    const a = placed[index] as Placed;
    let best = -1;
    let bestCost = Infinity;
    let bestGap = 0;
    bands.toTheRight(index, (other) => {
      const b = placed[other] as Placed;
      const gap = b.x0 - a.x1;
      const size = letterHeight(a, b, usual);
      if (gap > 4 * Math.max(a.height, usual)) return false;
      const blank = widest * (isOpen(a) ? blankBehindComma : 1);
      const isApart = gap > blank * size && !pitches.isOneCell(a, b, gap) && !isCodeOfProvince(a, b);
      if (isApart || gap < -0.6 * size || !sameBaseline(a, b)) return true;
      // Between two lines that are both near enough, the one at the better height follows.
      const cost = Math.max(gap, 0) + 1.5 * Math.abs(a.bottom + a.top - b.bottom - b.top);
      if (cost < bestCost) {
        best = other;
        bestCost = cost;
        bestGap = gap;
      }
      return true;
    });
    if (best < 0 || walls.between(a, placed[best] as Placed)) continue;
    const rival = previous[best] as number;
    if (rival >= 0) {
      if ((previousGap[best] as number) <= bestGap) continue;
      next[rival] = -1;
    }
    next[index] = best;
    previous[best] = index;
    previousGap[best] = bestGap;
  }
  return next;
}

/** How much wider than others OCR's boxes make the blank behind a comma, which takes little of its cell in a type of fixed width. */
const blankBehindComma = 1.35;

/** Whether a line goes on behind a word that OCR read, by its comma. */
function isOpen({ word }: Placed): boolean {
  return word.source !== 'text' && /\p{L},$/u.test(word.text);
}

/** Whether a Canadian postal code stands behind its province, from which the post wants it two blanks apart. */
function isCodeOfProvince(a: Placed, b: Placed): boolean {
  return (
    /^(?:AB|BC|MB|NB|NL|NS|NT|NU|ON|PE|QC|SK|YT)$/.test(a.word.text) && /^[A-Z]\d[A-Z](?:\d[A-Z]\d)?$/.test(b.word.text)
  );
}

/**
 * How wide the blank between two words of a line may be, in heights of letters. A text layer's blank is about a third of
 * one, OCR's boxes are less exact, and a type of fixed width has blanks as wide as its letters.
 */
function widestBlank(placed: readonly Placed[], usual: number): number {
  const least = placed[0]?.word.source === 'text' ? 0.68 : 0.9;
  const step = Math.max(1, Math.floor(placed.length / skewSample));
  const pitches: number[] = [];
  for (let index = 0; index < placed.length; index += step) {
    const { word, x0, x1 } = placed[index] as Placed;
    // A box hugs the ink: of the first and the last letter's cells, the blank sides are missing.
    const cells = word.text.length - inklessCells;
    if (word.text.length >= 4 && word.text.length <= 30) pitches.push((x1 - x0) / cells / usual);
  }
  if (pitches.length < 10) return least;
  const pitch = median(pitches);
  const deviation = median(pitches.map((other) => Math.abs(other - pitch)));
  return deviation < 0.04 * pitch ? Math.min(1.5, Math.max(least, 1.65 * pitch)) : least;
}

/** Words of one pitch on a page that show it to be a type's. */
const leastOfPitch = 8;
/** Blanks as wide as the cells of the words around them that show the same, whatever words of other types are as wide. */
const leastBlanks = 5;

/** How wide the cells of words' letters are. A text layer's boxes are as wide as their cells, OCR's hug the ink. */
class Pitches {
  readonly #sorted: Float64Array;
  readonly #read: Float64Array;
  readonly #aroundBlanks: Float64Array;

  constructor(placed: readonly Placed[]) {
    const own = placed.filter(({ word }) => word.source === 'text' && word.text.length > 1);
    this.#sorted = Float64Array.from(own, pitchOf).sort();
    const read = placed.filter(({ word }) => word.source !== 'text' && word.text.length > 1);
    this.#read = Float64Array.from(read, inkedPitchOf).sort();
    const blanks = placed.slice(1).flatMap((word, index) => readPitchAround(placed[index] as Placed, word) ?? []);
    this.#aroundBlanks = Float64Array.from(blanks).sort();
  }

  /**
   * Whether two words are set in one type of fixed width with one blank between them, whatever the rest of the page is set
   * in: what is filled in on a form often is.
   */
  isOneCell(a: Placed, b: Placed, gap: number): boolean {
    const letters = a.word.text.length + b.word.text.length;
    if (a.word.source !== 'text') return letters > 3 && this.#isReadCell(a, b, gap);
    if (letters < 3) return false;
    const pitch = pitchOf(a);
    return (
      Math.abs(a.bottom - b.bottom) + Math.abs(a.height - b.height) < 0.02 * a.height &&
      Math.abs(pitch - pitchOf(b)) < 0.02 * pitch &&
      Math.abs(gap - pitch) < 0.1 * pitch &&
      between(this.#sorted, 0.99 * pitch, 1.01 * pitch) >= leastOfPitch
    );
  }

  /** The same of words that OCR read: other types' words are of all pitches, one of fixed width's of nearly one. */
  #isReadCell(a: Placed, b: Placed, gap: number): boolean {
    const pitch = pitchOfBoth(a, b);
    if (pitch === null || gap > 1.5 * pitch) return false;
    const alike = between(this.#read, 0.92 * pitch, 1.08 * pitch);
    // What is all of one type, as a till's roll is, has its columns in it.
    if (alike < leastOfPitch || alike > 0.8 * this.#read.length) return false;
    return (
      alike >= 0.55 * between(this.#read, 0.75 * pitch, 1.25 * pitch) ||
      between(this.#aroundBlanks, 0.92 * pitch, 1.08 * pitch) >= leastBlanks
    );
  }
}

/** How wide the cells of two words that OCR read are, if they may be of one type of fixed width. */
function pitchOfBoth(a: Placed, b: Placed): number | null {
  const pitch = inkedPitchOf(a.word.text.length < b.word.text.length ? b : a);
  const isAlike = [a, b].every(
    // How much of the first and last cell is blank depends on their letters, which counts most in a short word.
    (each) =>
      each.word.text.length === 1 ||
      Math.abs(inkedPitchOf(each) - pitch) < Math.max(0.12, 0.4 / each.word.text.length) * pitch,
  );
  return isAlike && Math.abs(a.height - b.height) <= 0.25 * a.height ? pitch : null;
}

/** The same of two words that were read one after the other with a blank of one cell between them. */
function readPitchAround(a: Placed, b: Placed): number | null {
  if (b.word.source === 'text' || a.word.text.length + b.word.text.length < 4 || !sameBaseline(a, b)) return null;
  const pitch = pitchOfBoth(a, b);
  const gap = b.x0 - a.x1;
  return pitch !== null && gap >= 0.95 * pitch && gap <= 1.5 * pitch ? pitch : null;
}

/** How many of ascending numbers lie between two. */
function between(sorted: Float64Array, from: number, to: number): number {
  const firstFrom = (pitch: number): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if (sorted[half]! < pitch) low = half + 1;
      else high = half;
    }
    return low;
  };
  return firstFrom(to) - firstFrom(from);
}

function inkedPitchOf({ word, x0, x1 }: Placed): number {
  return (x1 - x0) / (word.text.length - inklessCells);
}

function pitchOf({ word, x0, x1 }: Placed): number {
  return (x1 - x0) / word.text.length;
}

/** Height of the letters around a gap. Boxes that hug "on" or "-" understate it, the page's usual height then stands in. */
function letterHeight(a: Placed, b: Placed, usual: number): number {
  const larger = Math.max(a.height, b.height);
  // What OCR takes for one tall letter, such as a face, is no part of the text beside it.
  const smaller = Math.min(a.height, b.height);
  if (larger > tallest * smaller) return Math.max(smaller, usual);
  return usual > larger && usual < 2 * larger ? usual : larger;
}

function sameBaseline(a: Placed, b: Placed): boolean {
  const smaller = Math.min(a.height, b.height);
  const larger = Math.max(a.height, b.height);
  const shared = overlap(a.top, a.bottom, b.top, b.bottom);
  if (larger > tallest * smaller && larger > 0)
    return shared > 0.9 * smaller && Math.abs(a.bottom - b.bottom) < 0.5 * larger;
  if (shared <= sharedHeight * smaller) return false;
  // A small caption's box reaches into that of the larger text below it, which has a baseline of its own.
  const isTypeset = a.word.source === 'text' && b.word.source === 'text';
  return (
    !isTypeset || shared > raisedHeight * smaller || Math.abs(baseline(a) - baseline(b)) < (1 - sharedHeight) * smaller
  );
}

/** How much of the smaller of two words stands at the height of the other, if they are of one line. */
const sharedHeight = 0.45;
/** From here on the smaller one may be a raised mark. */
const raisedHeight = 0.65;
/** How much of a typeset word's box is below its baseline. */
const descent = 0.2;

function baseline({ bottom, height }: Placed): number {
  return bottom - descent * height;
}

interface Bandable {
  readonly x0: number;
  readonly x1: number;
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
}

/** Words by the horizontal band that their middle stands in, each band sorted from left to right. */
class Bands {
  readonly #items: readonly Bandable[];
  readonly #bandHeight: number;
  readonly #bands = new Map<number, number[]>();

  constructor(items: readonly Bandable[]) {
    this.#items = items;
    this.#bandHeight = Math.max(median(items.map((item) => item.height)), 0.1);
    items.forEach((item, index) => {
      const band = this.#bandOf((item.top + item.bottom) / 2);
      const list = this.#bands.get(band);
      if (list) list.push(index);
      else this.#bands.set(band, [index]);
    });
    for (const list of this.#bands.values()) {
      list.sort((a, b) => (items[a] as Bandable).x0 - (items[b] as Bandable).x0 || a - b);
    }
  }

  #bandOf(y: number): number {
    return Math.floor(y / this.#bandHeight);
  }

  /** Visits words whose left edge is right of this word's, band by band, until `visit` says false for a band. */
  toTheRight(index: number, visit: (other: number) => boolean): void {
    const item = this.#items[index] as Bandable;
    const middle = this.#bandOf((item.top + item.bottom) / 2);
    const first = Math.max(this.#bandOf(item.top - 0.5 * this.#bandHeight), middle - bandLimit);
    const last = Math.min(this.#bandOf(item.bottom + 0.5 * this.#bandHeight), middle + bandLimit);
    for (let band = first; band <= last; band++) {
      const list = this.#bands.get(band);
      if (!list) continue;
      let low = 0;
      let high = list.length;
      while (low < high) {
        const half = (low + high) >> 1;
        const other = list[half] as number;
        const otherX0 = (this.#items[other] as Bandable).x0;
        if (otherX0 < item.x0 || (otherX0 === item.x0 && other <= index)) low = half + 1;
        else high = half;
      }
      for (let at = low; at < list.length && at < low + lookAheadLimit; at++) {
        if (!visit(list[at] as number)) break;
      }
    }
  }
}

/** Vertical rulings by their place from left to right. */
class Walls {
  readonly #rulings: readonly Ruling[];

  constructor(rulings: readonly Ruling[]) {
    this.#rulings = rulings
      .filter((ruling) => ruling.direction === 'vertical')
      .sort((a, b) => a.box.x0 - b.box.x0)
      .slice(0, 5000);
  }

  /** Whether a ruling stands between the two words, at their height. */
  between(a: Placed, b: Placed): boolean {
    let low = 0;
    let high = this.#rulings.length;
    const from = a.x0 + 0.7 * (a.x1 - a.x0);
    const to = b.x0 + 0.3 * (b.x1 - b.x0);
    while (low < high) {
      const half = (low + high) >> 1;
      if ((this.#rulings[half] as Ruling).box.x0 < from) low = half + 1;
      else high = half;
    }
    const { y0, y1 } = a.word.box;
    for (let at = low; at < this.#rulings.length && at < low + lookAheadLimit; at++) {
      const { box } = this.#rulings[at] as Ruling;
      if (box.x0 > to) return false;
      if (overlap(box.y0, box.y1, y0, y1) > 0.5 * (y1 - y0)) return true;
    }
    return false;
  }
}
