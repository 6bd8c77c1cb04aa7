/** A field's answer, by its shape; an empty text is a field that is not on the document. */
export type AnswerValue = string | readonly string[] | readonly Readonly<Record<string, string>>[];

/**
 * What somebody else than the engine says of a document: texts as they stand in it. Pairs come as entries with `label`
 * and `value`.
 */
export interface Answer {
  /** By field name; a field that is not among them was not asked for. */
  readonly fields: Readonly<Record<string, AnswerValue>>;
  /** Line items by column; null where they were not asked for. */
  readonly rows: readonly Readonly<Record<string, string>>[] | null;
}
