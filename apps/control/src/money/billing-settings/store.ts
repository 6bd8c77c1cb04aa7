import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { findOrganization } from '../../identity/organizations/store.ts';
import type { BillingSettings } from './contract.ts';
import { completeBillingSettings } from './rules.ts';

type Row = Selectable<Schema['billing_settings']>;
type Logo = { readonly sizeBytes: number; readonly sha256: string } | null;
export type StoredBillingSettings = BillingSettings & { readonly logo: Logo; readonly version: number };

/** The settings; the defaults where none were set. */
export async function findBillingSettings(transaction: TenantTransaction): Promise<StoredBillingSettings> {
  return present(await settingsOf(transaction).executeTakeFirst());
}

/**
 * The settings, created where none were set, and locked until the commit: of concurrent calls, one at a time opens
 * periods or numbers credit notes.
 */
export async function lockBillingSettings(transaction: TenantTransaction): Promise<StoredBillingSettings> {
  await transaction
    .insertInto('billing_settings')
    .values({ organization_id: transaction.tenantId })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .execute();
  return present(await settingsOf(transaction).forNoKeyUpdate().executeTakeFirstOrThrow());
}

export async function updateBillingSettings(
  transaction: TenantTransaction,
  changes: { readonly settings?: BillingSettings; readonly logo?: Buffer | null },
): Promise<StoredBillingSettings> {
  const row = await transaction
    .updateTable('billing_settings')
    .set({
      ...(changes.settings === undefined ? {} : { settings: JSON.stringify(changes.settings) }),
      ...(changes.logo === undefined ? {} : { logo: changes.logo }),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', transaction.tenantId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return present(row);
}

/** The logo, a PNG file; null: there is none. */
export async function findLogo(transaction: TenantTransaction): Promise<Buffer | null> {
  return (await settingsOf(transaction).executeTakeFirst())?.logo ?? null;
}

/** A number of a series. */
export interface GivenNumber {
  readonly prefix: string;
  readonly sequence: number;
}

/**
 * Takes the next numbers of the invoices' series. The organization stays locked until the commit, so that the numbers
 * are given again if that fails.
 */
export async function takeInvoiceNumbers(
  transaction: TenantTransaction,
  count: number,
): Promise<readonly GivenNumber[]> {
  const { rows } = await sql`
    select from organizations where id = ${transaction.tenantId} for no key update`.execute(transaction);
  const organization = rows.length === 0 ? null : await findOrganization(transaction, transaction.tenantId);
  const { prefix, next } = organization!.settings.invoiceNumbering;
  const numbering = { ...organization!.settings.invoiceNumbering, next: next + count };
  await sql`
    update organizations
    set settings = settings || ${JSON.stringify({ invoiceNumbering: numbering })}::jsonb, version = version + 1
    where id = ${transaction.tenantId}`.execute(transaction);
  return Array.from({ length: count }, (_, index) => ({ prefix, sequence: next + index }));
}

/** Takes the next number of the credit notes' series, whose settings are locked until the commit. */
export async function takeCreditNoteNumber(transaction: TenantTransaction): Promise<GivenNumber> {
  const { logo: _, version: __, ...settings } = await lockBillingSettings(transaction);
  const { prefix, next } = settings.creditNoteNumbering;
  await updateBillingSettings(transaction, {
    settings: { ...settings, creditNoteNumbering: { prefix, next: next + 1 } },
  });
  return { prefix, sequence: next };
}

function settingsOf(transaction: TenantTransaction) {
  return transaction.selectFrom('billing_settings').selectAll().where('organization_id', '=', transaction.tenantId);
}

function present(row: Row | undefined): StoredBillingSettings {
  return {
    ...completeBillingSettings(row?.settings ?? {}),
    logo: logoOf(row?.logo ?? null),
    version: row?.version ?? 1,
  };
}

function logoOf(file: Buffer | null): Logo {
  return file && { sizeBytes: file.length, sha256: createHash('sha256').update(file).digest('hex') };
}
