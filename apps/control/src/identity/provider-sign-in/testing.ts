import assert from 'node:assert/strict';
import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import type { TestAnswer, TestControl } from '../../testing.ts';

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

/** A cookie that an answer sets, as a request sends it; empty if it sets none of this name. */
export function cookieOf({ headers }: TestAnswer, name: string): string {
  return (
    headers
      .getSetCookie()
      .map((line) => line.split(';')[0]!)
      .find((pair) => pair.startsWith(`${name}=`)) ?? ''
  );
}

/** Asserts that a sign-in was refused, and that nobody is signed in by it. */
export function assertSignInRefused({ status, data, headers }: TestAnswer, message: RegExp): void {
  assert.equal(status, 401, JSON.stringify(data));
  assert.match(data.message, message);
  assert.deepEqual(headers.getSetCookie(), []);
}
