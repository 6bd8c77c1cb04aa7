import type { RevisionContent } from '@millrace/revision/content';
import type { OpenApiDocument } from './document.ts';

/** What a document is generated from. */
export interface Generation {
  readonly content: RevisionContent;
  /** The document as it was last generated or edited; null: none yet. */
  readonly previous: OpenApiDocument | null;
  readonly title: string;
  readonly version: string;
  /** Address at which callers reach the base path; null: the base path alone. */
  readonly serverUrl: string | null;
}

export function generateDocument(generation: Generation): OpenApiDocument {
  throw new Error(`Not written yet: ${generation.title}`);
}
