import { tenantTransaction } from '@millrace/postgres';
import type { ControlDatabase, TenantTransaction } from '../database/schema.ts';
import { type Append, type AuditChain, type AuditRow, chainAudit, chained, compareFields } from './audit.ts';
import type { Audited } from './handler.ts';

/** What the service did on its own, for the audit trail. */
export interface SystemWrite {
  readonly operation: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly note: string;
  readonly before: Audited;
  readonly after: Audited;
  /** Default: `medium`. */
  readonly severity?: AuditRow['severity'];
}

/**
 * Writes as the service itself, in a transaction with its audit row.
 *
 * @param work null: nothing was written
 */
export async function writeAsSystem(
  { database, chain }: { readonly database: ControlDatabase; readonly chain: AuditChain },
  organizationId: string,
  work: (transaction: TenantTransaction, now: Date) => Promise<SystemWrite | null>,
): Promise<void> {
  await chained(chain, (turn) =>
    tenantTransaction(
      database,
      organizationId,
      async (transaction): Promise<{ readonly last: Append | null }> => {
        const now = new Date();
        const written = await work(transaction, now);
        if (written === null) return { last: null };
        const { operation, entityType, entityId, note, before, after, severity = 'medium' } = written;
        const row = {
          organizationId,
          at: now,
          actorKind: 'system',
          actorId: null,
          actorName: 'Millrace',
          operation,
          entityType,
          entityId,
          category: 'configuration',
          severity,
          outcome: 'done',
          note,
          changes: compareFields(before, after),
          origin: { ip: '', userAgent: '', requestId: '' },
        } as const;
        return { last: await chainAudit(transaction, chain, row, turn) };
      },
      { last: ({ last }) => last },
    ),
  );
}
