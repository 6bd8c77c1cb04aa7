import type { ExtractedValue, Extraction } from '@millrace/document-model';
import { rowsOf } from '@millrace/engine/revalidate';
import type { DocumentType } from '@millrace/engine/types/definition';
import type { Document } from '@millrace/extraction-contract/documents';
import type * as z from 'zod';
import type { StoredResult } from '../../database/schema.ts';

/** A document as the API answers it. */
export type DocumentAnswer = z.input<typeof Document>;

/** How an extraction ended: with a finding, or with an error's code and public message. */
export type Outcome =
  | { readonly state: 'done'; readonly extraction: Extraction }
  | { readonly state: 'error'; readonly code: string; readonly message: string };

/** Who extracted, for answers. */
export interface Processing {
  /** `millrace` for the engine, otherwise the kind of the provider that was asked. */
  readonly provider: string;
  /** The version of the engine's model, or the provider's own name of the model that answered. */
  readonly model: string;
  /** Tokens that the model took in and gave out; 0 where none was asked. */
  readonly totalTokens: number;
  readonly processTimeMs: number;
}

/** What is stored of an extraction, whichever way it ended; `extraction` is null where it failed. */
export function storedResult(outcome: Outcome, processing: Processing): StoredResult {
  const ai = {
    provider: processing.provider,
    model: processing.model,
    process_time_ms: Math.round(processing.processTimeMs),
    total_tokens: processing.totalTokens,
  };
  if (outcome.state === 'error') {
    return { fields: {}, lines: [], confidence: {}, extraction: null, ai, classification: null };
  }
  const { extraction } = outcome;
  return {
    ...valuesOf(extraction),
    ai,
    classification: { doc_type: extraction.classification.docType, confidence: extraction.classification.confidence },
  };
}

/** What of a result follows from the extraction's values. */
export function valuesOf(extraction: Extraction): Pick<StoredResult, 'fields' | 'lines' | 'confidence' | 'extraction'> {
  return {
    fields: mapValues(extraction.fields, ({ value }) => value),
    lines: extraction.lines.map((row) => mapValues(row, ({ value }) => value)),
    confidence: mapValues(extraction.fields, ({ confidence }) => confidence),
    extraction,
  };
}

/** Confidences that are kept for each document; more doubtful values than these are not counted. */
const keptConfidences = 100;

/**
 * The confidences of an extraction's fields and cells, the least first, 100 at most, with a 0 for each required field
 * that is missing. With them any threshold decides whether the document needs review.
 */
export function confidencesOf(type: DocumentType, extraction: Extraction): number[] {
  const rows = rowsOf(extraction);
  const values = [
    // The rows are counted cell by cell.
    ...Object.entries(extraction.fields).flatMap(([name, value]) =>
      name === 'items' && rows.length > 0 ? [] : [value],
    ),
    ...rows.flatMap((row) => Object.values(row)),
  ];
  const missing = missingFieldsOf(type, extraction).map(() => 0);
  return [...missing, ...values.map(({ confidence }) => confidence)].sort((a, b) => a - b).slice(0, keptConfidences);
}

/** The required fields that an extraction lacks; none if its caller requested certain fields only. */
export function missingFieldsOf({ isOwn, required = [] }: DocumentType, { fields }: Extraction): readonly string[] {
  // The language is found in every document, unless only other fields were requested; own types need not have it.
  return isOwn || 'language' in fields ? required.filter((name) => !(name in fields)) : [];
}

/** What of a stored document its answer is made of. */
export interface FinishedDocument {
  readonly id: string;
  readonly reference: string;
  readonly source: 'dashboard' | 'inbox' | 'api';
  readonly doc_type: string;
  readonly state: 'done' | 'error';
  /** `extraction` is read only where provenance is asked for. */
  readonly result: Omit<StoredResult, 'extraction'> & { readonly extraction?: Extraction | null };
  readonly error_code: string | null;
  readonly error_message: string | null;
}

/** The same answer for the synchronous call, the document's own address and a replayed request. */
export function documentAnswer(
  document: FinishedDocument,
  { provenance }: { readonly provenance: boolean },
): DocumentAnswer {
  const { result } = document;
  return {
    fields: result.fields,
    lines: result.lines,
    confidence: result.confidence,
    ai: result.ai,
    meta: {
      success: document.state === 'done',
      document_id: document.id,
      reference: document.reference,
      doc_type: document.doc_type,
      state: document.state,
      ...(result.classification ? { classification: result.classification } : {}),
      ...(document.state === 'error'
        ? { error: { code: document.error_code ?? 'extraction_failed', message: document.error_message ?? '' } }
        : {}),
    },
    ...(provenance && result.extraction ? { provenance: provenanceOf(result.extraction) } : {}),
  };
}

function provenanceOf(extraction: Extraction): NonNullable<DocumentAnswer['provenance']> {
  return {
    fields: mapValues(extraction.fields, placesOf),
    lines: extraction.lines.map((row) => mapValues(row, placesOf)),
    pages: extraction.pages.map((page) => ({ ...page })),
  };
}

function placesOf({ provenance, flags }: ExtractedValue) {
  return { places: provenance.map((place) => ({ ...place })), flags: [...flags] };
}

function mapValues<Value, Mapped>(record: Readonly<Record<string, Value>>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)])) as Record<string, Mapped>;
}

/**
 * A result as PostgreSQL's `jsonb` gives it back: it has no place for the character NUL and for half a surrogate pair,
 * both of which a document's text layer may hold.
 */
export function storable(result: StoredResult): { readonly result: StoredResult; readonly text: string } {
  const text = JSON.stringify(result);
  // JSON writes both as escapes, so text without such an escape is free of them.
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return { result, text };
  const cleaned = JSON.stringify(result, (_key, value: unknown) => {
    if (typeof value === 'string') return clean(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [clean(key), part]));
  });
  return { result: JSON.parse(cleaned), text: cleaned };
}

function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** The human-readable reference of an account's document of this number, from 1. */
export function referenceOf(number: number): string {
  return `MR-${String(number).padStart(6, '0')}`;
}
