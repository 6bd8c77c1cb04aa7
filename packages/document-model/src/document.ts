/**
 * The values that travel through the engine. Every stage takes one of these and returns a new one; none is changed in
 * place. Coordinates run from the top left of the page as it is displayed (its rotation applied): PDF pages in points
 * (1/72 inch), images in pixels of the picture after its EXIF turn.
 */

export type MediaType = 'application/pdf' | 'image/png' | 'image/jpeg' | 'image/tiff';

/** A rectangle on a page, `x0 <= x1` and `y0 <= y1`, from the top left, in page units. */
export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/**
 * Where a word was read: the PDF's text layer, a form field's value, or an OCR pass (engine and ordinal of the pass),
 * such as `ocr:ppocr:1` or `ocr:tesseract:2`.
 */
export type WordSource = 'text' | 'widget' | `ocr:${string}:${number}`;

/** One word as read, without white space in it. */
export interface Word {
  readonly text: string;
  readonly box: Box;
  readonly source: WordSource;
  /** How sure the reader is of the text, 0 to 1. A text layer says 1. */
  readonly confidence: number;
  /** The same of its least sure character, where the reader gives it. */
  readonly leastConfidence?: number;
  /** Present for text layers that say so. */
  readonly bold?: boolean;
}

/** A straight horizontal or vertical ruling of a page (a table line), thinner than it is long. */
export interface Ruling {
  readonly direction: 'horizontal' | 'vertical';
  readonly box: Box;
}

/** What one pass over a page read. */
export interface Reading {
  readonly source: WordSource;
  /** In no promised order: the layout stage decides the reading order. */
  readonly words: readonly Word[];
}

/**
 * How a picture's lines were levelled: slopes are rises of `y` per `x`, downwards positive. `slope` is the whole page's,
 * `slopes` those of bands of equal height from the top, because paper curls.
 */
export interface Straightening {
  readonly slope: number;
  readonly slopes: readonly number[];
}

export interface Page {
  /** From 1. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly unit: 'point' | 'pixel';
  /** The reading that the later stages use. */
  readonly words: readonly Word[];
  /** Every reading so far, the used one among them; more than one once a doubtful page was read again. */
  readonly readings: readonly Reading[];
  readonly rulings: readonly Ruling[];
  /** Clockwise turn in degrees that was applied to make the text upright, beyond what the file itself states. */
  readonly turnedDegrees: 0 | 90 | 180 | 270;
  /** Present where words were moved to level their lines; `boxOnPicture` of `read/ocr/straighten.ts` undoes it. */
  readonly straightening?: Straightening;
}

