import { randomBytes } from 'node:crypto';
import { createSealer } from '@millrace/encryption';
import { newId } from '@millrace/identifiers';
import { hashPassword } from '@millrace/sign-in/passwords';
import { newSecret } from '@millrace/sign-in/secrets';
import { portalSessionCookieName } from '../frame/authenticate.ts';
import type { PortalRole } from '../frame/operation.ts';
import { openMail } from '../frame/outbox.ts';
import { portalSessions } from '../frame/sessions.ts';
import type { TestAnswer, TestCaller, TestControl } from '../testing.ts';

/** The password of every portal user that a test adds. */
export const portalPassword = 'seven green lanterns';
const passwordHash = hashPassword(portalPassword);

/**
 * Settings of a control plane whose portals are tested: calls come from the addresses that they say, and no server takes
 * e-mails, so that they stay in the outbox for {@link TestPortal.mailsTo}.
 */
export const portalTestSettings = { MILLRACE_TRUST_PROXY: '1', MILLRACE_SMTP_URL: 'smtp://127.0.0.1:9' };

/** Somebody who is signed in to a developer portal. */
export interface TestPortalUser {
  readonly userId: string;
  readonly developerId: string;
  readonly email: string;
  readonly cookie: string;
  /** Calls a portal operation as this user. */
  readonly call: TestCaller['call'];
}

/** An organization with an open developer portal. */
export interface TestPortal {
  readonly organizationId: string;
  readonly name: string;
  /** Calls a portal operation as a visitor from an address of their own, or as the headers say. */
  readonly call: TestCaller['call'];
  /** A developer, made by an operator; its id. */
  addDeveloper(email?: string): Promise<string>;
  /** A portal user of a new developer account, or of the given one. */
  addUser(role: PortalRole, developerId?: string): Promise<TestPortalUser>;
  /** E-mails to an address, the oldest first. */
  mailsTo(email: string): Promise<readonly { readonly subject: string; readonly text: string }[]>;
}

/** @param control started with {@link portalTestSettings} */
export async function openTestPortal(
  control: TestControl,
  registration: 'open' | 'approval' | 'closed' = 'open',
): Promise<TestPortal> {
  const { system } = control.opened.database;
  const name = `acme-${randomBytes(6).toString('hex')}`;
  const organizationId = await control.addOrganization(name);
  await system
    .insertInto('portal_settings')
    .values({ organization_id: organizationId, open: true, registration })
    .execute();
  const sealer = createSealer([control.encryptionKey], 'control outbox');

  const callAs =
    (own: Readonly<Record<string, string>>): TestCaller['call'] =>
    (method, path, body, headers) => {
      const address = { 'x-forwarded-for': newAddress() };
      const query = `${path.includes('?') ? '&' : '?'}organization=${name}`;
      return control.call(method, `${path}${query}`, body, { ...address, ...own, ...headers });
    };

  async function addDeveloper(email = `${newId('dev')}@example.com`): Promise<string> {
    const id = newId('dev');
    await system
      .insertInto('developers')
      .values({ id, organization_id: organizationId, email, name: 'Developer', company: 'Example Shops' })
      .execute();
    return id;
  }

  return {
    organizationId,
    name,
    call: callAs({}),
    addDeveloper,
    addUser: async (role, given) => {
      const developerId = given ?? (await addDeveloper());
      const userId = newId('pus');
      const email = `${userId}@example.com`;
      const user = { id: userId, organization_id: organizationId, developer_id: developerId, email, role };
      await system
        .insertInto('portal_users')
        .values({ ...user, name: 'Robin Doe', password_hash: await passwordHash })
        .execute();
      const { secret, hash } = newSecret();
      const session = { id: newId('pss'), tokenHash: hash, address: '127.0.0.1', userAgent: 'test' };
      await portalSessions.begin(system, organizationId, userId, session);
      const cookie = `${portalSessionCookieName}=${secret}`;
      return { userId, developerId, email, cookie, call: callAs({ cookie }) };
    },
    mailsTo: async (email) => {
      const rows = await system
        .selectFrom('outbox')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('id')
        .execute();
      return rows.map((row) => openMail(sealer, row)).filter(({ to }) => to === email);
    },
  };
}

/** Another one each time, so that limits by address don't meet tests that aren't about them. */
function newAddress(): string {
  const [second, third, fourth] = randomBytes(3);
  return `10.${second}.${third}.${fourth}`;
}

/** The cookies that an answer sets, as the browser sends them back. */
export function cookiesOf({ headers }: TestAnswer): string {
  return headers
    .getSetCookie()
    .map((set) => set.split(';', 1)[0])
    .join('; ');
}

/** The token of an e-mail’s link. */
export function tokenIn(mail: { readonly text: string } | undefined): string {
  return mail?.text.match(/token=([\w-]{43})/)?.[1] ?? '';
}
