import type { Box, JsonValue, Page, ReadDocument, Ruling, Word } from '@millrace/document-model';
import { type FontName, lineMetrics, textWidth } from './metrics.ts';

export interface TextStyle {
  readonly family?: 'sans' | 'serif' | 'mono';
  readonly sizePoints?: number;
  readonly bold?: boolean;
  readonly italic?: boolean;
  /** Red, green, blue, each 0 to 1. */
  readonly color?: Color;
  readonly align?: 'left' | 'right' | 'center';
}

export type Color = readonly [red: number, green: number, blue: number];

export const black: Color = [0, 0, 0];
export const white: Color = [1, 1, 1];
export const gray: Color = [0.42, 0.42, 0.45];

/** A text that may be the printed value of a field, or of a row's column (`#2.amount`). */
export interface Piece {
  readonly text: string;
  readonly field?: string;
}

/** Where a field's value was drawn; a value over two lines has two places. */
export interface Place {
  readonly page: number;
  readonly box: Box;
}

/** What a page shows, in the order of drawing. Coordinates in points from the top left. */
type Drawing =
  | {
      readonly kind: 'text';
      readonly x: number;
      readonly baseline: number;
      readonly text: string;
      readonly font: FontName;
      readonly sizePoints: number;
      readonly color: Color;
    }
  | {
      readonly kind: 'line';
      readonly x0: number;
      readonly y0: number;
      readonly x1: number;
      readonly y1: number;
      readonly widthPoints: number;
      readonly color: Color;
      readonly dashed: boolean;
    }
  | {
      readonly kind: 'area';
      readonly box: Box;
      readonly fill: Color | null;
      readonly border: Color | null;
      readonly widthPoints: number;
    }
  | {
      readonly kind: 'ellipse';
      readonly x: number;
      readonly y: number;
      readonly radiusX: number;
      readonly radiusY: number;
      readonly fill: Color | null;
      readonly border: Color | null;
      readonly widthPoints: number;
    }
  | {
      readonly kind: 'shape';
      readonly x: number;
      readonly y: number;
      readonly path: string;
      readonly scale: number;
      readonly fill: Color;
    };

export interface DrawnPage {
  readonly width: number;
  readonly height: number;
  readonly drawings: Drawing[];
  readonly words: Word[];
  readonly rulings: Ruling[];
}

const fontFor: Record<NonNullable<TextStyle['family']>, readonly [FontName, FontName, FontName, FontName]> = {
  sans: ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique'],
  serif: ['Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic'],
  mono: ['Courier', 'Courier-Bold', 'Courier-Oblique', 'Courier-BoldOblique'],
};

function fontOf(style: TextStyle): FontName {
  return fontFor[style.family ?? 'sans'][(style.bold ? 1 : 0) + (style.italic ? 2 : 0)]!;
}

/** A document as it is drawn: its pages, the words on them and where each field's value stands. */
export class Sheet {
  readonly pages: DrawnPage[] = [];
  readonly places = new Map<string, Place[]>();
  /** The style that texts have where they do not say otherwise. */
  readonly base: TextStyle;

  constructor(width: number, height: number, base: TextStyle = {}) {
    this.base = base;
    this.addPage(width, height);
  }

  get page(): DrawnPage {
    return this.pages[this.current]!;
  }

  private current = -1;

  get width(): number {
    return this.page.width;
  }

  get height(): number {
    return this.page.height;
  }

  addPage(width = this.page.width, height = this.page.height): void {
    this.pages.push({ width, height, drawings: [], words: [], rulings: [] });
    this.current = this.pages.length - 1;
  }

  /** Draws on every page there is, such as its number. */
  eachPage(draw: (number: number, count: number) => void): void {
    this.pages.forEach((_, index) => {
      this.current = index;
      draw(index + 1, this.pages.length);
    });
  }

  measure(text: string, style: TextStyle = {}): number {
    const merged = { ...this.base, ...style };
    return textWidth(text, fontOf(merged), merged.sizePoints ?? 10);
  }

  /** Draws one line of text and returns where it ends. `x` is its left, right or middle, as it is aligned. */
  text(x: number, baseline: number, piece: string | Piece, style: TextStyle = {}): number {
    const { text, field } = typeof piece === 'string' ? { text: piece, field: undefined } : piece;
    const merged = { ...this.base, ...style };
    const font = fontOf(merged);
    const sizePoints = merged.sizePoints ?? 10;
    const width = textWidth(text, font, sizePoints);
    const left = merged.align === 'right' ? x - width : merged.align === 'center' ? x - width / 2 : x;
    // A caption that is left out leaves no colon.
    if (text.trim() === '' || text === ':') return left + width;
    this.page.drawings.push({ kind: 'text', x: left, baseline, text, font, sizePoints, color: merged.color ?? black });
    const { ascent, descent } = lineMetrics(font, sizePoints);
    for (const match of text.matchAll(/\S+/g)) {
      const x0 = left + textWidth(text.slice(0, match.index), font, sizePoints);
      const x1 = x0 + textWidth(match[0], font, sizePoints);
      const word: Word = {
        text: match[0],
        box: { x0, y0: baseline - ascent, x1, y1: baseline + descent },
        source: 'text',
        confidence: 1,
        ...(merged.bold && { bold: true }),
      };
      // A reader sees no border between pieces that no blank parts.
      const last = this.page.words.at(-1);
      if (
        last &&
        Math.abs(last.box.x1 - x0) < 0.01 &&
        Math.abs(last.box.y1 - word.box.y1) < 0.01 &&
        match.index === 0
      ) {
        this.page.words[this.page.words.length - 1] = {
          ...last,
          text: last.text + word.text,
          box: { ...last.box, x1 },
        };
      } else this.page.words.push(word);
    }
    if (field !== undefined) {
      this.mark(field, { x0: left, y0: baseline - ascent, x1: left + width, y1: baseline + descent });
    }
    return left + width;
  }

