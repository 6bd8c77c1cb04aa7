import type { RevisionContent } from './content.ts';

/** A field of what changed: its dotted path, and its value before and after (null: it had none). */
export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** One difference between two contents, in the words of the product. */
export interface Change {
  readonly area: 'proxy' | 'route' | 'policy' | 'target' | 'specification';
  readonly kind: 'added' | 'removed' | 'changed';
  /** What it is about, such as `GET /{id}` or `request/quota: Daily quota`. */
  readonly key: string;
  readonly fields: readonly FieldChange[];
  /** Whether a caller that was right before may fail now. */
  readonly breaking: boolean;
  /** Why it is breaking or not, in plain words. */
  readonly reason: string;
}

export interface ContentDiff {
  readonly changes: readonly Change[];
  /** Whether any of the changes is breaking. */
  readonly breaking: boolean;
}

/** A difference between two OpenAPI documents. */
export interface SpecificationChange {
  readonly path: string;
  readonly operation: string | null;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly breaking: boolean;
  readonly text: string;
}

export type CompareSpecifications = (
  before: RevisionContent['specification'],
  after: RevisionContent['specification'],
) => readonly SpecificationChange[];

export function diffContent(
  before: RevisionContent | null,
  after: RevisionContent,
  compareSpecifications?: CompareSpecifications,
): ContentDiff {
  throw new Error(`Not written yet: ${before?.proxy.name} ${after.proxy.name} ${compareSpecifications?.name}`);
}
