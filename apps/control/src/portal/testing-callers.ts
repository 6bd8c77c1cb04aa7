import { newId } from '@millrace/identifiers';
import { newSecret } from '@millrace/sign-in/secrets';
import { addDeveloper } from '../consumers/products/testing.ts';
import { portalSessionCookieName } from '../frame/authenticate.ts';
import type { PortalRole } from '../frame/operation.ts';
import { portalSessions } from '../frame/sessions.ts';
import type { TestCaller, TestControl } from '../testing.ts';

/** Somebody who is signed in to an organization's developer portal. */
export interface PortalTestCaller extends TestCaller {
  readonly developerId: string;
}

/** Opens an organization's portal. */
export async function openPortal({ opened }: TestControl, organizationId: string): Promise<void> {
  await opened.database.system
    .insertInto('portal_settings')
    .values({ organization_id: organizationId, open: true })
    .execute();
}

/** A portal user who is signed in, of a developer account of its own where none is given. */
export async function addPortalUser(
  control: TestControl,
  administrator: TestCaller,
  { role = 'owner', developerId }: { readonly role?: PortalRole; readonly developerId?: string } = {},
): Promise<PortalTestCaller> {
  const { organizationId } = administrator;
  const { system } = control.opened.database;
  const own = developerId ?? (await addDeveloper(administrator));
  const { secret, hash } = newSecret();
  const userId = newId('pus');
  await system
    .insertInto('portal_users')
    .values({
      id: userId,
      organization_id: organizationId,
      developer_id: own,
      email: `${userId}@example.com`,
      name: `Portal ${role}`,
      role,
    })
    .execute();
  await portalSessions.begin(system, organizationId, userId, {
    id: newId('pss'),
    tokenHash: hash,
    address: '127.0.0.1',
    userAgent: 'test',
  });
  const cookie = `${portalSessionCookieName}=${secret}`;
  return {
    userId,
    organizationId,
    developerId: own,
    sessionToken: secret,
    call: (method, path, body, headers) => control.call(method, path, body, { ...headers, cookie }),
  };
}

/** A registration whose confirmed address waits for approval. */
export async function addRegistration(
  control: TestControl,
  organizationId: string,
  registrant: { readonly name: string; readonly email: string; readonly company: string },
): Promise<void> {
  const now = new Date();
  await control.opened.database.system
    .insertInto('portal_registrations')
    .values({
      id: newId('prg'),
      organization_id: organizationId,
      ...registrant,
      locale: 'en',
      state: 'pending',
      terms_accepted_at: now,
      expires_at: now,
      confirmed_at: now,
    })
    .execute();
}
