import { tenantTransaction } from '@millrace/postgres';
import type { ControlDatabase } from '../../database/schema.ts';
import { findProxy } from '../../design/proxies/store.ts';
import { csvRow } from '../../frame/csv.ts';
import { ApiError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { anchorFile, readAnchors } from './anchors.ts';
import type { auditOperations } from './contract.ts';
import { listHistory } from './history.ts';
import {
  type AuditFilters,
  type ExportedEntry,
  exportEntries,
  findAuditEntry,
  hasEntityTrail,
  lastSequence,
  listAuditEntries,
} from './store.ts';
import { verifyTrails } from './verify.ts';

export function auditHandlers(parts: Parts): Handlers<typeof auditOperations> {
  const verify = createVerification(parts);
  return {
    listAuditEntries: ({ query }, { transaction }) => listAuditEntries(transaction, query),
    exportAudit: async ({ query }, { transaction, organizationId, now }) => {
      const last = await lastSequence(transaction);
      return {
        data: {
          text: csvOf(parts.database, organizationId, query, last),
          fileName: `audit-${now.toISOString().slice(0, 10)}.csv`,
        },
        change: { entityId: null, before: null, after: query },
      };
    },
    verifyAudit: (_input, { organizationId }) => verify(organizationId),
    listEntityAudit: async ({ params, query }, { transaction }) => {
      if (!(await hasEntityTrail(transaction, params))) throw new ApiError('not_found');
      return listAuditEntries(transaction, { ...query, ...params });
    },
    listProxyHistory: async ({ params, query }, { transaction }) => {
      found(await findProxy(transaction, params.proxyId));
      return listHistory(transaction, params.proxyId, query);
    },
    getAuditEntry: async ({ params }, { transaction }) => found(await findAuditEntry(transaction, params.entryId)),
  };
}

/**
 * Verifies trails, one at a time because each reads a whole trail. It sees a snapshot of the database, which a call’s own reads do
 * not.
 */
function createVerification({ database, chain, dataDirectory }: Parts) {
  let running = false;
  return async (organizationId: string) => {
    if (running) {
      throw new ApiError('conflict', { message: 'A verification is already running. Try again when it has finished.' });
    }
    running = true;
    try {
      const anchors = await readAnchors(chain, anchorFile(dataDirectory), organizationId);
      const [report] = await database.system
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((transaction) => verifyTrails(transaction, chain, anchors, organizationId));
      const { organizationId: _, ...shown } = report!;
      return shown;
    } finally {
      running = false;
    }
  };
}

const exportedAtOnce = 1_000;

/** The entries of the filters up to a sequence number, in the order of recording; a piece of text at a time. */
async function* csvOf(
  database: ControlDatabase,
  organizationId: string,
  filters: AuditFilters,
  last: number,
): AsyncGenerator<string> {
  yield csvRow(exportColumns);
  // Each piece is a transaction of its own, since a slow reader must not keep one open: what was recorded stays as it is.
  for (let after = 0; ; ) {
    const entries = await tenantTransaction(
      database,
      organizationId,
      (transaction) => exportEntries(transaction, filters, { after, last, limit: exportedAtOnce }),
      { access: 'read only' },
    );
    if (entries.length > 0) yield entries.map(csvOfEntry).join('');
    if (entries.length < exportedAtOnce) return;
    after = entries.at(-1)!.sequence;
  }
}

const exportColumns = [
  'sequence',
  'at',
  'actorKind',
  'actorId',
  'actorName',
  'operation',
  'entityType',
  'entityId',
  'category',
  'severity',
  'outcome',
  'ip',
  'userAgent',
  'requestId',
  'note',
  'changes',
  'id',
] as const satisfies readonly (keyof ExportedEntry)[];

function csvOfEntry(entry: ExportedEntry): string {
  return csvRow(exportColumns.map((column) => (entry[column] === null ? null : String(entry[column]))));
}
