import { newId } from '@millrace/identifiers';
import type { CreditableTax } from '@millrace/pricing';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { takeCreditNoteNumber } from '../billing-settings/store.ts';
import { changeMoney, numberText } from '../invoices/store.ts';
import type { CreditNote, CreditNoteWithLines } from './contract.ts';

type Row = Selectable<Schema['credit_notes']> & {
  readonly invoice_number: string | null;
  readonly currency: string;
  readonly developer_id: string;
  readonly developer_name: string;
};

const columns = {
  createdAt: 'credit_notes.created_at',
  issueDate: 'credit_notes.issue_date',
  totalMinor: 'credit_notes.total_minor',
};

export async function listCreditNotes(
  transaction: TenantTransaction,
  filters: Listing & { readonly state?: CreditNote['state'] | undefined; readonly developerId?: string | undefined },
) {
  let query = creditNotes(transaction).where((builder) =>
    matches(builder, ['credit_notes.number', 'invoices.number', 'developer.name'], filters.search),
  );
  const { state, developerId } = filters;
  if (state !== undefined) query = query.where('credit_notes.state', '=', state);
  if (developerId !== undefined) query = query.where('invoices.developer_id', '=', developerId);
  const { rows, total } = await readPage(query, filters, columns, 'credit_notes.id');
  return { creditNotes: rows.map(present), total };
}

/** A credit note with the keys of its authors. */
export interface FoundCreditNote {
  readonly creditNote: CreditNoteWithLines;
  readonly authorKeys: readonly string[];
}

