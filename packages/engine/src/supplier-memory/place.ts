import { foldText } from '../candidates/date.ts';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import type { TaughtPlace } from './lesson.ts';
import { textLikeness } from './likeness.ts';

/** Characters of the text before or above a value that are compared: the nearest. */
const comparedCharacters = 48;

/** A candidate's position, as a lesson describes it. */
export function placeOf(candidate: PlacedCandidate): TaughtPlace {
  const { layout, lines, start, box, text } = candidate;
  const line = lines[0]!;
  const { left, above } = neighboursOf(layout, line);
  const inLine = labelOf(line.text.slice(0, start));
  const { pages } = layout.document;
  const page = pages.find(({ number }) => number === candidate.page) ?? pages[0]!;
  const fromEnd = candidate.page === pages.at(-1)?.number && pages.length > 1;
  return {
    page: fromEnd ? 0 : candidate.page - 1,
    fromEnd,
    x0: shareOf(box.x0, page.width),
    x1: shareOf(box.x1, page.width),
    y: shareOf((box.y0 + box.y1) / 2, page.height),
    before: inLine === '' && left ? labelOf(left.text) : inLine,
    above: above ? labelOf(above.text) : '',
    shape: text
      .slice(0, 40)
      .replace(/\p{L}+/gu, 'A')
      .replace(/\d+/g, '#'),
  };
}

function shareOf(length: number, whole: number): number {
  return whole > 0 ? Math.round((length / whole) * 10_000) / 10_000 : 0;
}

/** A label as it is compared: the end of its text, lower case, each number as one `#`. */
function labelOf(text: string): string {
  return foldText(text)
    .replace(/\d+/g, '#')
    .replace(/[^\p{L}#]+/gu, ' ')
    .trim()
    .slice(-comparedCharacters);
}

/** A label read by OCR differs in a letter now and then. */
const sameLabel = 0.8;
/** Of the page's width and height. */
const nearX = 0.02;
const nearY = 0.03;

/**
 * How well a position agrees with a taught one, 0 to 1. What is printed before a value matters most; if nothing is,
 * what is above it; its position on the page supports either, and means little alone.
 */
export function agreement(taught: TaughtPlace, place: TaughtPlace): number {
  const isX = Math.abs(taught.x0 - place.x0) < nearX || Math.abs(taught.x1 - place.x1) < nearX;
  const isY = Math.abs(taught.y - place.y) < nearY;
  const samePage = taught.fromEnd === place.fromEnd ? taught.page === place.page : false;
  const sameShape = taught.shape === place.shape ? 0.05 : 0;
  const confirmed = (isX ? 0.15 : 0) + (isY ? 0.1 : 0) + sameShape - (samePage ? 0 : 0.1);
  const hasBefore = taught.before !== '' || place.before !== '';
  if (hasBefore) {
    const before = taught.before === '' || place.before === '' ? 0 : textLikeness(taught.before, place.before);
    if (before >= sameLabel) return Math.min(1, 0.7 + confirmed);
    if (before > 0 && lastWord(taught.before) === lastWord(place.before)) return 0.35 + confirmed;
  } else if (taught.above !== '' && textLikeness(taught.above, place.above) >= sameLabel) {
    return Math.min(1, 0.6 + confirmed);
  }
  if (!isX || !isY || !samePage) return 0;
  // A position without a label is identified by its beginning or end only; the nearer, the likelier.
  const distance = Math.abs(taught.y - place.y) / nearY + Math.abs(taught.x0 - place.x0) / nearX;
  return (hasBefore ? 0.3 : 0.58) + sameShape + 0.05 / (1 + distance);
}

function lastWord(label: string): string {
  return label.slice(label.lastIndexOf(' ') + 1);
}
