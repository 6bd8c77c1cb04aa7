import type { ExtractedValue, Extraction } from '@millrace/document-model';
import { EngineError } from '../errors.ts';

/** A file's line of output: the keys that the API answers with, and the file's name before them. */
export function answerLine(file: string, extraction: Extraction, include: { readonly provenance: boolean }): string {
  const { classification, fields, lines } = extraction;
  return JSON.stringify({
    file,
    doc_type: extraction.docType,
    classification: { doc_type: classification.docType, confidence: classification.confidence },
    fields: mapValues(fields, ({ value }) => value),
    lines: lines.map((row) => mapValues(row, ({ value }) => value)),
    confidence: mapValues(fields, ({ confidence }) => confidence),
    ...(include.provenance && {
      provenance: {
        fields: mapValues(fields, placesOf),
        lines: lines.map((row) => mapValues(row, placesOf)),
        pages: extraction.pages,
      },
    }),
  });
}

/** The line of a file that could not be extracted. */
export function failureLine(file: string, error: unknown): string {
  const { code, message } = describeFailure(error);
  return JSON.stringify({ file, error: { code, message } });
}

function describeFailure(error: unknown): { code: string; message: string } {
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  const isMissing = error instanceof Error && 'syscall' in error;
  return { code: isMissing ? 'unreadable_file' : 'extraction_failed', message };
}

function placesOf({ provenance, flags }: ExtractedValue) {
  return { places: provenance, flags };
}

function mapValues<Value, Mapped>(record: Readonly<Record<string, Value>>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
