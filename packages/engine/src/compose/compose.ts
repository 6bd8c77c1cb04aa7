import type { Candidate, ExtractedRow, ExtractedValue, Layout, Locale } from '@millrace/document-model';
import type { ScoredField } from '../score/score.ts';
import type { DocumentType } from '../types/definition.ts';

/** What a composer knows of a document. */
export interface Findings {
  readonly type: DocumentType;
  readonly layout: Layout;
  readonly locale: Locale;
  readonly candidates: readonly Candidate[];
}

/** Fields found; null is a field that is not on the document. */
export type ComposedFields = Readonly<Record<string, ExtractedValue | null>>;

/** What a type knows beyond its definition; the `rules.ts` of its folder. */
export interface TypeRules {
  /** The fields that are made by code of the type's own rather than picked among candidates. */
  readonly compose?: (findings: Findings) => ComposedFields;
  /** The scored fields without the candidates that the type knows to be something else. */
  readonly sift?: (scored: readonly ScoredField[]) => readonly ScoredField[];
  /** The chosen values after what the type knows of them and its rows together. */
  readonly check?: (
    fields: Readonly<Record<string, ExtractedValue>>,
    rows: readonly ExtractedRow[],
    findings: Findings,
  ) => Record<string, ExtractedValue>;
}