export async function findCreditNote(transaction: TenantTransaction, id: string): Promise<FoundCreditNote | null> {
  const row = await creditNotes(transaction).where('credit_notes.id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const lines = await transaction
    .selectFrom('credit_note_lines')
    .select(['position', 'amount_minor'])
    .where('organization_id', '=', transaction.tenantId)
    .where('credit_note_id', '=', id)
    .orderBy('position')
    .execute();
  return {
    creditNote: {
      ...present(row),
      taxes: [...row.taxes],
      lines: lines.map(({ position, amount_minor }) => ({ position, amountMinor: Number(amount_minor) })),
    },
    authorKeys: row.author_keys,
  };
}

/** What credit notes of an invoice, issued and pending ones, have of its lines and taxes. */
export interface Credited {
  readonly byPosition: ReadonlyMap<number, number>;
  readonly taxMinorOf: (tax: Pick<CreditableTax, 'category' | 'rate'>) => number;
}

export async function sumCredited(transaction: TenantTransaction, invoiceId: string): Promise<Credited> {
  const { rows: lines } = await sql<{ position: number; amount: string }>`
    select position, sum(amount_minor) as amount from credit_note_lines line
    join credit_notes note on note.organization_id = line.organization_id and note.id = line.credit_note_id
    where note.organization_id = ${transaction.tenantId} and note.invoice_id = ${invoiceId} and note.state <> 'rejected'
    group by position`.execute(transaction);
  const { rows: taxes } = await sql<{ category: string; rate: string; amount: string }>`
    select tax ->> 'category' as category, tax ->> 'rate' as rate, sum((tax ->> 'taxMinor')::bigint) as amount
    from credit_notes note cross join jsonb_array_elements(note.taxes) tax
    where note.organization_id = ${transaction.tenantId} and note.invoice_id = ${invoiceId} and note.state <> 'rejected'
    group by 1, 2`.execute(transaction);
  return {
    byPosition: new Map(lines.map(({ position, amount }) => [position, Number(amount)])),
    taxMinorOf: ({ category, rate }) =>
      Number(taxes.find((tax) => tax.category === category && tax.rate === rate)?.amount ?? 0),
  };
}

/** A credit note to be added. */
interface NewCreditNote {
  readonly invoiceId: string;
  readonly reason: string;
  readonly taxes: CreditNoteWithLines['taxes'];
  readonly lines: CreditNoteWithLines['lines'];
  readonly requestedBy: string;
  readonly requestedByName: string;
  readonly authorKeys: readonly string[];
}

/** Adds a credit note that waits for its issue; its id. */
export async function insertCreditNote(
  transaction: TenantTransaction,
  { invoiceId, reason, taxes, lines, requestedBy, requestedByName, authorKeys }: NewCreditNote,
): Promise<string> {
  const id = newId('crn');
  const linesMinor = lines.reduce((total, { amountMinor }) => total + amountMinor, 0);
  const taxMinor = taxes.reduce((total, tax) => total + tax.taxMinor, 0);
  await transaction
    .insertInto('credit_notes')
    .values({
      id,
      organization_id: transaction.tenantId,
      invoice_id: invoiceId,
      state: 'pending',
      reason,
      taxes: JSON.stringify(taxes),
      lines_minor: linesMinor,
      tax_minor: taxMinor,
      total_minor: linesMinor + taxMinor,
      requested_by: requestedBy,
      requested_by_name: requestedByName,
      author_keys: [...authorKeys],
    })
    .execute();
  await sql`
    insert into credit_note_lines (organization_id, credit_note_id, position, amount_minor)
    select ${transaction.tenantId}, ${id}, * from unnest(
      ${lines.map(({ position }) => position)}::int[], ${lines.map(({ amountMinor }) => amountMinor)}::bigint[])`.execute(
    transaction,
  );
  return id;
}

/** Who decided on a credit note. */
interface Decision {
  readonly by: { readonly id: string; readonly name: string };
  readonly now: Date;
}

/**
 * Issues a credit note with the next number of its series, and credits its invoice.
 *
 * @param decision null: it needed no approval
 */
export async function issueCreditNote(
  transaction: TenantTransaction,
  { id, invoiceId, totalMinor }: Pick<CreditNote, 'id' | 'invoiceId' | 'totalMinor'>,
  issueDate: string,
  decision: Decision | null,
): Promise<CreditNoteWithLines> {
  const number = await takeCreditNoteNumber(transaction);
  await update(transaction, id, {
    state: 'issued',
    number: numberText(number),
    number_prefix: number.prefix,
    number_sequence: number.sequence,
    issue_date: issueDate,
    ...(decision && decided(decision)),
  });
  await changeMoney(transaction, invoiceId, { creditedMinor: totalMinor });
  return (await findCreditNote(transaction, id))!.creditNote;
}

export async function rejectCreditNote(
  transaction: TenantTransaction,
  id: string,
  { reason, ...decision }: Decision & { readonly reason: string },
): Promise<CreditNoteWithLines> {
  await update(transaction, id, { state: 'rejected', decision_reason: reason, ...decided(decision) });
  return (await findCreditNote(transaction, id))!.creditNote;
}

function decided({ by, now }: Decision) {
  return { decided_by: by.id, decided_by_name: by.name, decided_at: now };
}

async function update(
  transaction: TenantTransaction,
  id: string,
  changes: {
    readonly state: CreditNote['state'];
    readonly number?: string;
    readonly number_prefix?: string;
    readonly number_sequence?: number;
    readonly issue_date?: string;
    readonly decided_by?: string;
    readonly decided_by_name?: string;
    readonly decided_at?: Date;
    readonly decision_reason?: string;
  },
): Promise<void> {
  await transaction
    .updateTable('credit_notes')
    .set({ ...changes, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

function creditNotes(transaction: TenantTransaction) {
  return transaction
    .selectFrom('credit_notes')
    .innerJoin('invoices', (join) =>
      join
        .onRef('invoices.organization_id', '=', 'credit_notes.organization_id')
        .onRef('invoices.id', '=', 'credit_notes.invoice_id'),
    )
    .innerJoin('developers as developer', (join) =>
      join
        .onRef('developer.organization_id', '=', 'invoices.organization_id')
        .onRef('developer.id', '=', 'invoices.developer_id'),
    )
    .selectAll('credit_notes')
    .select([
      'invoices.number as invoice_number',
      'invoices.currency',
      'invoices.developer_id',
      'developer.name as developer_name',
    ])
    .where('credit_notes.organization_id', '=', transaction.tenantId);
}

function present(row: Row): CreditNote {
  return {
    id: row.id,
    number: row.number,
    state: row.state,
    invoiceId: row.invoice_id,
    invoiceNumber: row.invoice_number ?? '',
    developerId: row.developer_id,
    developerName: row.developer_name,
    currency: row.currency,
    issueDate: row.issue_date,
    reason: row.reason,
    linesMinor: Number(row.lines_minor),
    taxMinor: Number(row.tax_minor),
    totalMinor: Number(row.total_minor),
    requestedBy: row.requested_by,
    requestedByName: row.requested_by_name,
    decidedByName: row.decided_by_name,
    decidedAt: row.decided_at?.toISOString() ?? null,
    decisionReason: row.decision_reason,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
