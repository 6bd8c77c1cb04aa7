import type { DocType, ValueKind } from '@millrace/document-model';

/** A field that a document type may have. */
export interface FieldDefinition {
  readonly name: string;
  readonly kind: ValueKind;
  /** What the API's reference says of it. */
  readonly description: string;
  /**
   * Captions that are printed beside or above the value, lower case, accents kept, without a trailing colon, in any of
   * the languages that the engine reads. The most usual first.
   */
  readonly captions: readonly string[];
  /** The answer is an array of such values. */
  readonly repeated?: boolean;
  /**
   * The field is not proposed by recognisers and scored, but made by code of its own: `general`'s key-value pairs,
   * a tax form's boxes, a resume's sections, the zone of an MRZ.
   */
  readonly composed?: boolean;
}

/** A column of a type's line items. */
export interface ColumnDefinition {
  readonly name: string;
  readonly kind: ValueKind;
  readonly description: string;
  /** Column headings, as `captions` of a field. */
  readonly captions: readonly string[];
}

export interface DocumentType {
  readonly name: DocType;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly FieldDefinition[];
  /** Where the rows go: the answer's `lines`, `fields.items`, or nowhere. */
  readonly rows: 'lines' | 'items' | 'none';
  readonly columns: readonly ColumnDefinition[];
  /** Words and phrases that speak for this type, lower case, with a weight (1 is usual, 3 is a title such as "invoice"). */
  readonly evidence: readonly (readonly [phrase: string, weight: number])[];
}
