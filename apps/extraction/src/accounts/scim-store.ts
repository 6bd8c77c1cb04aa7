import { scimStoreIn } from '@millrace/scim/store';
import { sql } from 'kysely';
import { newId } from '../identifiers.ts';

/** Users and groups of the dashboard, as clients of SCIM read and write them. */
export const scimStore = scimStoreIn({
  tenantColumn: 'account_id',
  // 28 bits of a hash of all that is answered: users have no version of their own.
  version: sql`('x' || substr(md5(row(u.email, u.name, u.disabled_at, s)::text), 1, 7))::bit(28)::int`,
  updatedAt: sql`coalesce(u.disabled_at, u.created_at)`,
  active: sql`u.disabled_at is null`,
  visible: sql`u.removed_at is null`,
  newGroupId: () => newId('sgr'),
});
