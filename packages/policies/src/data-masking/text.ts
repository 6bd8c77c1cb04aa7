import { type Detector, detectors, type Find, maxFoundLength } from './detectors.ts';
import { fold } from './fold.ts';
import type { Replacement } from './paths.ts';
import type { Replace } from './replace.ts';

export interface DetectorRule {
  readonly detector: Detector;
  readonly replacement: Replacement;
}

/** Maximum text buffered while waiting for more. */
const windowLength = 16_384;
/** Kept back at the end of a window: more than any value, invisible characters within it, and what must follow it. */
const marginLength = maxFoundLength * 4;
/** Kept before a window: more than any value and what must stand before it. */
const contextLength = maxFoundLength * 2;

/** Strictest first: where values of two detectors overlap, the first of theirs holds for both. */
const strictness: readonly Replacement[] = ['redact', 'hash', 'partial'];

interface Region {
  readonly start: number;
  end: number;
  detector: Detector;
  replacement: Replacement;
}

/** What finds and replaces values in texts of one character a byte. */
export class TextRules {
  /** Fewest digits in a text with a value, unless it holds an at sign (or one percent-encoded). */
  readonly minDigits: number;
  /** Fewest of them without a letter between. */
  readonly minDigitRun: number;
  readonly #rules: readonly (DetectorRule & { readonly find: Find })[];
  readonly #replace: Replace;

  constructor(rules: readonly DetectorRule[], replace: Replace) {
    // Of several rules for one detector, the first holds.
    const first = rules.filter(
      ({ detector }, index) => rules.findIndex((rule) => rule.detector === detector) === index,
    );
    this.#rules = first.map((rule) => ({ ...rule, find: detectors[rule.detector] }));
    this.#replace = replace;
    this.minDigits = Math.min(...first.map(({ detector }) => fewestDigits[detector]));
    this.minDigitRun = Math.min(
      ...first.map(({ detector }) => (mixesLetters.has(detector) ? 1 : fewestDigits[detector])),
    );
  }

  /** The text with its values replaced, or null where it has none. */
  mask(text: string): string | null {
    const regions = this.regions(text);
    return regions.length === 0 ? null : this.replaced(text, regions, 0, text.length);
  }

  /** The replacement of a number, or null if it is not a value to mask. */
  maskNumber(digits: string): string | null {
    for (const { detector, replacement, find } of this.#rules) {
      if (detector !== 'card' && detector !== 'national_id') continue;
      if (find(digits).some(({ start, end }) => start === 0 && end === digits.length)) {
        return this.#replace(digits, replacement);
      }
    }
    return null;
  }

  /** Where values stand, in their order; those that overlap are one. */
  regions(text: string): readonly Region[] {
    const found: Region[] = [];
    const folded = fold(text);
    for (const { detector, replacement, find } of this.#rules) {
      for (const { start, end } of find(text)) found.push({ start, end, detector, replacement });
      if (folded === null) continue;
      for (const value of find(folded.text)) {
        const [start, end] = [folded.starts[value.start]!, folded.ends[value.end - 1]!];
        found.push({ start, end, detector, replacement });
      }
    }
    if (found.length < 2) return found;
    found.sort((a, b) => a.start - b.start || b.end - a.end);
    const merged: Region[] = [];
    for (const region of found) {
      const last = merged.at(-1);
      if (!last || region.start >= last.end) merged.push(region);
      else {
        last.end = Math.max(last.end, region.end);
        if (strictness.indexOf(region.replacement) < strictness.indexOf(last.replacement)) {
          last.replacement = region.replacement;
          last.detector = region.detector;
        }
      }
    }
    return merged;
  }

  /** A part of a text, with these regions within it replaced. */
  replaced(text: string, regions: readonly Region[], start: number, end: number): string {
    let masked = '';
    let from = start;
    for (const region of regions) {
      const value = canonical(text.slice(region.start, region.end), region.detector);
      masked += text.slice(from, region.start) + this.#replace(value, region.replacement);
      from = region.end;
    }
    return masked + text.slice(from, end);
  }
}

/** Fewest digits of the values that each detector finds; an e-mail address has its at sign. */
const fewestDigits: Readonly<Record<Detector, number>> = {
  card: 13,
  iban: 2,
  email: Number.POSITIVE_INFINITY,
  phone: 7,
  // A national insurance number; a codice fiscale has seven, of which letters take the places where two persons' are equal.
  national_id: 6,
};

const mixesLetters: ReadonlySet<Detector> = new Set(['iban', 'national_id']);

/** One text for all ways to write a value, so that digests of equal values are equal. */
function canonical(written: string, detector: Detector): string {
  const value = fold(written)?.text ?? written;
  return detector === 'email'
    ? value.toLowerCase().replace('%40', '@')
    : value.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();
}

/** Masks a text that comes in pieces. No value goes over the end of a line. */
export class TextMasker {
  readonly #rules: TextRules;
  /** What came before the text that waits, as far as it matters to what is found in it. */
  #context = '';
  #waiting = '';

  constructor(rules: TextRules) {
    this.#rules = rules;
  }

  /** What can pass on now. */
  write(text: string): string {
    this.#waiting += text;
    const lineEnd = this.#waiting.lastIndexOf('\n') + 1;
    const masked = lineEnd > 0 ? this.#pass(lineEnd) : '';
    return this.#waiting.length < windowLength ? masked : masked + this.#pass(this.#waiting.length - marginLength);
  }

  end(): string {
    return this.#pass(this.#waiting.length);
  }

  /** Masks and releases the buffer up to `length`, or to the start of a value there. */
  #pass(length: number): string {
    const offset = this.#context.length;
    const text = this.#context + this.#waiting;
    const isAll = length === this.#waiting.length;
    let cut = offset + length;
    // Not within a multi-byte character.
    while (!isAll && cut > offset && isContinuation(text.charCodeAt(cut))) cut--;
    const regions = this.#rules.regions(text).filter(({ start }) => start >= offset);
    const straddling = regions.find(({ start, end }) => start < cut && end > cut);
    if (straddling) cut = straddling.start;
    const passing = regions.filter(({ end }) => end <= cut);
    const masked = this.#rules.replaced(text, passing, offset, cut);
    this.#context = text.slice(Math.max(0, cut - contextLength), cut);
    this.#waiting = text.slice(cut);
    return masked;
  }
}

function isContinuation(code: number): boolean {
  return code >= 0x80 && code < 0xc0;
}
