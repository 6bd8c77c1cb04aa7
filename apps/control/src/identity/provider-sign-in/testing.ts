import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import type { TestControl } from '../../testing.ts';

/** Makes a domain one that the organization has verified, as by its DNS. */
export async function addVerifiedDomain(control: TestControl, organizationId: string, domain: string): Promise<void> {
  await sql`insert into portal_domains (id, organization_id, host_name, token, verified_at)
    values (${newId('pdm')}, ${organizationId}, ${domain}, 'x', now())`.execute(control.opened.database.system);
}

/** Makes a user one who has a password and one-time codes, neither of which anybody knows. */
export async function addUnknownCodes(control: TestControl, userId: string): Promise<void> {
  await sql`update users set mfa_secret = '\\x00', password_hash = 'x' where id = ${userId}`.execute(
    control.opened.database.system,
  );
}
