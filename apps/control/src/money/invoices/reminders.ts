import { civilDayOf } from '@millrace/pricing';
import { sql } from 'kysely';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import type { AuditChain } from '../../frame/audit.ts';
import { type Outbox, putMailOf } from '../../frame/outbox.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import { findBillingSettings } from '../billing-settings/store.ts';
import type { Invoice } from './contract.ts';
import { mailTexts } from './mails.ts';
import { findInvoice, lockInvoice } from './store.ts';
import { loadDocument } from './stored-document.ts';

interface ReminderParts {
  readonly database: ControlDatabase;
  readonly chain: AuditChain;
  readonly outbox: Outbox;
}

interface Overdue {
  readonly organizationId: string;
  readonly invoiceId: string;
}

/** Sends the reminders that are due by each organization's schedule. Several processes can do so concurrently. */
export async function remindOverdue(parts: ReminderParts): Promise<void> {
  for (const { organizationId, invoiceId } of await listOverdue(parts.database)) {
    await writeAsSystem(parts, organizationId, async (transaction, now) => {
      const before = await lockInvoice(transaction, invoiceId);
      if (before === null || !(await isDue(transaction, before, now))) return null;
      const { document } = await loadDocument(transaction, invoiceId, 'sent');
      const to = document.buyer.email;
      if (to === undefined) return null;
      await putMailOf(parts.outbox, transaction, organizationId, {
        to,
        ...mailTexts[document.language].reminder(document, before),
      });
      const after = await setReminded(transaction, invoiceId, await remindersDue(transaction, before, now));
      return { operation: 'remindInvoice', entityType: 'invoice', entityId: invoiceId, note: to, before, after };
    });
  }
  parts.outbox.wake();
}

/** Invoices with more reminders due than were sent, by dates of UTC: a day more or less is checked with each of them. */
async function listOverdue({ system }: ControlDatabase): Promise<readonly Overdue[]> {
  const { rows } = await sql<Overdue>`
    select i.organization_id as "organizationId", i.id as "invoiceId"
    from invoices i join billing_settings s on s.organization_id = i.organization_id
    where i.state = 'issued' and i.due_date < to_char(now() + interval '14 hours', 'YYYY-MM-DD')
      and i.reminders_sent < (
        select count(*) from jsonb_array_elements_text(s.settings -> 'reminders') as day
        where (i.due_date::date + day::int)::text <= to_char(now() + interval '14 hours', 'YYYY-MM-DD'))
    order by i.due_date limit 1000`.execute(system);
  return rows;
}

async function isDue(transaction: TenantTransaction, invoice: Invoice, now: Date): Promise<boolean> {
  return invoice.overdue && (await remindersDue(transaction, invoice, now)) > invoice.remindersSent;
}

/** How many reminders of the schedule are due: after a pause, of several the last one is sent. */
async function remindersDue(transaction: TenantTransaction, { dueDate }: Invoice, now: Date): Promise<number> {
  const { reminders, timeZone } = await findBillingSettings(transaction);
  const today = Date.parse(civilDayOf(now.toISOString(), timeZone));
  const overdueDays = dueDate === null ? 0 : (today - Date.parse(dueDate)) / dayMs;
  return reminders.filter((day) => day <= overdueDays).length;
}

const dayMs = 86_400_000;

async function setReminded(transaction: TenantTransaction, id: string, remindersSent: number): Promise<Invoice | null> {
  await transaction
    .updateTable('invoices')
    .set({
      reminders_sent: remindersSent,
      reminded_at: sql<Date>`now()`,
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  return findInvoice(transaction, id);
}
