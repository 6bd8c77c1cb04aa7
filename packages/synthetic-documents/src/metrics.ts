import { PDFDocument, type PDFFont, type StandardFonts } from '@cantoo/pdf-lib';

/** The standard fonts that every PDF reader has. */
export type FontName =
  | `${StandardFonts.Helvetica}`
  | `${StandardFonts.HelveticaBold}`
  | `${StandardFonts.HelveticaOblique}`
  | `${StandardFonts.HelveticaBoldOblique}`
  | `${StandardFonts.TimesRoman}`
  | `${StandardFonts.TimesRomanBold}`
  | `${StandardFonts.TimesRomanItalic}`
  | `${StandardFonts.TimesRomanBoldItalic}`
  | `${StandardFonts.Courier}`
  | `${StandardFonts.CourierBold}`
  | `${StandardFonts.CourierOblique}`
  | `${StandardFonts.CourierBoldOblique}`;

const measuring = await PDFDocument.create();
const fonts = new Map<FontName, { readonly font: PDFFont; readonly widths: Map<string, number> }>();

/** Width of a text in points. Letters stand side by side: PDF viewers apply no kerning to the standard fonts. */
export function textWidth(text: string, name: FontName, sizePoints: number): number {
  let entry = fonts.get(name);
  if (!entry) {
    entry = { font: measuring.embedStandardFont(name as StandardFonts), widths: new Map() };
    fonts.set(name, entry);
  }
  let width = 0;
  for (const character of text) {
    let single = entry.widths.get(character);
    if (single === undefined) {
      single = entry.font.widthOfTextAtSize(character, 1);
      entry.widths.set(character, single);
    }
    width += single;
  }
  return width * sizePoints;
}

/**
 * What a line of text takes above and below its baseline, in points: the ascent and descent by which PDFium boxes the
 * characters of its own cuts of the standard fonts.
 */
export function lineMetrics(name: FontName, sizePoints: number): { ascent: number; descent: number } {
  const [ascent, descent] = name.startsWith('Helvetica')
    ? [0.945, 0.224]
    : name.startsWith('Times')
      ? [0.878, 0.249]
      : [0.803, 0.248];
  return { ascent: ascent * sizePoints, descent: descent * sizePoints };
}