  /** Draws several pieces one after the other on one line. */
  pieces(x: number, baseline: number, pieces: readonly (string | Piece)[], style: TextStyle = {}): number {
    const width = pieces.reduce(
      (sum, piece) => sum + this.measure(typeof piece === 'string' ? piece : piece.text, style),
      0,
    );
    let left = style.align === 'right' ? x - width : style.align === 'center' ? x - width / 2 : x;
    for (const piece of pieces) left = this.text(left, baseline, piece, { ...style, align: 'left' });
    return left;
  }

  /** Says that a field's value stands in a box of the present page. */
  mark(field: string, box: Box): void {
    const places = this.places.get(field) ?? [];
    places.push({ page: this.current + 1, box });
    this.places.set(field, places);
  }

  /** Breaks a text into lines no wider than `width`. */
  wrap(text: string, width: number, style: TextStyle = {}): string[] {
    const lines: string[] = [];
    for (const paragraph of text.split('\n')) {
      let line = '';
      for (const word of paragraph.split(' ')) {
        const longer = line === '' ? word : `${line} ${word}`;
        if (line !== '' && this.measure(longer, style) > width) {
          lines.push(line);
          line = word;
        } else line = longer;
      }
      lines.push(line);
    }
    return lines;
  }

  /** Draws a text over as many lines as it needs and returns the baseline after the last. */
  paragraph(
    x: number,
    baseline: number,
    width: number,
    text: string | Piece,
    style: TextStyle & { readonly leading?: number } = {},
  ): number {
    const piece = typeof text === 'string' ? { text } : text;
    const sizePoints = style.sizePoints ?? this.base.sizePoints ?? 10;
    const step = sizePoints * (style.leading ?? 1.35);
    for (const line of this.wrap(piece.text, width, style)) {
      this.text(
        style.align === 'right' ? x + width : style.align === 'center' ? x + width / 2 : x,
        baseline,
        { ...piece, text: line },
        style,
      );
      baseline += step;
    }
    return baseline;
  }

  line(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    options: { readonly widthPoints?: number; readonly color?: Color; readonly dashed?: boolean } = {},
  ): void {
    const { widthPoints = 0.6, color = black, dashed = false } = options;
    this.page.drawings.push({ kind: 'line', x0, y0, x1, y1, widthPoints, color, dashed });
    this.page.rulings.push(rulingOf(x0, y0, x1, y1, widthPoints));
  }

  /** A rectangle, its border drawn as four rulings. */
  area(box: Box, options: { readonly fill?: Color; readonly border?: Color; readonly widthPoints?: number }): void {
    const { fill = null, border = null, widthPoints = 0.6 } = options;
    this.page.drawings.push({ kind: 'area', box, fill, border, widthPoints });
    if (!border) {
      const [width, height] = [box.x1 - box.x0, box.y1 - box.y0];
      if (fill && height <= 3 && width > 8) this.page.rulings.push({ direction: 'horizontal', box });
      else if (fill && width <= 3 && height > 8) this.page.rulings.push({ direction: 'vertical', box });
      return;
    }
    const { x0, y0, x1, y1 } = box;
    this.page.rulings.push(
      rulingOf(x0, y0, x1, y0, widthPoints),
      rulingOf(x0, y1, x1, y1, widthPoints),
      rulingOf(x0, y0, x0, y1, widthPoints),
      rulingOf(x1, y0, x1, y1, widthPoints),
    );
  }

  ellipse(
    x: number,
    y: number,
    radiusX: number,
    radiusY: number,
    options: { readonly fill?: Color; readonly border?: Color; readonly widthPoints?: number },
  ): void {
    const { fill = null, border = null, widthPoints = 0.6 } = options;
    this.page.drawings.push({ kind: 'ellipse', x, y, radiusX, radiusY, fill, border, widthPoints });
  }

  /** A filled SVG path, its origin at (x, y). */
  shape(x: number, y: number, path: string, fill: Color, scale = 1): void {
    this.page.drawings.push({ kind: 'shape', x, y, path, scale, fill });
  }

  /** The document as the engine's reader would return it. */
  toDocument(): ReadDocument {
    const pages = this.pages.map(
      ({ width, height, words, rulings }, index): Page => ({
        number: index + 1,
        width,
        height,
        unit: 'point',
        words,
        readings: [{ source: 'text', words }],
        rulings,
        turnedDegrees: 0,
      }),
    );
    return { mediaType: 'application/pdf', pages, attachments: [] };
  }
}

function rulingOf(x0: number, y0: number, x1: number, y1: number, widthPoints: number): Ruling {
  const horizontal = Math.abs(x1 - x0) >= Math.abs(y1 - y0);
  const half = widthPoints / 2;
  const box = {
    x0: Math.min(x0, x1) - (horizontal ? 0 : half),
    y0: Math.min(y0, y1) - (horizontal ? half : 0),
    x1: Math.max(x0, x1) + (horizontal ? 0 : half),
    y1: Math.max(y0, y1) + (horizontal ? half : 0),
  };
  return { direction: horizontal ? 'horizontal' : 'vertical', box };
}

/** A value of a document, as the API returns it and as it is printed. */
export interface Fact {
  readonly value: JsonValue;
  readonly text: string;
}