/** A file carried inside a PDF. */
export interface Attachment {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A document with its words. */
export interface ReadDocument {
  readonly mediaType: MediaType;
  readonly pages: readonly Page[];
  readonly attachments: readonly Attachment[];
}

/** A line of text as a person reads it: words of one baseline that belong together, in reading order. */
export interface TextLine {
  readonly page: number;
  readonly words: readonly Word[];
  readonly text: string;
  readonly box: Box;
}

/** Lines that stand together: a paragraph, an address, a column's cell. */
export interface Block {
  readonly page: number;
  readonly lines: readonly TextLine[];
  readonly box: Box;
}

/** A cell of a table; empty where `words` is empty. */
export interface TableCell {
  readonly column: number;
  readonly words: readonly Word[];
  readonly text: string;
  readonly box: Box;
}

export interface TableRow {
  readonly page: number;
  readonly cells: readonly TableCell[];
  readonly box: Box;
}

/** A region of aligned rows; a table that goes on over a page break is one table. */
export interface Table {
  readonly header: TableRow | null;
  readonly rows: readonly TableRow[];
  readonly columnCount: number;
}

/** The document in reading order. */
export interface Layout {
  readonly document: ReadDocument;
  readonly lines: readonly TextLine[];
  readonly blocks: readonly Block[];
  readonly tables: readonly Table[];
}

/** What a document's own evidence says of how its numbers and dates are written; decided once per document. */
export interface Locale {
  /** ISO 639-1 code of the main language. */
  readonly language: string;
  readonly decimalSeparator: '.' | ',';
  readonly dateOrder: 'dmy' | 'mdy' | 'ymd';
  /** ISO 4217 code, or null where the document names none. */
  readonly currency: string | null;
  /** ISO 3166-1 alpha-2 code, or null if the document doesn't show one. */
  readonly country: string | null;
}

/** The 21 document types, as the API names them. */
export const docTypes = [
  'general',
  'invoice',
  'credit_note',
  'receipt',
  'bank_statement',
  'medical_report',
  'purchase_order',
  'quote',
  'delivery_note',
  'bill_of_lading',
  'utility_bill',
  'payslip',
  'tax_form',
  'check',
  'passport',
  'id_card',
  'driver_license',
  'insurance_card',
  'contract',
  'business_card',
  'resume',
] as const;

export type DocType = (typeof docTypes)[number];

/** What a document is read as if nobody said what it is. */
export const defaultDocType = 'general' satisfies DocType;

/** Whether a document type's name is that of a built-in type, and not of an account's own. */
export function isDocType(name: string): name is DocType {
  return (docTypes as readonly string[]).includes(name);
}

/**
 * What a value is, which decides which recognisers propose it and how it is written in the answer: dates as
 * `YYYY-MM-DD`, times as `HH:MM` or `HH:MM:SS`, amounts, numbers and percents as JSON numbers, currencies as ISO 4217,
 * countries as ISO 3166-1 alpha-2, everything else as the text, white space folded.
 */
export const valueKinds = [
  'date',
  'time',
  'amount',
  'number',
  'percent',
  'year',
  'currency',
  'country',
  'language',
  'identifier',
  'name',
  'organization',
  'address',
  'email',
  'phone',
  'website',
  'iban',
  'bic',
  'tax_id',
  'sex',
  'mrz',
  'text',
] as const;

export type ValueKind = (typeof valueKinds)[number];

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Where a value was found. A value over two lines has two. */
export interface Provenance {
  readonly page: number;
  readonly box: Box;
  /** As read, before it was normalised. */
  readonly text: string;
  /** A word source, or the embedded e-invoice. */
  readonly source: WordSource | 'embedded';
}

/** A stretch of words that may be the value of some field of its kind. */
export interface Candidate {
  readonly kind: ValueKind;
  readonly value: JsonValue;
  readonly words: readonly Word[];
  readonly page: number;
  readonly box: Box;
  readonly text: string;
  /** How well formed the value is in itself, 0 to 1: a check digit that holds, a currency sign, a full year. */
  readonly quality: number;
}

/** Why a value's confidence stands where it does; part of the answer's provenance. */
export type ValueFlag =
  | 'arithmetic_holds'
  | 'arithmetic_fails'
  | 'check_digit_holds'
  | 'check_digit_fails'
  | 'corrected'
  | 'readings_agree'
  | 'readings_differ'
  | 'embedded'
  | 'printed_value_differs'
  | 'ambiguous_date'
  | 'captioned'
  | 'captions_differ'
  | 'not_in_document'
  | 'by_person'
  | 'taught'
  | 'unlike_sender';

export interface ExtractedValue {
  readonly value: JsonValue;
  /** 0 to 100, calibrated: of the values given 90 or more, 98 in 100 are right. */
  readonly confidence: number;
  readonly provenance: readonly Provenance[];
  readonly flags: readonly ValueFlag[];
}

export type ExtractedFields = Readonly<Record<string, ExtractedValue>>;

/** One line item: column name to value. */
export type ExtractedRow = Readonly<Record<string, ExtractedValue>>;

export interface Classification {
  /** Name of a built-in type, or of one of the account's own. */
  readonly docType: string;
  /** 0 to 100. */
  readonly confidence: number;
}

/** What the engine found in a document. */
export interface Extraction {
  /** Name of a built-in type, or of one of the account's own. */
  readonly docType: string;
  readonly classification: Classification;
  readonly locale: Locale;
  readonly fields: ExtractedFields;
  /** Rows of the types that have them at top level; other types' rows stand in `fields.items`. */
  readonly lines: readonly ExtractedRow[];
  /** The rows that stand in `fields.items`, each cell with its own place; present for the types that have them. */
  readonly items?: readonly ExtractedRow[];
  readonly pages: readonly {
    readonly number: number;
    readonly width: number;
    readonly height: number;
    readonly unit: Page['unit'];
  }[];
  /** The known sender that the document is of; absent where it is of none. */
  readonly sender?: { readonly id: string; readonly name: string; readonly certain: boolean };
  /** Every pass and layer that was used, for the log. */
  readonly sources: readonly (WordSource | 'embedded')[];
}
