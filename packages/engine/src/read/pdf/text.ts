import type { Box, Word } from '@millrace/document-model';
import type { Turn } from '../turn.ts';
import { displayBox, displayPoint, type PdfPage } from './document.ts';
import { fillColour, isWhite, type PageObjects } from './objects.ts';

/** A page's text layer, apart from what no reader of the page can see. */
export interface TextLayer {
  readonly words: readonly Word[];
  /** Words in invisible ink: the text layer that a scanner's OCR puts under a page's picture. */
  readonly hidden: readonly Word[];
  /** Characters, white space aside, and how many of them have no known meaning. */
  readonly characterCount: number;
  readonly unmappedCount: number;
  /** By how much the displayed page is to be turned to make most of its text upright. */
  readonly turn: Turn;
}

/** More characters than any page that a person reads; what stands behind them is not read. */
const characterLimit = 200_000;
const clipSegmentLimit = 200;

const boldWeight = 600;
const forceBoldFlag = 1 << 18;
const boldName = /bold|black|heavy|demi/i;
const renderModeInvisible = 3;
const renderModeClip = 7;

/** How a text object is drawn; asked once per object. */
interface TextStyle {
  readonly visibility: 'visible' | 'hidden' | 'dropped';
  readonly white: boolean;
  readonly bold: boolean;
  readonly clip: Box | null;
}

const plainStyle: TextStyle = { visibility: 'visible', white: false, bold: false, clip: null };

interface Character {
  readonly text: string;
  readonly box: Box;
  readonly origin: { readonly x: number; readonly y: number };
  readonly style: TextStyle;
}

/** Reads the words of a page's text layer with their boxes, breaking them at white space and where the baseline jumps. */
export function readTextLayer(page: PdfPage, objects: PageObjects): TextLayer {
  const { call } = page.pdfium;
  const words: Word[] = [];
  const hidden: Word[] = [];
  let characterCount = 0;
  let unmappedCount = 0;
  const advances = { 0: 0, 90: 0, 180: 0, 270: 0 };
  const text = call.FPDFText_LoadPage(page.handle);
  if (text === 0) return { words, hidden, characterCount, unmappedCount, turn: 0 };

  let pending: Character[] = [];
  let hasLineEnd = false;
  const finish = () => {
    const first = pending[0];
    const last = pending.at(-1);
    if (first && last) {
      const word = joinCharacters(pending);
      if (word && isSeen(word.box, first.style, page, objects)) {
        (first.style.visibility === 'hidden' ? hidden : words).push(word);
        advances[turnOfAdvance(first, last)] += pending.length - 1;
      }
    }
    pending = [];
  };
  try {
    const styles = new Map<number, TextStyle>();
    const count = Math.min(call.FPDFText_CountChars(text), characterLimit);
    for (let index = 0; index < count; index++) {
      const printable = printableText(call.FPDFText_GetUnicode(text, index));
      if (printable === null) {
        if (isGeneratedLineEnd(call, text, index)) hasLineEnd = true;
        else finish();
        continue;
      }
      characterCount++;
      if (call.FPDFText_HasUnicodeMapError(text, index) === 1) unmappedCount++;
      const object = call.FPDFText_GetTextObject(text, index);
      let style = styles.get(object);
      if (!style) {
        style = object === 0 ? plainStyle : styleOf(page, text, index, object, objects);
        styles.set(object, style);
      }
      if (style.visibility === 'dropped') continue;
      const character = characterAt(page, text, index, printable, style);
      const previous = pending.at(-1);
      if (previous && (isBreak(previous, character) || (hasLineEnd && !continues(previous, character)))) finish();
      hasLineEnd = false;
      pending.push(character);
    }
    finish();
  } finally {
    call.FPDFText_ClosePage(text);
  }
  return { words, hidden, characterCount, unmappedCount, turn: turnOf(advances) };
}

/** The turn that makes a word upright whose letters advance as from the first to the last. */
function turnOfAdvance(first: Character, last: Character): Turn {
  const dx = last.origin.x - first.origin.x;
  const dy = last.origin.y - first.origin.y;
  if (Math.abs(dy) > Math.abs(dx)) return dy < 0 ? 90 : 270;
  return dx < 0 ? 180 : 0;
}

function turnOf(advances: Readonly<Record<Turn, number>>): Turn {
  const total = advances[0] + advances[90] + advances[180] + advances[270];
  const turns = [90, 180, 270] as const;
  return turns.find((turn) => advances[turn] > 0.8 * total) ?? 0;
}

