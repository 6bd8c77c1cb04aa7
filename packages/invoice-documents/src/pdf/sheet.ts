import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';

/** Lengths are in points (1/72 inch), from the top left of the page. */
export const page = { width: 595.28, height: 841.89, left: 70.87, right: 538.59, top: 74, bottom: 752 };

const colors = { ink: '#16191d', grey: '#5f6772', rule: '#d9dde3' };

type Weight = 'regular' | 'medium' | 'semibold';

export interface Style {
  readonly weight: Weight;
  readonly size: number;
  readonly color: string;
}

export const styles = {
  title: { weight: 'semibold', size: 22, color: colors.ink },
  summary: { weight: 'medium', size: 11, color: colors.ink },
  letterhead: { weight: 'semibold', size: 16, color: colors.ink },
  address: { weight: 'regular', size: 10, color: colors.ink },
  strong: { weight: 'semibold', size: 9, color: colors.ink },
  body: { weight: 'regular', size: 9, color: colors.ink },
  label: { weight: 'regular', size: 8.5, color: colors.grey },
  value: { weight: 'regular', size: 8.5, color: colors.ink },
  small: { weight: 'regular', size: 8, color: colors.grey },
  tiny: { weight: 'regular', size: 6.8, color: colors.grey },
  head: { weight: 'medium', size: 7.8, color: colors.grey },
  due: { weight: 'semibold', size: 11, color: colors.ink },
} as const satisfies Record<string, Style>;

/** Distance of two baselines, as a multiple of the size. */
const leading = 1.36;

const require = createRequire(import.meta.url);
const fontFiles: Readonly<Record<Weight, string>> = {
  regular: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  medium: require.resolve('@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf'),
  semibold: require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
};

/** fontkit's font, as far as it is used here: pdfkit parses files into such objects, and accepts them as well. */
interface ParsedFont {
  layout(text: string, features?: Readonly<Record<string, boolean>>): object;
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/** Without Inter's contextual forms, which cost most of the time of setting a line. */
const proportional = { calt: false };
/** Figures of one width, so that they align in columns. */
const tabular = { ...proportional, tnum: true };
const figures = /^[^\p{L}-]*\d[^\p{L}-]*$/u;

/** Parsed once per process: the tables of one weight take longer to read than a page takes to set. */
const parsedFonts = new Map<Weight, ParsedFont>();

function parsedFont(weight: Weight): ParsedFont {
  const known = parsedFonts.get(weight);
  if (known) return known;
  const pdf = new PDFDocument({ font: fontFiles[weight] });
  const { font } = (pdf as unknown as { readonly _font: { readonly font: ParsedFont } })._font;
  const layout = (text: string) => font.layout(text, figures.test(text) ? tabular : proportional);
  const parsed = Object.create(font, { layout: { value: layout } });
  parsedFonts.set(weight, parsed);
  return parsed;
}

export interface SheetOptions {
  readonly title: string;
  readonly language: string;
  readonly createdAt: Date;
}

/** Pages of A4 that text is set on, line by line, each at its own place. */
export class Sheet {
  readonly pdf: PDFKit.PDFDocument;
  readonly #known = new Map<number, boolean>();

  constructor({ title, language, createdAt }: SheetOptions) {
    this.pdf = new PDFDocument({
      size: 'A4',
      margin: 0,
      pdfVersion: '1.7',
      subset: 'PDF/A-3b',
      lang: language,
      displayTitle: true,
      bufferPages: true,
      // pdfkit writes these into XML without escaping them.
      info: { Title: printable(title).replaceAll(/[<>&]/g, ''), Creator: 'Millrace', CreationDate: createdAt },
      // Otherwise pdfkit begins with Helvetica, which it doesn't embed.
      font: '',
    });
    for (const weight of ['regular', 'medium', 'semibold'] as const) {
      this.pdf.registerFont(weight, parsedFont(weight) as unknown as string);
    }
  }

  /** Text that can be set: one line, a box for each character that the typeface lacks (PDF/A forbids missing glyphs). */
  clean(text: string): string {
    return [...printable(text)].map((character) => (this.#hasGlyph(character) ? character : '□')).join('');
  }

  #hasGlyph(character: string): boolean {
    const codePoint = character.codePointAt(0)!;
    const known = this.#known.get(codePoint) ?? parsedFont('regular').hasGlyphForCodePoint(codePoint);
    this.#known.set(codePoint, known);
    return known;
  }

  width(text: string, style: Style): number {
    return this.pdf.font(style.weight).fontSize(style.size).widthOfString(text);
  }

  /**
   * Breaks a text into lines that fit, between words or, in a word that is longer than a line, between characters.
   *
   * @returns no line for an empty text
   */
  wrap(text: string, style: Style, width: number): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of this.clean(text).split(' ')) {
      const extended = line === '' ? word : `${line} ${word}`;
      if (this.width(extended, style) <= width) {
        line = extended;
        continue;
      }
      if (line !== '') lines.push(line);
      line = word;
      while (this.width(line, style) > width) {
        const fitting = this.#fittingLength(line, style, width);
        lines.push(line.slice(0, fitting));
        line = line.slice(fitting);
      }
    }
    return line === '' ? lines : [...lines, line];
  }

  /** UTF-16 length of the longest beginning that fits, at least one character; never half of a surrogate pair. */
  #fittingLength(word: string, style: Style, width: number): number {
    let length = 0;
    for (const character of word) {
      const next = length + character.length;
      if (length > 0 && this.width(word.slice(0, next), style) > width) break;
      length = next;
    }
    return length;
  }

  /** Sets one line with its baseline at `y`. */
  text(text: string, x: number, y: number, style: Style): void {
    this.pdf.font(style.weight).fontSize(style.size).fillColor(style.color);
    this.pdf.text(text, x, y, { lineBreak: false, baseline: 'alphabetic' });
  }

  textRight(text: string, right: number, y: number, style: Style): void {
    this.text(text, right - this.width(text, style), y, style);
  }

  /** Sets lines below each other, the first at baseline `y`. @returns the baseline behind the last */
  lines(lines: readonly string[], x: number, y: number, style: Style): number {
    for (const line of lines) {
      this.text(line, x, y, style);
      y += heightOf(style);
    }
    return y;
  }

  /** The style, smaller where the text needs it to fit, down to `smallest` points. */
  fitted(text: string, style: Style, width: number, smallest = 6): Style {
    const natural = this.width(text, style);
    return natural <= width ? style : { ...style, size: Math.max(smallest, (style.size * width) / natural) };
  }

  rule(y: number, options: { readonly from?: number; readonly color?: string; readonly width?: number } = {}): void {
    const { from = page.left, color = colors.rule, width = 0.6 } = options;
    this.pdf.moveTo(from, y).lineTo(page.right, y).lineWidth(width).strokeColor(color).stroke();
  }
}

export function heightOf(style: Style): number {
  return style.size * leading;
}

/** White space as single spaces, without control and format characters. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .trim();
}
