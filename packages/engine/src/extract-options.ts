import type { DocType } from '@millrace/document-model';
import type { IngestLimits } from './ingest/ingest.ts';
import type { KnownSender } from './supplier-memory/lesson.ts';

export interface ExtractOptions {
  /** The type to extract as; `'detect'` takes the classifier's. */
  readonly docType: DocType | 'detect';
  /** Restricts the answer to these field names; null for all. */
  readonly fields: readonly string[] | null;
  /** Reads the printed layer alone, as if no e-invoice were embedded. */
  readonly ignoreEmbedded?: boolean;
  /** What confirmed documents of known senders taught. */
  readonly senders?: readonly KnownSender[];
  readonly limits: IngestLimits;
}
