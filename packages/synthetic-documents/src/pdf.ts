import { LineCapStyle, PDFDocument, type PDFFont, rgb, type StandardFonts } from '@cantoo/pdf-lib';
import type { GeneratedDocument } from './generated.ts';
import type { FontName } from './metrics.ts';
import type { Color, DrawnPage } from './sheet.ts';

const colorOf = ([red, green, blue]: Color) => rgb(red, green, blue);

/** Writes drawn pages as a PDF with a text layer. The same pages give the same bytes. */
async function writePdf(pages: readonly DrawnPage[], title: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const fixedDate = new Date(Date.UTC(2026, 0, 1));
  document.setTitle(title);
  document.setProducer('Millrace');
  document.setCreator('Millrace');
  document.setCreationDate(fixedDate);
  document.setModificationDate(fixedDate);
  const fonts = new Map<FontName, PDFFont>();
  const fontNamed = (name: FontName) => {
    let font = fonts.get(name);
    if (!font) {
      font = document.embedStandardFont(name as StandardFonts);
      fonts.set(name, font);
    }
    return font;
  };
  for (const drawn of pages) {
    const page = document.addPage([drawn.width, drawn.height]);
    const { height } = drawn;
    for (const drawing of drawn.drawings) {
      switch (drawing.kind) {
        case 'text':
          page.drawText(drawing.text, {
            x: drawing.x,
            y: height - drawing.baseline,
            size: drawing.sizePoints,
            font: fontNamed(drawing.font),
            color: colorOf(drawing.color),
          });
          break;
        case 'line':
          page.drawLine({
            start: { x: drawing.x0, y: height - drawing.y0 },
            end: { x: drawing.x1, y: height - drawing.y1 },
            thickness: drawing.widthPoints,
            color: colorOf(drawing.color),
            lineCap: LineCapStyle.Butt,
            ...(drawing.dashed && { dashArray: [2, 2] }),
          });
          break;
        case 'area': {
          const { x0, y0, x1, y1 } = drawing.box;
          page.drawRectangle({
            x: x0,
            y: height - y1,
            width: x1 - x0,
            height: y1 - y0,
            ...(drawing.fill && { color: colorOf(drawing.fill) }),
            ...(drawing.border && { borderColor: colorOf(drawing.border), borderWidth: drawing.widthPoints }),
          });
          break;
        }
        case 'ellipse':
          page.drawEllipse({
            x: drawing.x,
            y: height - drawing.y,
            xScale: drawing.radiusX,
            yScale: drawing.radiusY,
            ...(drawing.fill && { color: colorOf(drawing.fill) }),
            ...(drawing.border && { borderColor: colorOf(drawing.border), borderWidth: drawing.widthPoints }),
          });
          break;
        case 'shape':
          page.drawSvgPath(drawing.path, {
            x: drawing.x,
            y: height - drawing.y,
            scale: drawing.scale,
            color: colorOf(drawing.fill),
          });
          break;
      }
    }
  }
  return document.save({ useObjectStreams: false });
}

/** Writes a generated document as a PDF with a text layer. */
export function pdfOf(generated: GeneratedDocument): Promise<Uint8Array> {
  return writePdf(generated.pages, generated.truth.docType.replaceAll('_', ' '));
}
