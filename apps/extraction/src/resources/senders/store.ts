import type { KnownSender, Lesson } from '@millrace/engine/supplier-memory';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { newId } from '../../identifiers.ts';

/** Senders that are looked for in a document: those confirmed latest. */
const lookedForSenders = 300;
/** Lessons of a sender that are used: the newest. */
const usedLessons = 6;

/** What the account's confirmed documents taught, of one type or of all. */
export async function findKnownSenders(
  transaction: TenantTransaction,
  docType: Lesson['docType'] | null,
): Promise<readonly KnownSender[]> {
  const { rows } = await sql<{ id: string; name: string; doc_type: Lesson['docType']; lessons: Lesson[] }>`
    select sender.id, sender.name, sender.doc_type, taught.lessons
    from (
      select id, name, doc_type, last_confirmed_at from senders
      where account_id = ${transaction.tenantId} ${docType === null ? sql`` : sql`and doc_type = ${docType}`}
      order by last_confirmed_at desc, id desc limit ${lookedForSenders}
    ) as sender
    cross join lateral (
      select jsonb_agg(lesson order by created_at desc) as lessons from (
        select lesson, created_at from sender_lessons
        where account_id = ${transaction.tenantId} and sender_id = sender.id
        order by created_at desc limit ${usedLessons}) as latest
    ) as taught
    where taught.lessons is not null
    order by sender.last_confirmed_at desc`.execute(transaction);
  return rows.map(({ doc_type, ...sender }) => ({ ...sender, docType: doc_type }));
}

/** Stores what was learned from a document, instead of what was learned from it before. */
export async function storeLesson(
  transaction: TenantTransaction,
  documentId: string,
  sender: { readonly id: string } | null,
  lesson: Lesson,
): Promise<string> {
  const { name } = lesson;
  let id = sender?.id;
  if (id === undefined) {
    id = newId('snd');
    await transaction
      .insertInto('senders')
      .values({ id, account_id: transaction.tenantId, doc_type: lesson.docType, name })
      .execute();
  } else {
    await transaction
      .updateTable('senders')
      .set({ name, last_confirmed_at: new Date() })
      .where('account_id', '=', transaction.tenantId)
      .where('id', '=', id)
      .execute();
  }
  const taught = { sender_id: id, lesson: JSON.stringify(lesson), created_at: new Date() };
  await transaction
    .insertInto('sender_lessons')
    .values({ account_id: transaction.tenantId, document_id: documentId, ...taught })
    .onConflict((conflict) => conflict.columns(['account_id', 'document_id']).doUpdateSet(taught))
    .execute();
  return id;
}

export interface ListedSender extends Selectable<Schema['senders']> {
  readonly document_count: number;
  /** The newest, as far as they are used. */
  readonly lessons: readonly Lesson[];
}

/** A page of senders, the latest confirmed first, with one more than asked where there are more. */
export async function listSenders(
  transaction: TenantTransaction,
  limit: number,
  after: { readonly at: Date; readonly id: string } | null,
): Promise<readonly ListedSender[]> {
  const { rows } = await sql<ListedSender>`
    select senders.*,
      (select count(*)::int from sender_lessons as taught
       where taught.account_id = senders.account_id and taught.sender_id = senders.id) as document_count,
      (select jsonb_agg(latest.lesson order by latest.created_at desc) from (
         select lesson, created_at from sender_lessons as taught
         where taught.account_id = senders.account_id and taught.sender_id = senders.id
         order by created_at desc limit ${usedLessons}) as latest) as lessons
    from senders
    where account_id = ${transaction.tenantId}
      ${after ? sql`and (date_trunc('milliseconds', last_confirmed_at), id) < (${after.at}, ${after.id})` : sql``}
    order by date_trunc('milliseconds', last_confirmed_at) desc, id desc limit ${limit + 1}`.execute(transaction);
  return rows;
}

/** Forgets a sender and all that was learned of it; false where there is none. */
export async function deleteSender(transaction: TenantTransaction, id: string): Promise<boolean> {
  if (!/^snd_[0-9a-z]{26}$/.test(id)) return false;
  const { numDeletedRows } = await transaction
    .deleteFrom('senders')
    .where('account_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
