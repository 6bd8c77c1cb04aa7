import { diffDocuments } from '@millrace/openapi/diff';
import { type OpenApiDocument, objectAt, pathShape, textAt } from '@millrace/openapi/document';
import type { PortalChange } from './contract.ts';

const mostChanges = 100;

/** A publication, as it is recorded. */
export type RecordedChange = Pick<PortalChange, 'kind' | 'apiVersion' | 'breaking' | 'changes' | 'total'>;

/** What the publication of a document changed for callers; null: nothing. */
export function describeChange(before: OpenApiDocument | null, after: OpenApiDocument | null): RecordedChange | null {
  const document = after ?? before;
  if (document === null) return null;
  const apiVersion = textAt(objectAt(document.info).version) ?? '1';
  if (before === null) return { kind: 'published', apiVersion, breaking: false, changes: [], total: 0 };
  if (after === null) return { kind: 'withdrawn', apiVersion, breaking: true, changes: [], total: 0 };
  const all = diffDocuments(before, after);
  const isSameVersion = textAt(objectAt(before.info).version) === apiVersion;
  if (all.length === 0 && isSameVersion) return null;
  const sorted = all.toSorted((first, second) => Number(second.breaking) - Number(first.breaking));
  return {
    kind: 'changed',
    apiVersion,
    breaking: all.some(({ breaking }) => breaking),
    changes: sorted
      .slice(0, mostChanges)
      .map(({ operation, kind, breaking, text }) => ({ operation, kind, breaking, text })),
    total: all.length,
  };
}

/** The shape of a route's path, as a document writes it: the rest of a path is a star in a pattern, there a parameter. */
export function shapeOf(pathPattern: string): string {
  return pathShape(pathPattern.replace(/\/\*$/, '/{rest}'));
}
