import { newId } from '@millrace/identifiers';
import { scimStoreIn } from '@millrace/scim/store';
import { sql } from 'kysely';

/** Users and groups of the console, as clients read and write them. */
export const scimStore = scimStoreIn({
  tenantColumn: 'organization_id',
  version: sql`u.version`,
  updatedAt: sql`u.updated_at`,
  active: sql`u.state = 'active'`,
  // A client of one organization sees nobody who is above it.
  visible: sql`not exists (select from user_roles r where r.organization_id = u.organization_id
    and r.user_id = u.id and r.role_id = 'super_admin')`,
  newGroupId: () => newId('sgr'),
});
