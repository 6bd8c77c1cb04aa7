import type { DocType, ExtractedFields, ExtractedRow, JsonValue, ReadDocument } from '@millrace/document-model';
import type { PrintedWords } from '@millrace/engine/embedded/printed';

/** Every value of a field that counts as right; the first is the one that is shown. */
export type AcceptedValues = readonly [JsonValue, ...JsonValue[]];

/** What is known to be right about a document. Fields that are not listed are not scored. */
export interface Truth {
  readonly fields: Readonly<Record<string, AcceptedValues>>;
  /** All line items of the document by column; null where they are not known. */
  readonly rows: readonly Readonly<Record<string, AcceptedValues>>[] | null;
  /** The type that the classifier should find; null if that is not scored. */
  readonly docType: DocType | null;
}

/** A labelled document to be extracted. */
export interface EvaluationCase {
  /** Decides whether the document is held out. */
  readonly key: string;
  /** Absolute path of the file; null where the case is given by its words. */
  readonly path: string | null;
  /** The words, where they are given instead of a file. */
  readonly words: ReadDocument | null;
  /** The type that is asked for. */
  readonly docType: DocType;
  readonly ignoreEmbedded: boolean;
  /** Learns the truth; the read document is there for a truth that the file carries itself. */
  readonly truth: (document: () => Promise<ReadDocument>) => Promise<Truth>;
  /** Also counts by themselves the values that stand in the printed words at all. */
  readonly countPrinted: boolean;
}

/** Which of a case's labels the pages show. */
export interface PrintedLabels {
  /** The names of the true fields whose value is printed. */
  readonly fields: ReadonlySet<string>;
  /** Whether each true row has its amount and description printed; null where the rows are not known. */
  readonly rows: readonly boolean[] | null;
  /** The words at the height of an answered row: what a label of one of its cells has to stand among. */
  readonly beside: (row: ExtractedRow) => Pick<PrintedWords, 'shows'>;
}

/** A case with what the engine made of it. */
export interface EvaluatedCase {
  readonly key: string;
  /** The type that was asked for. */
  readonly docType: DocType;
  readonly truth: Truth;
  readonly answer: Answer;
  /** What is found without anything learned; null where that is not asked. */
  readonly floor: ExtractedFields | null;
  /** Null where it is not asked what is printed. */
  readonly printed: PrintedLabels | null;
  /** From the bytes or words to the answer. */
  readonly durationMs: number;
  readonly pageCount: number;
}

export interface Answer {
  readonly fields: ExtractedFields;
  readonly rows: readonly ExtractedRow[];
  /** The classifier's; null where the extraction failed. */
  readonly docType: string | null;
  /** The engine's error code, where it gave up. */
  readonly error: string | null;
}
