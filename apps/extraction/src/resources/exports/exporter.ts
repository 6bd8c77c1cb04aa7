import { Readable } from 'node:stream';
import { docTypes, isDocType } from '@millrace/document-model';
import { tenantTransaction } from '@millrace/postgres';
import type { ExtractionDatabase } from '../../database/schema.ts';
import { ApiError } from '../../http/errors.ts';
import { findTypesNamed, requireNamedType } from '../document-types/store.ts';
import { type DocumentFilter, findReviewThreshold } from '../documents/dashboard-store.ts';
import { csvOf } from './csv.ts';
import { countByType, type ExportedDocument, listExported } from './store.ts';
import { type Audience, type ExportedRows, exportTable } from './table.ts';
import { xlsxOf } from './xlsx.ts';

/** Documents of one export. */
const mostExported = 100_000;
/** Documents that are read at once. */
const batchSize = 100;
/** Concurrent exports of an account in one process. */
const exportsAtOnce = 3;

const xlsxMediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export interface AskedExport {
  readonly format: 'csv' | 'xlsx';
  readonly rows: ExportedRows;
  readonly audience: Audience;
  readonly filter: DocumentFilter;
}

/** A started export: its file is written as the caller reads it. */
interface StartedExport {
  readonly body: Readable;
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts exports of an account's documents. */
export type Exporter = (accountId: string, asked: AskedExport) => Promise<StartedExport>;

/**
 * Exports read one batch of documents at a time, at the reader's pace, without holding a database connection in between.
 * Every document is exported exactly once, as it is at that time.
 */
export function createExporter(database: ExtractionDatabase): Exporter {
  const running = new Map<string, number>();

  async function* batchesOf(accountId: string, filter: DocumentFilter, threshold: number) {
    let after: string | null = null;
    for (;;) {
      const place: string | null = after;
      const documents: readonly ExportedDocument[] = await tenantTransaction(
        database,
        accountId,
        (transaction) => listExported(transaction, filter, { threshold, after: place, limit: batchSize }),
        { access: 'read only', onReplica: true },
      );
      if (documents.length > 0) yield documents;
      after = documents.at(-1)?.id ?? null;
      if (documents.length < batchSize) return;
    }
  }

  return async (accountId, { format, rows, audience, filter }) => {
    const already = running.get(accountId) ?? 0;
    if (already >= exportsAtOnce) {
      throw new ApiError('unavailable', {
        message: `${exportsAtOnce} exports of this account are running. Try again when one has finished.`,
      });
    }
    const { threshold, counts, types } = await tenantTransaction(
      database,
      accountId,
      async (transaction) => {
        if (filter.type !== undefined) await requireNamedType(transaction, filter.type);
        const found = await findReviewThreshold(transaction);
        const byType = await countByType(transaction, filter, found);
        const names = new Set(byType.map(({ doc_type }) => doc_type));
        const own = [...names].filter((name) => !isDocType(name)).sort();
        const known = await findTypesNamed(transaction, [...docTypes.filter((name) => names.has(name)), ...own]);
        return { threshold: found, counts: byType, types: [...known.values()] };
      },
      { access: 'read only', onReplica: true },
    );
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    if (total > mostExported) {
      throw new ApiError('invalid_request', {
        message: `More than ${mostExported.toLocaleString('en')} documents match. Narrow the filter, for example by date.`,
      });
    }
    const table = exportTable(rows, types, audience);
    const batches = batchesOf(accountId, filter, threshold);
    const content =
      format === 'csv'
        ? csvOf(table, batches, { withMark: audience === 'people' })
        : xlsxOf(table, batches, { sheetName: rows === 'values' ? 'Documents' : 'Lines' });
    running.set(accountId, (running.get(accountId) ?? 0) + 1);
    const body = Readable.from(content, { objectMode: false });
    body.once('close', () => {
      const left = (running.get(accountId) ?? 1) - 1;
      if (left > 0) running.set(accountId, left);
      else running.delete(accountId);
    });
    const name = fileName(rows, total === 1 ? counts[0]!.any_reference : null);
    return {
      body,
      headers: {
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : xlsxMediaType,
        'content-disposition': `attachment; filename="${name}.${format}"`,
      },
    };
  };
}

/** `documents-2026-03-14`, `lines-2026-03-14`, or of a single document `MR-000042`, `MR-000042-lines`. */
function fileName(rows: ExportedRows, reference: string | null): string {
  if (reference !== null) return rows === 'values' ? reference : `${reference}-lines`;
  return `${rows === 'values' ? 'documents' : 'lines'}-${new Date().toISOString().slice(0, 10)}`;
}