/** PDFium writes a hyphen at a line's end, which it takes for a broken word, as U+0002 or U+FFFE. */
function printableText(unicode: number): string | null {
  if (unicode === 0x02 || unicode === 0xfffe || unicode === 0xad) return '-';
  if (unicode <= 0x20 || (unicode >= 0x7f && unicode <= 0xa0)) return null;
  if (unicode === 0xfeff || unicode === 0x3000 || (unicode >= 0x2000 && unicode <= 0x200f) || unicode === 0x202f)
    return null;
  if (unicode > 0x10ffff || unicode === 0xffff) return '\ufffd';
  // Ligatures and full-width forms are ways of writing, not other letters.
  if ((unicode >= 0xfb00 && unicode <= 0xfb06) || (unicode >= 0xff01 && unicode <= 0xff5e)) {
    return String.fromCodePoint(unicode).normalize('NFKC');
  }
  return String.fromCodePoint(unicode);
}

function characterAt(page: PdfPage, text: number, index: number, printable: string, style: TextStyle): Character {
  const { call, memory } = page.pdfium;
  const at = memory.scratch;
  // The loose box spans the font's ascent and descent, so that the words of a line are of one height.
  call.FPDFText_GetLooseCharBox(text, index, at);
  let box = displayBox(page, memory.float(at, 0), memory.float(at, 3), memory.float(at, 2), memory.float(at, 1));
  call.FPDFText_GetCharOrigin(text, index, at, at + 8);
  const origin = displayPoint(page, memory.double(at, 0), memory.double(at, 1));
  if (box.x1 - box.x0 <= 0 || box.y1 - box.y0 <= 0) {
    call.FPDFText_GetCharBox(text, index, at, at + 8, at + 16, at + 24);
    box = displayBox(page, memory.double(at, 0), memory.double(at, 2), memory.double(at, 1), memory.double(at, 3));
  }
  return { text: printable, box, origin, style };
}

function styleOf(page: PdfPage, text: number, index: number, object: number, objects: PageObjects): TextStyle {
  const { call } = page.pdfium;
  const mode = call.FPDFTextObj_GetTextRenderMode(object);
  const colour = fillColour(page, object);
  const fills = mode === 0 || mode === 2 || mode === 4 || mode === 6;
  const transparent = fills && colour !== null && colour.alpha === 0;
  return {
    visibility:
      mode === renderModeInvisible ? 'hidden' : mode === renderModeClip || transparent ? 'dropped' : 'visible',
    white: fills && mode !== 2 && colour !== null && isWhite(colour),
    bold: isBold(page, text, index),
    clip: objects.topLevelTexts.has(object) ? clipOf(page, object) : null,
  };
}

function isBold(page: PdfPage, text: number, index: number): boolean {
  const { call, memory } = page.pdfium;
  if (call.FPDFText_GetFontWeight(text, index) >= boldWeight) return true;
  const at = memory.scratch;
  const nameLimitBytes = 128;
  const sizeBytes = call.FPDFText_GetFontInfo(text, index, at + 8, nameLimitBytes, at);
  if ((memory.integer(at) & forceBoldFlag) !== 0) return true;
  if (sizeBytes <= 1 || sizeBytes > nameLimitBytes) return false;
  return boldName.test(Buffer.from(memory.view(at + 8, sizeBytes - 1)).toString('latin1'));
}

/** The box around an object's clip path, or null where it has none. Several paths clip to what they have in common. */
function clipOf(page: PdfPage, object: number): Box | null {
  const { call, memory } = page.pdfium;
  const path = call.FPDFPageObj_GetClipPath(object);
  const count = path === 0 ? 0 : call.FPDFClipPath_CountPaths(path);
  if (count <= 0) return null;
  let box: Box = { x0: -Infinity, y0: -Infinity, x1: Infinity, y1: Infinity };
  const at = memory.scratch;
  for (let index = 0; index < Math.min(count, 16); index++) {
    const segments = call.FPDFClipPath_CountPathSegments(path, index);
    if (segments <= 0 || segments > clipSegmentLimit) continue;
    const bounds = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
    for (let ordinal = 0; ordinal < segments; ordinal++) {
      const segment = call.FPDFClipPath_GetPathSegment(path, index, ordinal);
      if (!segment || !call.FPDFPathSegment_GetPoint(segment, at, at + 4)) continue;
      const point = displayPoint(page, memory.float(at, 0), memory.float(at, 1));
      bounds.x0 = Math.min(bounds.x0, point.x);
      bounds.y0 = Math.min(bounds.y0, point.y);
      bounds.x1 = Math.max(bounds.x1, point.x);
      bounds.y1 = Math.max(bounds.y1, point.y);
    }
    box = {
      x0: Math.max(box.x0, bounds.x0),
      y0: Math.max(box.y0, bounds.y0),
      x1: Math.min(box.x1, bounds.x1),
      y1: Math.min(box.y1, bounds.y1),
    };
  }
  return box;
}

