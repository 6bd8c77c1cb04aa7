import { newId } from '@millrace/identifiers';
import { newSecret } from '@millrace/sign-in/secrets';
import { addDeveloper, done } from '../../consumers/products/testing.ts';
import { portalSessionCookieName } from '../../frame/authenticate.ts';
import { portalSessions } from '../../frame/sessions.ts';
import type { TestAnswer, TestCaller, TestControl } from '../../testing.ts';

/** An organization with an open portal. */
export interface TestPortal {
  readonly organizationId: string;
  readonly name: string;
  readonly administrator: TestCaller;
  /** Reads as somebody who has not signed in; the path is below `/api/portal`. */
  visit(path: string): Promise<TestAnswer>;
  /** Reads as a developer who has signed in. */
  visitSignedIn(path: string): Promise<TestAnswer>;
}

/** Opens the portal of a new organization, whose administrator calls. */
export async function openPortal(control: TestControl): Promise<TestPortal> {
  const name = `portal-${newId('zzz').slice(-10)}`;
  const organizationId = await control.addOrganization(name);
  const administrator = await control.addUser(organizationId, ['organization_administrator']);
  await done(administrator, 'PATCH', '/portal-settings', { open: true });
  const cookie = await signIn(control, organizationId, await addDeveloper(administrator));
  const reading = (headers: Readonly<Record<string, string>>) => (path: string) => {
    const separator = path.includes('?') ? '&' : '?';
    return control.call('GET', `/portal${path}${separator}organization=${name}`, undefined, headers);
  };
  return { organizationId, name, administrator, visit: reading({}), visitSignedIn: reading({ cookie }) };
}

/** Signs an owner of a developer account in; the cookie. */
async function signIn({ opened }: TestControl, organizationId: string, developerId: string): Promise<string> {
  const { system } = opened.database;
  const id = newId('pus');
  const user = { id, organization_id: organizationId, developer_id: developerId, role: 'owner' as const };
  await system
    .insertInto('portal_users')
    .values({ ...user, email: `${id}@example.com`, name: 'Sam Example' })
    .execute();
  const { secret, hash } = newSecret();
  await portalSessions.begin(system, organizationId, id, {
    id: newId('pss'),
    tokenHash: hash,
    address: '127.0.0.1',
    userAgent: 'test',
  });
  return `${portalSessionCookieName}=${secret}`;
}
