import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { createLogger } from '@millrace/logs';
import { tenantTransaction } from '@millrace/postgres';
import { assertAsManyStatements } from '@millrace/postgres/testing-statements';
import { readSettings } from '@millrace/settings/extraction';
import { hashPassword } from '@millrace/sign-in/passwords';
import { assertChecksAPassword } from '@millrace/sign-in/passwords-testing';
import { sql } from 'kysely';
import { insertUser } from '../../accounts/store.ts';
import {
  mailsTo,
  newAddress,
  openBrowser,
  signInAs,
  type TestBrowser,
  testPassword,
} from '../../http/dashboard-testing.ts';
import { startTestService, type TestService } from '../../http/testing.ts';
import { startService } from '../../service.ts';

const publicUrl = 'https://documents.example.com';
const ownPage = { origin: publicUrl, 'sec-fetch-site': 'same-origin' };
/** Statements of sending what stands in the outbox. */
const ofMails = /update "outbox"/;

describe('security of signing in to the dashboard', () => {
  let service: TestService;
  /** Another process's service on the same database, behind TLS. */
  let second: Pick<TestService, 'baseUrl' | 'stop'>;
  let passwordHash: string;
  before(async () => {
    const encryptionKey = randomBytes(32).toString('hex');
    service = await startTestService({ MILLRACE_TRUST_PROXY: '1', MILLRACE_ENCRYPTION_KEY: encryptionKey });
    const { settings } = readSettings({
      DATABASE_URL: service.opened.url,
      MILLRACE_DATA_DIR: service.dataFolder,
      MILLRACE_EXTRACTION_PORT: '0',
      MILLRACE_TRUST_PROXY: '1',
      MILLRACE_ENCRYPTION_KEY: encryptionKey,
      MILLRACE_PUBLIC_URL: publicUrl,
    });
    const { address, stop } = await startService(settings, 'api', createLogger('silent', process.stdout));
    second = { baseUrl: address!, stop };
    passwordHash = await hashPassword(testPassword);
  });
  after(async () => {
    await second?.stop();
    await service?.stop();
  });

  const system = () => service.opened.database.system;
  async function addPerson(): Promise<string> {
    const email = `person-${Math.random().toString(36).slice(2)}@example.com`;
    await tenantTransaction(service.opened.database, service.accountId, (transaction) =>
      insertUser(transaction, { email, name: 'Robin', role: 'member', passwordHash }),
    );
    return email;
  }
  const attempt = (email: string, password = testPassword, headers: Readonly<Record<string, string>> = newAddress()) =>
    openBrowser(service.baseUrl).signIn(email, password, headers);
  const endWaits = () => sql`update sign_in_windows set blocked_until = now()`.execute(system());
  const statusOf = async (browser: TestBrowser) => (await browser.call('GET', '/session')).status;

  test('a write of another site’s page is refused, and one that does not say whose it is', async () => {
    const email = await addPerson();
    const { origin } = new URL(service.baseUrl);
    const send = async (headers: Record<string, string>) => {
      const response = await fetch(`${service.baseUrl}/api/dashboard/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...newAddress(), ...headers },
        body: JSON.stringify({ email, password: testPassword }),
      });
      const set = response.headers.get('set-cookie');
      await response.text();
      return [response.status, set !== null];
    };
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: origin.replace('http:', 'https:') },
      { origin, 'sec-fetch-site': 'cross-site' },
      { origin, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ] as Record<string, string>[]) {
      assert.deepEqual(await send(headers), [403, false], JSON.stringify(headers));
    }
    assert.deepEqual(await send({ origin }), [200, true]);
    assert.deepEqual(await send({ 'sec-fetch-site': 'same-origin' }), [200, true]);
    const form = 'application/x-www-form-urlencoded';
    assert.deepEqual(await send({ origin, 'content-type': form }), [400, false], 'what a form can send is no JSON');
    assert.deepEqual(await send({ origin, 'content-type': 'text/plain' }), [400, false]);
  });

  test('a page that made its own name lead here is foreign, and so is every name but the public one', async () => {
    const email = await addPerson();
    const send = (baseUrl: string, host: string, origin: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      const headers = { ...newAddress(), host, origin, 'content-type': 'application/json' };
      const sent = request(`${baseUrl}/api/dashboard/v1/session`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end(JSON.stringify({ email, password: testPassword }));
      return promise;
    };
    const { host, port } = new URL(service.baseUrl);
    for (const rebound of [`evil.example:${port}`, `127.0.0.1.evil.example:${port}`]) {
      assert.equal(await send(service.baseUrl, rebound, `http://${rebound}`), 403);
    }
    assert.equal(await send(service.baseUrl, host, `http://${host}`), 200);
    assert.equal(await send(service.baseUrl, `localhost:${port}`, `http://localhost:${port}`), 200);
    const own = new URL(publicUrl);
    assert.equal(await send(second.baseUrl, own.host, own.origin), 200);
    for (const origin of [`http://${own.host}`, 'https://evil.example']) {
      assert.equal(await send(second.baseUrl, new URL(origin).host, origin), 403, origin);
    }
  });

  test('behind TLS, browsers are required to use TLS', async () => {
    const header = async (baseUrl: string, headers: Record<string, string> = {}) =>
      (await fetch(`${baseUrl}/api-docs`, { headers })).headers.get('strict-transport-security');
    assert.equal(await header(second.baseUrl), 'max-age=31536000');
    assert.equal(await header(service.baseUrl), null);
    assert.equal(
      await header(service.baseUrl, { 'x-forwarded-proto': 'https' }),
      'max-age=31536000',
      'by a trusted proxy',
    );
  });

  test('behind TLS the cookie is kept to this host and to encrypted connections', async () => {
    const email = await addPerson();
    const browser = openBrowser(second.baseUrl);
    const answer = await browser.signIn(email, testPassword, { ...newAddress(), ...ownPage });
    assert.match(
      answer.headers.getSetCookie()[0] ?? '',
      /^__Host-millrace_dashboard=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600; Secure$/,
    );
    assert.equal(await statusOf(browser), 200);
    const planted = openBrowser(second.baseUrl, browser.cookie().replace('__Host-', ''));
    assert.equal(await statusOf(planted), 401, 'which a sibling domain could plant');
  });

  test('a session that ends on one process has ended on every other', async () => {
    const here = await signInAs(service, { role: 'member' });
    const there = openBrowser(second.baseUrl, `__Host-${here.cookie()}`);
    assert.equal(await statusOf(there), 200);
    assert.equal((await here.call('DELETE', '/session')).status, 200);
    assert.equal(await statusOf(there), 401);
  });

  test('attempts of an address at an account have to wait, ever longer, on every process, whether it exists or not', async () => {
    for (const email of [await addPerson(), 'nobody@example.com']) {
      const from = newAddress();
      const guess = () => attempt(email, 'a wrong password', from);
      // At once: no more get through than are free.
      const flood = await Promise.all(Array.from({ length: 20 }, guess));
      const statuses = flood.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 401).length, 5, statuses.join());
      assert.equal(statuses.filter((status) => status === 429).length, 15);
      const waits: number[] = [];
      for (let failure = 0; failure < 3; failure++) {
        await endWaits();
        assert.equal((await guess()).status, 401);
        const refused = await openBrowser(second.baseUrl).signIn(email, testPassword, { ...from, ...ownPage });
        waits.push(refused.status === 429 ? Number(refused.headers.get('retry-after')) : 0);
        // The first waits may be over by then where the machine is slow.
        if (failure < 2) continue;
        assert.deepEqual([refused.status, refused.headers.get('set-cookie')], [429, null]);
        assert.match(refused.body.error.message, /Try again in \d+ seconds?\./);
      }
      assert.ok(
        waits.every((wait, index) => wait <= 10 * 2 ** index),
        waits.join(),
      );
      assert.ok(waits[2]! > 20, waits.join());
    }
  });

  test('an owner signs in while two strangers guess on and on, and is warned once', async () => {
    const email = await addPerson();
    const strangers = [newAddress(), newAddress()];
    for (let round = 0; round < 8; round++) {
      for (const from of strangers) {
        assert.ok([401, 429].includes((await attempt(email, 'a wrong password', from)).status));
      }
      if (round > 4 && round < 7) await endWaits();
    }
    for (const from of strangers) assert.equal((await attempt(email, testPassword, from)).status, 429);
    assert.equal((await attempt(email)).status, 200);
    const mails = await eventually('the warning', async () => {
      const found = await mailsTo(service, email);
      return found.length > 0 && found;
    });
    assert.equal(mails.length, 1);
    assert.match(mails[0] ?? '', /Failed attempts to sign in.*\/forgot-password/s);
  });

  test('guesses from many addresses have to wait, and a device that signed in before does not', async () => {
    const email = await addPerson();
    const known = await attempt(email);
    const cookie = known.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    assert.equal((await attempt(email, 'a wrong password')).status, 401);
    await sql`update sign_in_windows set failures = 98
      where key = 'sign_in account ' || ${createHash('sha256').update(email).digest('base64url')}`.execute(system());
    const flood = await Promise.all(Array.from({ length: 12 }, () => attempt(email, 'a wrong password')));
    assert.equal(flood.filter(({ status }) => status === 401).length, 2);
    assert.equal((await attempt(email)).status, 429);
    assert.equal((await openBrowser(service.baseUrl, cookie).signIn(email, testPassword, newAddress())).status, 200);
    const guess = () => openBrowser(service.baseUrl, cookie).signIn(email, 'a wrong password', newAddress());
    const guesses = await Promise.all(Array.from({ length: 12 }, guess));
    assert.equal(guesses.filter(({ status }) => status === 401).length, 5);
  });

  test('attempts from an address have to wait, whichever accounts they try', async () => {
    const headers = newAddress();
    const guess = () => attempt(`nobody-${Math.random()}@example.com`, 'a wrong password', headers);
    const statuses = (await Promise.all(Array.from({ length: 34 }, guess))).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, 30, statuses.join());
    // From here on the waits are longer than the machine may be slow.
    for (let failure = 0; failure < 3; failure++) {
      await endWaits();
      assert.equal((await guess()).status, 401);
    }
    const email = await addPerson();
    assert.equal((await attempt(email, testPassword, headers)).status, 429);
    assert.equal((await attempt(email)).status, 200);
  });

  test('calls without a session are few a minute from one address, which harms no other', async () => {
    const headers = newAddress();
    const browser = openBrowser(service.baseUrl);
    const calls = await Promise.all(
      Array.from({ length: 260 }, () => browser.call('GET', '/session', undefined, headers)),
    );
    assert.ok(calls.some(({ status }) => status === 429));
    assert.ok(calls.every(({ status }) => status === 429 || status === 401));
    assert.equal((await browser.call('GET', '/session', undefined, newAddress())).status, 401);
    const signedIn = await signInAs(service, { role: 'member' });
    assert.equal((await signedIn.call('GET', '/session', undefined, headers)).status, 200);
  });

  test('an unknown address, a wrong password and a disabled user get one answer', async () => {
    const disabled = await addPerson();
    await system().updateTable('users').set({ disabled_at: new Date() }).where('email', '=', disabled).execute();
    const answers = await Promise.all([
      attempt('nobody-else@example.com'),
      attempt(await addPerson(), 'a wrong password'),
      attempt(disabled),
    ]);
    for (const { status, body, headers } of answers) {
      assert.deepEqual([status, headers.get('set-cookie')], [401, null]);
      assert.deepEqual(body, {
        error: { code: 'sign_in_failed', message: 'The e-mail address or the password is wrong.' },
      });
    }
  });

  test('the time of an answer does not tell whether an account exists', async () => {
    const known = await Promise.all(Array.from({ length: 12 }, addPerson));
    const wrong = (email: string) => attempt(email, 'a wrong password');
    await assertAsManyStatements(
      ofMails,
      (index) => wrong(known[index]!),
      (index) => wrong(`nobody-${known[index]}`),
    );
    await assertChecksAPassword((index) => wrong(`no-${known[index]}`));

    // The answer to whoever asks for a link is there while nothing can be written about it yet.
    const email = known[0]!;
    const locked = await system()
      .transaction()
      .execute(async (transaction) => {
        await sql`lock table password_resets in access exclusive mode`.execute(transaction);
        const browser = openBrowser(service.baseUrl);
        return browser.call('POST', '/password-resets', { email }, newAddress());
      });
    assert.equal(locked.status, 200);
    await eventually('the mail', async () => (await mailsTo(service, email)).length === 1);
  });

  test('a token is replaced after an hour of use; the old one serves calls in progress, then ends', async () => {
    const browser = await signInAs(service, { role: 'member' });
    const old = openBrowser(service.baseUrl, browser.cookie());
    const ofUser = system().updateTable('sessions').where('user_id', '=', browser.userId);
    await ofUser.set({ rotated_at: sql<Date>`now() - interval '61 minutes'` }).execute();
    const calls = await Promise.all(Array.from({ length: 10 }, () => browser.call('GET', '/session')));
    assert.ok(calls.every(({ status }) => status === 200));
    assert.equal(calls.filter(({ headers }) => headers.get('set-cookie') !== null).length, 1, 'one new token');
    assert.notEqual(browser.cookie(), old.cookie());
    assert.equal(await statusOf(browser), 200);
    const under = await old.call('GET', '/session');
    assert.deepEqual([under.status, under.headers.get('set-cookie')], [200, null]);
    await ofUser.set({ previous_valid_until: sql<Date>`now() - interval '1 second'` }).execute();
    assert.equal(await statusOf(old), 401);
    assert.equal(await statusOf(browser), 200);
  });

  test('a session ends when it was not used for 12 hours, after 14 days, and with its user', async () => {
    const changes = [
      (userId: string) =>
        sql`update sessions set last_seen_at = now() - interval '12 hours 1 second' where user_id = ${userId}`,
      (userId: string) => sql`update sessions set expires_at = now() where user_id = ${userId}`,
      (userId: string) => sql`update users set disabled_at = now() where id = ${userId}`,
      (userId: string) => sql`update users set removed_at = now() where id = ${userId}`,
    ];
    for (const change of changes) {
      const browser = await signInAs(service, { role: 'member' });
      await change(browser.userId).execute(system());
      assert.equal(await statusOf(browser), 401);
    }
    const { rows } = await sql<{ days: number }>`
      select extract(epoch from expires_at - created_at) / 86400 as days from sessions limit 1`.execute(system());
    assert.equal(Number(rows[0]!.days), 14);
  });

  test('use puts the end of a session off', async () => {
    const browser = await signInAs(service, { role: 'member' });
    await sql`update sessions set last_seen_at = now() - interval '11 hours' where user_id = ${browser.userId}`.execute(
      system(),
    );
    assert.equal(await statusOf(browser), 200);
    const [session] = (await browser.call('GET', '/sessions')).body.items;
    assert.ok(Date.parse(session.expiresAt) > Date.now() + 11.9 * 3_600_000);
  });

  test('somebody has 100 sessions at most: the one longest unused ends', async () => {
    const browser = await signInAs(service, { role: 'member' });
    await sql`
      insert into sessions (id, account_id, user_id, token_hash, address, user_agent, last_seen_at, expires_at)
      select 'ses_' || ${browser.userId} || number, ${service.accountId}, ${browser.userId}, sha256(${browser.userId}::bytea || number::text::bytea), '', '',
             now() - number * interval '1 minute', now() + interval '1 day'
      from generate_series(1, 99) as number`.execute(system());
    assert.equal((await attempt(browser.email)).status, 200);
    const { items } = (await browser.call('GET', '/sessions')).body;
    assert.equal(items.length, 100);
    assert.ok(!items.some(({ id }: { id: string }) => id.endsWith(`${browser.userId}99`)));
  });

  test('each of many calls at once is let in by its own token', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => signInAs(service, { role: 'member' })));
    const answers = await Promise.all(
      Array.from({ length: 80 }, async (_, call) => {
        const person = people[call % people.length]!;
        const { body } = await person.call('GET', '/session');
        return body.user.id === person.userId;
      }),
    );
    assert.ok(answers.every(Boolean));
  });

  test('no password and no token stands in the log', () => {
    const log = service.logLines.join('');
    assert.ok(!log.includes(testPassword) && !log.includes('a wrong password'));
    assert.doesNotMatch(log, /millrace_dashboard=|token=/);
  });
});