/**
 * Whether a new word begins although no white space says so: the baseline jumps, the pen goes back or far ahead, or
 * visible ink follows invisible.
 */
function isBreak(previous: Character, next: Character): boolean {
  if (previous.style.visibility !== next.style.visibility) return true;
  const height = Math.max(previous.box.y1 - previous.box.y0, next.box.y1 - next.box.y0);
  const width = Math.max(previous.box.x1 - previous.box.x0, next.box.x1 - next.box.x0);
  const dx = next.origin.x - previous.origin.x;
  const dy = next.origin.y - previous.origin.y;
  // Text that runs up or down the page advances in y alone.
  if (Math.abs(dy) > Math.abs(dx) && Math.abs(dx) < 0.1 * width) return Math.abs(dy) > 2 * height;
  if (Math.abs(dy) > 0.45 * height) return true;
  // Text on its head advances to the left.
  const isOnItsHead = startsAtRight(previous) && startsAtRight(next);
  const gap = isOnItsHead ? previous.box.x0 - next.box.x1 : next.box.x0 - previous.box.x1;
  return gap > 0.6 * height || (isOnItsHead ? -dx : dx) < -0.5 * height;
}

/**
 * Whether PDFium takes a line to end here that no white space in the file ends. On a page with few lines it does so
 * between all text objects, and some writers begin a new one after every kerned letter.
 */
function isGeneratedLineEnd(call: PdfPage['pdfium']['call'], text: number, index: number): boolean {
  const unicode = call.FPDFText_GetUnicode(text, index);
  return (unicode === 13 || unicode === 10) && call.FPDFText_IsGenerated(text, index) === 1;
}

/** Whether a character stands where the pen was after the previous one, on the same baseline. */
function continues(previous: Character, next: Character): boolean {
  const height = previous.box.y1 - previous.box.y0;
  const isLevel = Math.abs(next.origin.y - previous.origin.y) < 0.05 * height;
  return isLevel && Math.abs(next.box.x0 - previous.box.x1) < 0.1 * height;
}

/** Whether a character begins at the right of its box, as one does that is turned by 180°. */
function startsAtRight({ box, origin }: Character): boolean {
  return origin.x > (box.x0 + box.x1) / 2;
}

function joinCharacters(characters: readonly Character[]): Word | null {
  let text = '';
  let { x0, y0, x1, y1 } = (characters[0] as Character).box;
  let bold = 0;
  for (const character of characters) {
    text += character.text;
    x0 = Math.min(x0, character.box.x0);
    y0 = Math.min(y0, character.box.y0);
    x1 = Math.max(x1, character.box.x1);
    y1 = Math.max(y1, character.box.y1);
    if (character.style.bold) bold++;
  }
  if (![x0, y0, x1, y1].every(Number.isFinite)) return null;
  return {
    text: text.toWellFormed().normalize('NFC'),
    box: { x0, y0, x1, y1 },
    source: 'text',
    confidence: 1,
    ...(bold * 2 > characters.length && { bold: true }),
  };
}

/** In points: a word that is neither as wide nor as high is no mark that anybody sees. */
const leastSeen = 0.2;

/** Whether a word has a size, lies on the page, within its clip path, and is not white on paper. */
function isSeen(box: Box, style: TextStyle, page: PdfPage, objects: PageObjects): boolean {
  if (box.x1 - box.x0 < leastSeen && box.y1 - box.y0 < leastSeen) return false;
  const x = (box.x0 + box.x1) / 2;
  const y = (box.y0 + box.y1) / 2;
  if (x < 0 || y < 0 || x > page.width || y > page.height) return false;
  if (style.clip && !contains(style.clip, x, y)) return false;
  return !style.white || objects.paintedAreas.some((area) => contains(area, x, y));
}

function contains(box: Box, x: number, y: number): boolean {
  return x >= box.x0 - 1 && x <= box.x1 + 1 && y >= box.y0 - 1 && y <= box.y1 + 1;
}
