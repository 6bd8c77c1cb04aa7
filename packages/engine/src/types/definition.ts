import type { ValueKind } from '@millrace/document-model';

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
  /** Words that speak for the field where no caption does, such as those of its description. */
  readonly weakCaptions?: readonly string[];
  /** Values as documents show them; of an account's own type. */
  readonly examples?: readonly string[];
  /** The answer is an array of such values. */
  readonly repeated?: boolean;
  /**
   * The field is not proposed by recognisers and scored, but made by code of its own: `general`'s key-value pairs,
   * a tax form's boxes, a resume's sections, the zone of an MRZ.
   */
  readonly composed?: boolean;
  /** Nobody who reads the document is asked for it: the words say it better. */
  readonly isUnasked?: boolean;
}

/** A column of a type's line items. */
export interface ColumnDefinition {
  readonly name: string;
  readonly kind: ValueKind;
  readonly description: string;
  /** Column headings, as `captions` of a field. */
  readonly captions: readonly string[];
}

/** The fields of one side of a letter; left out where the type has none. */
interface LetterSide {
  readonly name?: string;
  readonly address?: string;
}

export interface DocumentType {
  /** Name of a built-in type, or of one of an account's own. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** An account defined it; nothing was trained for it. */
  readonly isOwn?: boolean;
  /** The fields without which a document of the type is hardly read. */
  readonly required?: readonly string[];
  /**
   * The fields that nearly every document of the type has. One that was not found is doubted, whether or not anything
   * on the page speaks for it: what nothing speaks for may be printed without a caption, such as the account in a
   * check's foot.
   */
  readonly usual: readonly string[];
  /** The party that sends documents of the type, as the beginning of its fields' names. */
  readonly issuer?: string;
  /** Its pages are boxes with a caption each, so that what stands in a box is the field's. */
  readonly isBoxed?: boolean;
  /**
   * Its parties stand in blocks of a letter's head and of an addressee, rather than in boxes: the fields of the name and
   * the address of who sent it and of whom it was sent to.
   */
  readonly letter?: { readonly sender: LetterSide; readonly recipient: LetterSide };
  /** The fields of which, on a picture, at least two passes have to read each word alike. */
  readonly readAlike?: readonly string[];
  /** Its total may be rounded to what coins there are, so that its taxes do not tell it. */
  readonly isRounded?: boolean;
  /** Its rows may be a text and an amount without a table's head, whether or not they add up. */
  readonly isPriceList?: boolean;
  /** Its sums are given without their sign, which only says that it takes something back. */
  readonly isUnsigned?: boolean;
  /** A field that names whose letterhead it has, of a type that is no letter. */
  readonly letterheadField?: string;
  /** A field that names who stands in the block at its head and is no bank, of a type that is no letter. */
  readonly headBlockField?: string;
  /** Types that are alike in how surely their values are found; left out where nothing was measured. */
  readonly calibrationGroup?: 'trade' | 'receipt' | 'account' | 'form' | 'card' | 'prose';
  /**
   * Types whose words stand all over its documents: of two that are titled as this one, it is taken from a probability
   * of `least` on, and by its proof at any. Without `least` the title is not enough.
   */
  readonly mistakenFor?: readonly { readonly docType: string; readonly least?: number }[];
  /** What a document is that no type's words speak for. */
  readonly isFallback?: true;
  /** Its words stand in references of other documents to it, or it has none: a page's own title counts for more. */
  readonly yieldsToTitle?: true;
  /**
   * A type that documents of this one may be taken for: those in which a line is as `line`, and this type's words are
   * `share` times as strong, are of this one.
   */
  readonly claims?: { readonly docType: string; readonly share: number; readonly line: RegExp };
  /** What hardly any other document has on its first page; only with the type's phrases is it a proof. */
  readonly provenBy?: 'magnetic_ink';
  readonly fields: readonly FieldDefinition[];
  /** Where the rows go: the answer's `lines`, `fields.items`, or nowhere. */
  readonly rows: 'lines' | 'items' | 'none';
  readonly columns: readonly ColumnDefinition[];
  /** Words and phrases that speak for this type, lower case, with a weight (1 is usual, 3 is a title such as "invoice"). */
  readonly evidence: readonly (readonly [phrase: string, weight: number])[];
}
