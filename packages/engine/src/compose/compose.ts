import type { Candidate, ExtractedFields, Layout, Locale } from '../document.ts';
import type { DocumentType } from '../types/definition.ts';

/** The fields of a type that are made by code of its own rather than picked among candidates. */
export function composeFields(
  _type: DocumentType,
  _layout: Layout,
  _locale: Locale,
  _candidates: readonly Candidate[],
): ExtractedFields {
  return {};
}
