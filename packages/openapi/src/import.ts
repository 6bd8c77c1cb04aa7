import type { OpenApiDocument } from './document.ts';

/** An operation of an imported document, as a route of a proxy. */
export interface ImportedRoute {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly pathPattern: string;
  readonly summary: string;
  readonly description: string;
  readonly operationId: string | null;
}

/** A document that was read, and the proxy that it proposes. */
export interface ImportedDocument {
  readonly document: OpenApiDocument;
  /** Proposal: the path of the first server, with a version segment. */
  readonly basePath: string;
  readonly title: string;
  readonly version: string;
  readonly routes: readonly ImportedRoute[];
  readonly authScheme: 'none' | 'api_key' | 'jwt';
  /** What was left out or changed, as sentences. */
  readonly warnings: readonly string[];
}

/** Why a document cannot be imported: a sentence for each JSON pointer (RFC 6901) into it. */
export class ImportError extends Error {
  readonly errors: Readonly<Record<string, string>>;

  constructor(errors: Readonly<Record<string, string>>) {
    super('The document cannot be imported.');
    this.errors = errors;
  }
}

export async function importDocument(text: string): Promise<ImportedDocument> {
  throw new ImportError({ '': `Not written yet: ${text.length}` });
}
