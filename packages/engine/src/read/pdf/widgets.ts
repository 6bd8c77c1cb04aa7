import type { Box, Word } from '@millrace/document-model';
import { displayBox, type PdfDocument, type PdfPage } from './document.ts';
import { readUtf16 } from './pdfium.ts';

/** FPDF_ANNOT_WIDGET and FPDF_ANNOT_FREETEXT. */
const widgetSubtype = 20;
const freeTextSubtype = 3;
/** FPDF_ANNOT_FLAG_HIDDEN and FPDF_ANNOT_FLAG_NOVIEW. */
const unseenFlags = 0x02 | 0x20;

const checkBox = 2;
const radioButton = 3;
const comboBox = 4;
const listBox = 5;
const textField = 6;

const annotationLimit = 5_000;

/** A PDF's form environment, without which a field's value cannot be asked for. */
export interface PdfForm {
  readonly handle: number;
  close(): void;
}

/** Opens a document's form, or null where it has none. The caller closes it before the document. */
export function openForm(document: PdfDocument): PdfForm | null {
  const { call } = document.pdfium;
  if (call.FPDF_GetFormType(document.handle) === 0) return null;
  const information = call.PDFiumExt_OpenFormFillInfo();
  const handle = call.PDFiumExt_InitFormFillEnvironment(document.handle, information);
  const closeInformation = () => call.PDFiumExt_CloseFormFillInfo(information);
  if (handle === 0) {
    closeInformation();
    return null;
  }
  return {
    handle,
    close: () => {
      call.PDFiumExt_ExitFormFillEnvironment(handle);
      closeInformation();
    },
  };
}

/**
 * Reads what is filled into a page: the values of form fields, which the text layer lacks, and text typed onto the
 * page as an annotation. A box or button that is ticked reads as `X`.
 */
export function readWidgets(page: PdfPage, form: PdfForm | null): readonly Word[] {
  const { call } = page.pdfium;
  const count = Math.min(call.FPDFPage_GetAnnotCount(page.handle), annotationLimit);
  if (count <= 0) return [];
  // Without this the form does not know which of the page's boxes are ticked.
  if (form) call.FORM_OnAfterLoadPage(page.handle, form.handle);
  try {
    return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
      const annotation = call.FPDFPage_GetAnnot(page.handle, index);
      if (annotation === 0) return [];
      try {
        return wordsOfAnnotation(page, form, annotation);
      } finally {
        call.FPDFPage_CloseAnnot(annotation);
      }
    });
  } finally {
    if (form) call.FORM_OnBeforeClosePage(page.handle, form.handle);
  }
}

function wordsOfAnnotation(page: PdfPage, form: PdfForm | null, annotation: number): readonly Word[] {
  const { call, memory } = page.pdfium;
  if ((call.FPDFAnnot_GetFlags(annotation) & unseenFlags) !== 0) return [];
  const text = annotationText(page, form, annotation);
  if (text === '') return [];
  // FS_RECTF: left, top, right, bottom.
  const at = memory.scratch;
  if (!call.FPDFAnnot_GetRect(annotation, at)) return [];
  const box = displayBox(page, memory.float(at, 0), memory.float(at, 3), memory.float(at, 2), memory.float(at, 1));
  if (box.x1 < 0 || box.y1 < 0 || box.x0 > page.width || box.y0 > page.height) return [];
  return wordsIn(box, text);
}

function annotationText(page: PdfPage, form: PdfForm | null, annotation: number): string {
  const { call } = page.pdfium;
  const subtype = call.FPDFAnnot_GetSubtype(annotation);
  if (subtype === freeTextSubtype) return contentsOf(page, annotation);
  if (subtype !== widgetSubtype || !form) return '';
  switch (call.FPDFAnnot_GetFormFieldType(form.handle, annotation)) {
    case textField:
    case comboBox:
    case listBox:
      return readUtf16(page.pdfium, (pointer, sizeBytes) =>
        call.FPDFAnnot_GetFormFieldValue(form.handle, annotation, pointer, sizeBytes),
      );
    case checkBox:
    case radioButton:
      return call.FPDFAnnot_IsChecked(form.handle, annotation) ? 'X' : '';
    default:
      return '';
  }
}

function contentsOf(page: PdfPage, annotation: number): string {
  const { call, memory } = page.pdfium;
  const key = memory.allocate(16);
  try {
    memory.write(key, Buffer.from('Contents\0'));
    return readUtf16(page.pdfium, (pointer, sizeBytes) =>
      call.FPDFAnnot_GetStringValue(annotation, key, pointer, sizeBytes),
    );
  } finally {
    memory.free(key);
  }
}

/** Points. The size of type that forms use where a field is higher than a line. */
const usualLineHeight = 12;
/** A character's usual width as a share of its height. */
const characterAspect = 0.5;

/** Lays a value out over its field's box: lines from the top, characters of one width from the left. */
function wordsIn(box: Box, value: string): Word[] {
  const lines = value.split(/[\r\n\u2028\u2029]+/).filter((line) => line.trim() !== '');
  const height = box.y1 - box.y0;
  const lineHeight = lines.length > 1 ? Math.min(height / lines.length, usualLineHeight) : height;
  return lines.flatMap((line, row) => {
    const wanted = Math.min(lineHeight, usualLineHeight) * characterAspect;
    const width = Math.min(wanted, (box.x1 - box.x0) / line.length);
    const y0 = box.y0 + row * lineHeight;
    return [...line.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      box: {
        x0: box.x0 + match.index * width,
        y0,
        x1: box.x0 + (match.index + match[0].length) * width,
        y1: y0 + lineHeight,
      },
      source: 'widget' as const,
      confidence: 1,
    }));
  });
}
