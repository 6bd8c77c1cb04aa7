import type { OpenApiDocument } from './document.ts';

/** A difference between two documents that a caller of the API may notice. */
export interface DocumentChange {
  /** JSON pointer (RFC 6901) into the document that has it: the newer one, the older one for what was removed. */
  readonly path: string;
  /** Such as `GET /orders/{orderId}`; null where it is not about one operation. */
  readonly operation: string | null;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Whether a caller that was right before may fail now. */
  readonly breaking: boolean;
  readonly text: string;
}

export function diffDocuments(
  before: OpenApiDocument | null,
  after: OpenApiDocument | null,
): readonly DocumentChange[] {
  throw new Error(`Not written yet: ${before?.openapi} ${after?.openapi}`);
}
