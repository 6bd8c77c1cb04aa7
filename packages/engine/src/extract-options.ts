import type { OwnType } from '@millrace/document-model/own-type';
import type { IngestLimits } from './ingest/ingest.ts';
import type { KnownSender } from './supplier-memory/lesson.ts';

export interface ExtractOptions {
  /** Name of the type to extract as, built-in or one of `ownTypes`; `'detect'` takes the classifier's. */
  readonly docType: string;
  /** The document types that the account defined. */
  readonly ownTypes?: readonly OwnType[];
  /** Restricts the answer to these field names; null for all. */
  readonly fields: readonly string[] | null;
  /** Reads the printed layer alone, as if no e-invoice were embedded. */
  readonly ignoreEmbedded?: boolean;
  /** What confirmed documents of known senders taught. */
  readonly senders?: readonly KnownSender[];
  readonly limits: IngestLimits;
}
