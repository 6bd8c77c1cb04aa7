import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@millrace/eventually';
import { tenantTransaction } from '@millrace/postgres';
import { hashPassword } from '@millrace/sign-in/passwords';
import { simpleParser } from 'mailparser';
import { insertUser } from '../accounts/store.ts';
import type { UserRole } from '../database/schema.ts';
import type { TestService } from './testing.ts';

/** An answer as a test reads it. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the answer, which a test knows the form of; null where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
  readonly body: any;
}

/** A browser with a page of the service open: it keeps the session's cookie and says where its calls come from. */
export interface TestBrowser {
  /** Name and value of the cookie that it has, empty while it has none. */
  cookie(): string;
  /** Calls an operation of the dashboard, by the path below `/api/dashboard/v1`. */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  signIn(email: string, password: string, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>;
}

export const testPassword = 'seven green lanterns';
/** Of the tests' users: hashing takes longer than most tests. */
const testPasswordHash = hashPassword(testPassword);

export function openBrowser(baseUrl: string, cookie = ''): TestBrowser {
  let kept = cookie;
  const call: TestBrowser['call'] = async (method, path, body, headers = {}) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${baseUrl}/api/dashboard/v1${path}`, {
      method,
      headers: {
        ...(method === 'GET' ? {} : { origin: new URL(baseUrl).origin }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(kept === '' ? {} : { cookie: kept }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const set = response.headers.getSetCookie().find((line) => !line.includes('millrace_device_'));
    if (set !== undefined) kept = /^[^=]+=;/.test(set) ? '' : set.split(';', 1)[0]!;
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : null };
  };
  return {
    cookie: () => kept,
    call,
    signIn: (email, password, headers) => call('POST', '/session', { email, password }, headers),
  };
}

/** A fresh address for `X-Forwarded-For`, which a service believes that trusts one proxy. */
export function newAddress(): Readonly<Record<string, string>> {
  addresses += 1;
  return { 'x-forwarded-for': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` };
}

let addresses = 0;

/** The mails that the service has sent to an address so far, the oldest first. */
export async function mailsTo({ dataFolder }: Pick<TestService, 'dataFolder'>, address: string): Promise<string[]> {
  const folder = join(dataFolder, 'mail');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
  const mails = await Promise.all(names.sort().map((name) => simpleParser(readFileSync(join(folder, name)))));
  return mails
    .filter(({ to }) => [to].flat().some((recipient) => recipient?.text === address))
    .map(({ subject, text }) => `${subject}\n${text}`);
}

/** The token of the link in the next mail to an address, after this many earlier ones. */
export async function tokenOfNextMail(
  service: Pick<TestService, 'dataFolder'>,
  address: string,
  before = 0,
): Promise<string> {
  return eventually(`a mail with a link to ${address}`, async () => {
    const mail = (await mailsTo(service, address))[before];
    return mail?.match(/\?token=([\w-]+)/)?.[1];
  });
}

/** Adds a user with {@link testPassword} to the first account, or to that given, and signs them in. */
export async function signInAs(
  service: Pick<TestService, 'baseUrl' | 'opened' | 'accountId'>,
  { role, accountId = service.accountId }: { readonly role: UserRole; readonly accountId?: string },
): Promise<TestBrowser & { readonly email: string; readonly userId: string }> {
  const email = `user-${Math.random().toString(36).slice(2)}@example.com`;
  const passwordHash = await testPasswordHash;
  await tenantTransaction(service.opened.database, accountId, (transaction) =>
    insertUser(transaction, { email, name: 'Robin Tester', role, passwordHash }),
  );
  const browser = openBrowser(service.baseUrl);
  const { status, body } = await browser.signIn(email, testPassword, newAddress());
  if (status !== 200) throw new Error(`The sign-in of a test was answered with ${status}.`);
  return { ...browser, email, userId: body.user.id };
}
