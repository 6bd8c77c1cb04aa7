import { randomBytes } from 'node:crypto';
import { newId } from '@millrace/identifiers';
import { type Lookup, recordNameOf, recordValueOf } from '@millrace/sign-in/domain-verification';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { emit } from '../../frame/events.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import { portalContentChanged } from '../events.ts';
import type { PortalDomain } from './contract.ts';
import { verifiedBy } from './rules.ts';

const columns = { hostName: 'host_name', createdAt: 'created_at' };

function selectDomains(transaction: TenantTransaction) {
  return transaction.selectFrom('portal_domains').selectAll().where('organization_id', '=', transaction.tenantId);
}

export async function listDomains(
  transaction: TenantTransaction,
  filters: Listing & { readonly state?: PortalDomain['state'] | undefined },
) {
  let query = selectDomains(transaction).where((builder) => matches(builder, ['host_name'], filters.search));
  if (filters.state !== undefined) {
    query = query.where('verified_at', filters.state === 'verified' ? 'is not' : 'is', null);
  }
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { domains: rows.map(present), total };
}

export async function findDomain(transaction: TenantTransaction, id: string): Promise<PortalDomain | null> {
  const row = await selectDomains(transaction).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** The domain, locked until the commit. */
export async function lockDomain(transaction: TenantTransaction, id: string): Promise<PortalDomain | null> {
  const row = await selectDomains(transaction).where('id', '=', id).forUpdate().executeTakeFirst();
  return row === undefined ? null : present(row);
}

export async function countDomains(transaction: TenantTransaction): Promise<number> {
  const { count } = await transaction
    .selectFrom('portal_domains')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organization_id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertDomain(transaction: TenantTransaction, hostName: string): Promise<PortalDomain> {
  const insertion = transaction
    .insertInto('portal_domains')
    .values({
      id: newId('pdm'),
      organization_id: transaction.tenantId,
      host_name: hostName,
      token: randomBytes(16).toString('hex'),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return present(
    await conflictsAt(insertion, {
      portal_domains_host_name_key: ['hostName', 'The portal has this domain already.'],
    }),
  );
}

/** Makes a domain the one that links use, or no longer. */
export async function setPrimary(transaction: TenantTransaction, id: string, primary: boolean): Promise<PortalDomain> {
  if (primary) {
    await transaction
      .updateTable('portal_domains')
      .set({ is_primary: false, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
      .where('organization_id', '=', transaction.tenantId)
      .where('is_primary', '=', true)
      .where('id', '<>', id)
      .execute();
  }
  return update(transaction, id, { is_primary: primary });
}

/**
 * Notes the result of a look-up. The first domain of a portal that is verified becomes its primary one.
 *
 * @throws ApiError `conflict` if another organization has verified the name
 */
export async function noteLookup(
  transaction: TenantTransaction,
  domain: PortalDomain,
  lookup: Lookup,
  now: Date,
): Promise<PortalDomain> {
  const { verifiedAt, missingSince, problem } = verifiedBy(domain, lookup, now);
  const { id } = domain;
  const noted = { checked_at: now, problem, missing_since: missingSince === null ? null : new Date(missingSince) };
  if (verifiedAt === null) return update(transaction, id, { ...noted, verified_at: null, is_primary: false });
  if (domain.verifiedAt !== null) return update(transaction, id, noted);
  const primary = await selectDomains(transaction).where('is_primary', '=', true).executeTakeFirst();
  const values = { ...noted, verified_at: now, is_primary: primary === undefined };
  return conflictsAt(update(transaction, id, values), {
    portal_domains_verified: [null, 'Another developer portal is at this domain. Remove it there first.'],
  });
}

async function update(
  transaction: TenantTransaction,
  id: string,
  values: Partial<Updateable<Schema['portal_domains']>>,
): Promise<PortalDomain> {
  const row = await transaction
    .updateTable('portal_domains')
    .set({ ...values, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  emit(transaction, portalContentChanged, {});
  return present(row);
}

export async function deleteDomain(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .deleteFrom('portal_domains')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
  emit(transaction, portalContentChanged, {});
}

type Row = Selectable<Schema['portal_domains']>;

function present(row: Row): PortalDomain {
  return {
    id: row.id,
    hostName: row.host_name,
    state: row.verified_at === null ? 'pending' : 'verified',
    primary: row.is_primary,
    recordName: recordNameOf(row.host_name),
    recordValue: recordValueOf(row.token),
    verifiedAt: row.verified_at?.toISOString() ?? null,
    checkedAt: row.checked_at?.toISOString() ?? null,
    problem: row.problem,
    missingSince: row.missing_since?.toISOString() ?? null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
