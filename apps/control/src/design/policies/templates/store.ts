import { newId } from '@millrace/identifiers';
import { type Selectable, sql } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../../../database/schema.ts';
import { conflictsAt } from '../../../frame/database-errors.ts';
import { type Listing, matches, readPage } from '../../../frame/listing.ts';
import type { PolicyTemplate } from './contract.ts';

type Presented = z.infer<typeof PolicyTemplate>;
type Row = Selectable<Schema['policy_templates']>;

const columns = { name: 'name', kind: 'kind', createdAt: 'created_at', updatedAt: 'updated_at' };

export async function listPolicyTemplates(
  transaction: TenantTransaction,
  filters: Listing & { readonly kind?: string | undefined },
) {
  let query = transaction
    .selectFrom('policy_templates')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where((builder) => matches(builder, ['name', 'description'], filters.search));
  if (filters.kind !== undefined) query = query.where('kind', '=', filters.kind);
  const { rows, total } = await readPage(query, filters, columns, 'id');
  return { policyTemplates: rows.map(present), total };
}

/** @param lock blocks other writers until the commit */
export async function findPolicyTemplate(
  transaction: TenantTransaction,
  id: string,
  { lock = false } = {},
): Promise<Presented | null> {
  const query = transaction
    .selectFrom('policy_templates')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row === undefined ? null : present(row);
}

/** Adds a template. A name that is already used is a field error. */
export async function insertPolicyTemplate(
  transaction: TenantTransaction,
  values: Pick<Presented, 'name' | 'description' | 'kind' | 'configuration'>,
): Promise<Presented> {
  const row = await conflictsAt(
    transaction
      .insertInto('policy_templates')
      .values({
        id: newId('tpl'),
        organization_id: transaction.tenantId,
        name: values.name,
        description: values.description,
        kind: values.kind,
        configuration: JSON.stringify(values.configuration),
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
    taken,
  );
  return present(row);
}

/** Writes the template's fields. A name that is already used is a field error. */
export async function updatePolicyTemplate(transaction: TenantTransaction, values: Presented): Promise<Presented> {
  const row = await conflictsAt(
    transaction
      .updateTable('policy_templates')
      .set({
        name: values.name,
        description: values.description,
        configuration: JSON.stringify(values.configuration),
        version: sql`version + 1`,
        updated_at: sql`now()`,
      })
      .where('organization_id', '=', transaction.tenantId)
      .where('id', '=', values.id)
      .returningAll()
      .executeTakeFirstOrThrow(),
    taken,
  );
  return present(row);
}

const taken = {
  policy_templates_organization_id_name_key: ['name', 'Another policy template has this name.'],
} as const;

/** Removes the template; policies created from it stay without the reference. */
export async function deletePolicyTemplate(transaction: TenantTransaction, id: string): Promise<void> {
  await transaction
    .updateTable('policy_attachments')
    .set({ template_id: null, version: sql`version + 1` })
    .where('organization_id', '=', transaction.tenantId)
    .where('template_id', '=', id)
    .execute();
  await transaction
    .deleteFrom('policy_templates')
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

function present(row: Row): Presented {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    kind: row.kind,
    configuration: row.configuration as Presented['configuration'],
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
