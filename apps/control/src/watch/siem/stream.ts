import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Outbound } from '../../frame/outbound.ts';
import type { Outcome } from '../integrations/outcome.ts';
import type { SentEntry } from './format.ts';
import { syslogMessage } from './format.ts';
import { type SiemSettings, sendSyslog } from './syslog.ts';

/** Sent over one connection at most. */
const mostEntries = 500;

/** A part of the audit trail, and how it is sent. */
export interface SiemBatch {
  readonly entries: readonly SentEntry[];
  /** There is more. */
  readonly isFull: boolean;
}

/**
 * The entries after a sequence, in their order. Entries are chained one after the other, so none with a lower sequence
 * commits after one that was read.
 */
export async function readEntries(transaction: TenantTransaction, after: string): Promise<SiemBatch> {
  const rows = await transaction
    .selectFrom('audit_entries')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('sequence', '>', after)
    .orderBy(sql`sequence`)
    .limit(mostEntries)
    .execute();
  const entries = rows.map((row) => ({
    sequence: Number(row.sequence),
    id: row.id,
    at: row.at.toISOString(),
    organizationId: row.organization_id,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    actorName: row.actor_name,
    operation: row.operation,
    entityType: row.entity_type,
    entityId: row.entity_id,
    category: row.category,
    severity: row.severity,
    outcome: row.outcome,
    ip: row.ip,
    userAgent: row.user_agent,
    requestId: row.request_id,
    note: row.note,
    changes: row.changes,
  }));
  return { entries, isFull: rows.length === mostEntries };
}

/** Sends entries over one connection. Never throws. */
export function sendEntries(
  { outbound, publicUrl, timeoutMs }: { readonly outbound: Outbound; publicUrl(): string; readonly timeoutMs: number },
  settings: SiemSettings,
  clientKey: string | null,
  entries: readonly SentEntry[],
): Promise<Outcome> {
  const { host } = new URL(publicUrl());
  const messages = entries.map((entry) => syslogMessage(entry, settings.format, host));
  return sendSyslog(outbound, settings, clientKey, messages, timeoutMs);
}

/** An entry that only says that it is a test. */
export function testEntry(organizationId: string, deliveryId: string): SentEntry {
  return {
    sequence: 0,
    id: deliveryId,
    at: new Date().toISOString(),
    organizationId,
    actorKind: 'system',
    actorId: null,
    actorName: 'Millrace',
    operation: 'testIntegration',
    entityType: 'integration',
    entityId: null,
    category: 'configuration',
    severity: 'low',
    outcome: 'done',
    ip: '',
    userAgent: '',
    requestId: '',
    note: 'This is a test from Millrace.',
    changes: [],
  };
}
