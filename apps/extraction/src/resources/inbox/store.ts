import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema, StoredRefusal, TenantTransaction } from '../../database/schema.ts';
import { keptDays, keptMessages, newToken } from './rules.ts';

export type StoredInbox = Selectable<Schema['inboxes']>;

/** The account's inbox; made where it has none yet. */
export async function findInbox(transaction: TenantTransaction): Promise<StoredInbox> {
  await transaction
    .insertInto('inboxes')
    .values({ account_id: transaction.tenantId, token: newToken(), doc_type: null })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
  return transaction
    .selectFrom('inboxes')
    .selectAll()
    .where('account_id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
}

/** What of an inbox is to change; what is undefined stays. */
export interface InboxChanges {
  readonly isActive?: boolean | undefined;
  readonly docType?: string | null | undefined;
  readonly allowList?: readonly string[] | undefined;
  readonly requireAuthentication?: boolean | undefined;
}

export async function changeInbox(
  transaction: TenantTransaction,
  { isActive, docType, allowList, requireAuthentication }: InboxChanges,
): Promise<StoredInbox> {
  const inbox = await findInbox(transaction);
  return transaction
    .updateTable('inboxes')
    .set({
      is_active: isActive ?? inbox.is_active,
      doc_type: docType === undefined ? inbox.doc_type : docType,
      allow_list: allowList === undefined ? inbox.allow_list : [...new Set(allowList)],
      require_authentication: requireAuthentication ?? inbox.require_authentication,
    })
    .where('account_id', '=', transaction.tenantId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Gives the inbox another address; mail to the present one is refused from now on. */
export async function replaceToken(transaction: TenantTransaction): Promise<StoredInbox> {
  await findInbox(transaction);
  return transaction
    .updateTable('inboxes')
    .set({ token: newToken() })
    .where('account_id', '=', transaction.tenantId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The inbox that a token names, of whatever account, and how many messages came in within the last hour. */
export async function findInboxByToken(
  system: Kysely<Schema>,
  token: string,
): Promise<(StoredInbox & { readonly messages_last_hour: number }) | null> {
  const inbox = await system
    .selectFrom('inboxes')
    .selectAll()
    .select(
      sql<number>`(
        select count(*) from inbox_messages
        where inbox_messages.account_id = inboxes.account_id and received_at > now() - interval '1 hour')::int`.as(
        'messages_last_hour',
      ),
    )
    .where('token', '=', token)
    .executeTakeFirst();
  return inbox ?? null;
}

/** A message as it is logged. */
export interface NewMessage {
  readonly id: string;
  readonly digest: Buffer;
  readonly messageId: string | null;
  readonly envelopeFrom: string;
  readonly from: string;
  readonly subject: string;
  readonly sizeBytes: number;
  readonly outcome: 'accepted' | 'partly_accepted' | 'refused';
  readonly authentication: 'passed' | 'failed' | 'unknown';
  readonly documentIds: readonly string[];
  readonly refusals: readonly StoredRefusal[];
  readonly isAnswered: boolean;
}

/**
 * Logs a message. Returns false, and does nothing, where the same message was taken before; where another transaction is
 * about to take it, waits for that.
 */
export async function insertMessage(transaction: TenantTransaction, message: NewMessage): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('inbox_messages')
    .values({
      id: message.id,
      account_id: transaction.tenantId,
      digest: message.digest,
      message_id: message.messageId,
      envelope_from: message.envelopeFrom,
      from_address: message.from,
      subject: message.subject,
      size_bytes: message.sizeBytes,
      outcome: message.outcome,
      authentication: message.authentication,
      document_ids: [...message.documentIds],
      refusals: JSON.stringify(message.refusals),
      answered_at: message.isAnswered ? new Date() : null,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'digest']).where('outcome', '<>', 'refused').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Answers of the last day: to a sender, and to all of them. */
export async function countAnswers(
  transaction: TenantTransaction,
  from: string,
): Promise<{ toSender: number; toAll: number }> {
  const { to_sender, to_all } = await transaction
    .selectFrom('inbox_messages')
    .select([
      sql<number>`(count(*) filter (where from_address = ${from}))::int`.as('to_sender'),
      sql<number>`count(*)::int`.as('to_all'),
    ])
    .where('account_id', '=', transaction.tenantId)
    .where('answered_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow();
  return { toSender: to_sender, toAll: to_all };
}

/** A logged message with what became of its documents; those that were deleted since are left out. */
export type ListedMessage = Selectable<Schema['inbox_messages']> & {
  readonly documents: readonly {
    readonly id: string;
    readonly reference: string;
    readonly file_name: string;
    readonly state: 'processing' | 'done' | 'error';
  }[];
};

/** The newest messages first, of the last {@link keptMessages}. */
export async function listMessages(
  transaction: TenantTransaction,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<ListedMessage[]> {
  const messages = await transaction
    .selectFrom('inbox_messages')
    .selectAll()
    .where('account_id', '=', transaction.tenantId)
    .where(
      'id',
      '>=',
      sql<string>`coalesce((
        select id from inbox_messages where account_id = ${transaction.tenantId}
        order by id desc offset ${keptMessages - 1} limit 1), '')`,
    )
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const documents = await transaction
    .selectFrom('documents')
    .select(['id', 'reference', 'file_name', 'state'])
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', sql<string>`any(${messages.flatMap(({ document_ids }) => document_ids)})`)
    .where('deleted_at', 'is', null)
    .execute();
  const byId = new Map(documents.map((document) => [document.id, document]));
  return messages.map((message) => ({
    ...message,
    documents: message.document_ids.flatMap((id) => byId.get(id) ?? []),
  }));
}

/** Deletes what is neither listed any more nor needed to know a message that is sent again. */
export async function deleteOldMessages(transaction: TenantTransaction): Promise<void> {
  await sql`
    delete from inbox_messages
    where account_id = ${transaction.tenantId} and received_at < now() - ${keptDays} * interval '1 day'
      and id < (select id from inbox_messages where account_id = ${transaction.tenantId}
                order by id desc offset ${keptMessages - 1} limit 1)`.execute(transaction);
}

/** Deletes, of every account, the messages that are older than what it keeps. */
export async function deleteExpiredMessages(system: Kysely<Schema>): Promise<void> {
  await sql`
    delete from inbox_messages using accounts
    where accounts.id = inbox_messages.account_id
      and received_at < now() - retention_days * interval '1 day'`.execute(system);
}
