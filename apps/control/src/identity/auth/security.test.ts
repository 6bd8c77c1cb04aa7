import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import { createLogger } from '@millrace/logs';
import { assertAsManyStatements } from '@millrace/postgres/testing-statements';
import { readSettings } from '@millrace/settings/control';
import { hashPassword } from '@millrace/sign-in/passwords';
import { assertChecksAPassword } from '@millrace/sign-in/passwords-testing';
import { newSecret } from '@millrace/sign-in/secrets';
import { sql } from 'kysely';
import { type Service, startService } from '../../service.ts';
import { startTestControl, type TestControl } from '../../testing.ts';

const password = 'seven green lanterns';
const publicUrl = 'https://millrace.example';
/** Statements of sending what stands in the outbox, and of an audit chain that the second service has also written to. */
const ofOthers = /update "outbox"|insert into audit_heads/;

describe('sign-in security', () => {
  let control: TestControl;
  /** Another process's service on the same database, behind TLS. */
  let second: Service;
  let secondFolder: string;
  let organizationId: string;
  let passwordHash: string;
  before(async () => {
    control = await startTestControl({ MILLRACE_TRUST_PROXY: '1' });
    secondFolder = mkdtempSync(join(tmpdir(), 'millrace-test-control-'));
    const { settings } = readSettings({
      DATABASE_URL: control.opened.url,
      MILLRACE_DATA_DIR: secondFolder,
      MILLRACE_CONTROL_PORT: '0',
      MILLRACE_CONTROL_PUBLIC_URL: publicUrl,
      MILLRACE_TRUST_PROXY: '1',
      MILLRACE_SEED: '0',
      MILLRACE_ENCRYPTION_KEY: control.encryptionKey.toString('hex'),
    });
    second = await startService({ settings, logger: createLogger('silent', { write: () => undefined }) });
    organizationId = await control.addOrganization();
    passwordHash = await hashPassword(password);
  });
  after(async () => {
    await second.stop();
    rmSync(secondFolder, { recursive: true, force: true });
    await control.stop();
  });

  async function addPerson(): Promise<string> {
    const { userId } = await control.addUser(organizationId, ['developer']);
    await control.opened.database.system
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('id', '=', userId)
      .execute();
    return `${userId}@example.com`;
  }

  let addresses = 0;
  /** Attempts of one test are not counted together with another's. */
  const newAddress = () => `198.51.${++addresses >> 8}.${addresses & 255}`;

  const post = (baseUrl: string, path: string, body: object | undefined, headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}/api${path}`, {
      method: 'POST',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const attempt = (email: string, given = password, ip = newAddress(), baseUrl = control.baseUrl) =>
    post(baseUrl, '/auth/login', { email, password: given }, { 'x-forwarded-for': ip });

  test('a write from another site’s page is rejected; one from its own pages or a program is not', async () => {
    const email = await addPerson();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: control.baseUrl.replace('127.0.0.1', '127.0.0.1.evil.example') },
      { origin: `${control.baseUrl}1` },
      { origin: control.baseUrl, 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ];
    const own: Record<string, string>[] = [
      {},
      { origin: control.baseUrl, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of foreign) {
      const victim = await control.addUser(organizationId, ['developer']);
      const answer = await victim.call('POST', '/auth/logout', undefined, headers);
      assert.equal(answer.status, 403, JSON.stringify(headers));
      assert.equal((await victim.call('GET', '/auth/session', undefined, headers)).status, 200);
      const login = await post(control.baseUrl, '/auth/login', { email, password }, headers);
      assert.deepEqual([login.status, login.headers.get('set-cookie')], [403, null]);
    }
    for (const headers of own) {
      const user = await control.addUser(organizationId, ['developer']);
      assert.equal((await user.call('POST', '/auth/logout', undefined, headers)).status, 200, JSON.stringify(headers));
    }
    const text = await fetch(`${control.baseUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify({ email, password }),
    });
    assert.equal(text.status, 415, 'what a form can send is no JSON');
  });

  test('a page whose host name resolves here is foreign, as is every name but the public one', async () => {
    const email = await addPerson();
    const send = (baseUrl: string, host: string, origin: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      const headers = { ...{ 'x-forwarded-for': newAddress() }, host, origin, 'content-type': 'application/json' };
      const sent = request(`${baseUrl}/api/auth/login`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end(JSON.stringify({ email, password: password }));
      return promise;
    };
    const { host, port } = new URL(control.baseUrl);
    for (const rebound of [`evil.example:${port}`, `127.0.0.1.evil.example:${port}`]) {
      assert.equal(await send(control.baseUrl, rebound, `http://${rebound}`), 403);
    }
    assert.equal(await send(control.baseUrl, host, `http://${host}`), 200);
    assert.equal(await send(control.baseUrl, `localhost:${port}`, `http://localhost:${port}`), 200);
    const own = new URL(publicUrl);
    assert.equal(await send(second.address, own.host, own.origin), 200);
    for (const origin of [`http://${own.host}`, 'https://evil.example']) {
      assert.equal(await send(second.address, new URL(origin).host, origin), 403, origin);
    }
  });

  test('behind TLS browsers are required to use TLS', async () => {
    const header = async (baseUrl: string, headers: Record<string, string> = {}) =>
      (await fetch(`${baseUrl}/api-docs`, { headers })).headers.get('strict-transport-security');
    assert.equal(await header(second.address), 'max-age=31536000');
    assert.equal(await header(control.baseUrl), null);
    assert.equal(
      await header(control.baseUrl, { 'x-forwarded-proto': 'https' }),
      'max-age=31536000',
      'by a trusted proxy',
    );
  });

  test('behind TLS the cookie is limited to this host and encrypted connections', async () => {
    const email = await addPerson();
    const answer = await attempt(email, password, newAddress(), second.address);
    const set = answer.headers.getSetCookie()[0] ?? '';
    assert.match(set, /^__Host-millrace_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800; Secure$/);
    const token = set.match(/=([\w-]{43})/)?.[1];
    const session = (cookie: string) => fetch(`${second.address}/api/auth/session`, { headers: { cookie } });
    assert.equal((await session(`__Host-millrace_session=${token}`)).status, 200);
    assert.equal((await session(`millrace_session=${token}`)).status, 401, 'which a sibling domain could plant');
  });

  test('a user has at most 100 sessions: the least recently used one ends', async () => {
    const user = await control.addUser(organizationId, ['developer']);
    const { system } = control.opened.database;
    await system.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', user.userId).execute();
    await sql`
      insert into sessions (id, organization_id, user_id, token_hash, ip, user_agent, last_seen_at, absolute_expires_at)
      select 'ses_' || ${user.userId} || number, ${organizationId}, ${user.userId}, sha256(number::text::bytea), '', '',
             now() - number * interval '1 minute', now() + interval '1 day'
      from generate_series(1, 99) as number`.execute(system);
    assert.equal((await user.call('GET', '/auth/sessions')).data.total, 100);
    assert.equal((await attempt(`${user.userId}@example.com`)).status, 200);
    const { data } = await user.call('GET', '/auth/sessions?sort=-lastSeenAt&pageSize=100');
    assert.equal(data.total, 100);
    assert.ok(!data.sessions.some(({ id }: { id: string }) => id === `ses_${user.userId}99`));
  });

  test('concurrent calls are authenticated by their own tokens, and never after their session has ended', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => control.addUser(organizationId, ['developer'])));
    const ended = new Set<string>();
    let stopped = false;
    let calls = 0;
    const loads = people
      .flatMap((person) => [person, person])
      .map(async ({ userId, call }) => {
        while (!stopped) {
          const hadEnded = ended.has(userId);
          const [own, nonsense] = await Promise.all([
            call('GET', '/auth/session'),
            control.call('GET', '/auth/session', undefined, { cookie: `millrace_session=${newSecret().secret}` }),
          ]);
          assert.equal(nonsense.status, 401);
          if (own.status === 200) assert.deepEqual([own.data.user.id, hadEnded], [userId, false]);
          else assert.equal(own.status, 401);
          calls += 1;
        }
      });
    try {
      for (const { userId, call } of people.slice(0, 6)) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        assert.equal((await call('POST', '/auth/logout')).status, 200);
        ended.add(userId);
      }
      for (const { userId, call } of people) {
        assert.equal((await call('GET', '/auth/session')).status, ended.has(userId) ? 401 : 200);
      }
    } finally {
      stopped = true;
      await Promise.all(loads);
    }
    assert.ok(calls > people.length * 2);
  });

  test('a session that ends on one process ends on all of them', async () => {
    const email = await addPerson();
    const cookie = ((await attempt(email)).headers.get('set-cookie') ?? '').split(';')[0]!;
    const elsewhere = { cookie: `__Host-${cookie}` };
    const there = () => fetch(`${second.address}/api/auth/session`, { headers: elsewhere });
    assert.equal((await there()).status, 200);
    assert.equal((await post(control.baseUrl, '/auth/logout', undefined, { cookie })).status, 200);
    assert.equal((await there()).status, 401);
  });

  test('attempts from an address at an account wait longer and longer, on every process, whether the account exists or not', async () => {
    for (const email of [await addPerson(), 'nobody@example.com']) {
      const ip = newAddress();
      const flood = await Promise.all(Array.from({ length: 20 }, () => attempt(email, 'a wrong password', ip)));
      const statuses = flood.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 401).length, 5, statuses.join());
      assert.equal(statuses.filter((status) => status === 429).length, 15);
      const waits: number[] = [];
      for (let failure = 0; failure < 3; failure++) {
        await endWaits();
        assert.equal((await attempt(email, 'a wrong password', ip)).status, 401);
        // The first waits may be over by then where the machine is slow.
        const again = await attempt(email, failure < 2 ? 'a wrong password' : password, ip, second.address);
        assert.equal(again.headers.get('set-cookie'), null);
        waits.push(again.status === 429 ? Number(again.headers.get('retry-after')) : 0);
      }
      assert.ok(waits.at(-1)! > 20, waits.join());
      await endWaits();
    }
  });

  test('an owner can sign in while two strangers keep guessing, and is warned once', async () => {
    const email = await addPerson();
    const strangers = [newAddress(), newAddress()];
    for (let round = 0; round < 8; round++) {
      for (const ip of strangers) assert.ok([401, 429].includes((await attempt(email, 'a wrong password', ip)).status));
      if (round > 4 && round < 7) await endWaits();
    }
    for (const ip of strangers) assert.equal((await attempt(email, password, ip)).status, 429);
    assert.equal((await attempt(email, password)).status, 200);
    const warnings = async () => {
      const { rows } = await sql<{ note: string; severity: string }>`
        select note, severity from audit_entries entry join users on users.id = entry.entity_id
        where users.email = ${email} and note like 'Many sign-ins failed%'`.execute(control.opened.database.system);
      return rows;
    };
    await eventually('the warning', async () => (await warnings()).length > 0);
    assert.deepEqual(
      (await warnings()).map(({ severity }) => severity),
      ['high'],
    );
    const mail = await sql`select 1 from outbox`.execute(control.opened.database.system);
    assert.ok(mail.rows.length > 0);
  });

  test('guesses from many addresses have to wait, a known device doesn’t', async () => {
    const email = await addPerson();
    const known = await attempt(email);
    const cookie = known.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    const windows = control.opened.database.system.updateTable('sign_in_windows');
    assert.equal((await attempt(email, 'a wrong password')).status, 401);
    const ofAccount = sql<boolean>`key = 'sign_in account ' || ${createHash('sha256').update(email).digest('base64url')}`;
    await windows.set({ failures: 98 }).where(ofAccount).execute();
    const flood = await Promise.all(Array.from({ length: 12 }, () => attempt(email, 'a wrong password')));
    const statuses = flood.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, 2, statuses.join());
    assert.equal((await attempt(email)).status, 429);

    const from = (sent: string, given = password) =>
      post(
        control.baseUrl,
        '/auth/login',
        { email, password: given },
        { 'x-forwarded-for': newAddress(), cookie: sent },
      );
    assert.equal((await from(cookie)).status, 200);
    // What a device proves for one account it proves for no other, and a thief of it guesses no more than anybody.
    const other = await addPerson();
    const [name = ''] = ((await attempt(other)).headers.getSetCookie()[1] ?? '').split('=', 1);
    const stolen = cookie.replace(/millrace_device_[0-9a-f]+/, name);
    const ofOther = sql<boolean>`key = 'sign_in account ' || ${createHash('sha256').update(other).digest('base64url')}`;
    const anyone = () =>
      post(
        control.baseUrl,
        '/auth/login',
        { email: other, password },
        { 'x-forwarded-for': newAddress(), cookie: stolen },
      );
    await attempt(other, 'a wrong password');
    await windows
      .set({ failures: 100, blocked_until: new Date(Date.now() + 60_000) })
      .where(ofOther)
      .execute();
    assert.equal((await anyone()).status, 429);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => from(cookie, 'a wrong password')));
    assert.equal(guesses.filter(({ status }) => status === 401).length, 5);

    // A link of a reset makes the device of the owner a known one.
    const { secret, hash } = newSecret();
    await sql`insert into password_resets (id, organization_id, user_id, token_hash, expires_at)
      select ${newId('pwr')}, organization_id, id, ${hash}, now() + interval '1 hour' from users
      where email = ${other}`.execute(control.opened.database.system);
    const confirmed = await post(control.baseUrl, '/auth/password-resets/confirm', {
      token: secret,
      newPassword: 'eight green lanterns',
    });
    const owned = (confirmed.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
    const back = await post(
      control.baseUrl,
      '/auth/login',
      { email: other, password: 'eight green lanterns' },
      { 'x-forwarded-for': newAddress(), cookie: owned },
    );
    assert.equal(back.status, 200);
  });

  test('a forged client address is not trusted', async () => {
    const email = await addPerson();
    const last = newAddress();
    const statuses: number[] = [];
    for (let index = 0; index < 7; index++) {
      statuses.push((await attempt(email, 'a wrong password', `${newAddress()}, ${last}`)).status);
    }
    assert.deepEqual(statuses.slice(5), [429, 429]);
  });

  test('a successful sign-in resets the count, and a failed one counts although its transaction is rolled back', async () => {
    const email = await addPerson();
    for (let round = 0; round < 2; round++) {
      for (let failure = 0; failure < 4; failure++) assert.equal((await attempt(email, 'wrong')).status, 401);
      assert.equal((await attempt(email)).status, 200);
    }
  });

  test('attempts from an address have to wait, whichever accounts they try; an IPv6 network is one address', async () => {
    const stranger = () => `nobody-${newId('usr')}@example.com`;
    const windows = control.opened.database.system.updateTable('sign_in_windows');
    for (const [key, from] of [
      ['203.0.113.9', () => '203.0.113.9'],
      ['2001:db8:1:2', (index: number) => `2001:db8:1:2:${index}::${index}`],
    ] as const) {
      assert.equal((await attempt(stranger(), 'wrong', from(1))).status, 401);
      await windows.set({ failures: 28 }).where('key', '=', `sign_in address ${key}`).execute();
      const statuses: number[] = [];
      for (const index of [2, 3, 4]) statuses.push((await attempt(stranger(), 'wrong', from(index))).status);
      assert.deepEqual(statuses, [401, 401, 429]);
    }
    assert.equal((await attempt('else@example.com', 'wrong', '2001:db8:1:3::1')).status, 401);
  });

  test('response times don’t reveal whether an account exists', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, addPerson));
    const wrong = (email: string) => attempt(email, 'a wrong password');
    const reset = (email: string) =>
      post(control.baseUrl, '/auth/password-resets', { email }, { 'x-forwarded-for': newAddress() });
    for (const call of [wrong, reset]) {
      await assertAsManyStatements(
        ofOthers,
        (index) => call(people[index]!),
        (index) => call(`no-${people[index]}`),
      );
    }
    await assertChecksAPassword((index) => wrong(`nobody-${people[index]}`));
  });

  test('a change of permissions gives the session a new token; the old one serves calls in progress, and then expires', async () => {
    const user = await control.addUser(organizationId, ['developer']);
    const sessions = control.opened.database.system.updateTable('sessions').where('user_id', '=', user.userId);
    await sessions.set({ rotate: true }).execute();
    const both = await Promise.all([user.call('GET', '/auth/session'), user.call('GET', '/auth/session')]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    const cookies = both.map(({ headers }) => headers.get('set-cookie')).filter((set) => set !== null);
    assert.equal(cookies.length, 1);
    const cookie = cookies[0]!.split(';')[0]!;
    assert.ok(!cookie.includes(user.sessionToken));
    assert.equal((await control.call('GET', '/auth/session', undefined, { cookie })).status, 200);
    await sessions.set({ previous_valid_until: new Date(Date.now() - 1) }).execute();
    assert.equal((await user.call('GET', '/auth/session')).status, 401);
    assert.equal((await control.call('GET', '/auth/session', undefined, { cookie })).status, 200);
  });

  test('a session ends after 12 hours without use, after 7 days, and with its user or organization', async () => {
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    const { system } = control.opened.database;
    const ended = async (end: (user: { userId: string; organizationId: string }) => Promise<unknown>) => {
      const user = await control.addUser(await control.addOrganization(), ['developer']);
      assert.equal((await user.call('GET', '/auth/session')).status, 200);
      await end(user);
      assert.equal((await user.call('GET', '/auth/session')).status, 401);
    };
    const session = (userId: string) => system.updateTable('sessions').where('user_id', '=', userId);
    await ended(({ userId }) =>
      session(userId)
        .set({ last_seen_at: hours(-12.01) })
        .execute(),
    );
    await ended(({ userId }) =>
      session(userId)
        .set({ absolute_expires_at: hours(0) })
        .execute(),
    );
    await ended(({ userId }) =>
      system.updateTable('users').set({ state: 'suspended' }).where('id', '=', userId).execute(),
    );
    await ended((user) =>
      system.updateTable('organizations').set({ state: 'suspended' }).where('id', '=', user.organizationId).execute(),
    );
    const user = await control.addUser(organizationId, ['developer']);
    await session(user.userId)
      .set({ last_seen_at: hours(-11) })
      .execute();
    await user.call('GET', '/auth/session');
    const { sessions } = (await user.call('GET', '/auth/sessions')).data;
    assert.ok(Date.parse(sessions[0].lastSeenAt) > Date.now() - 60_000, 'a call puts the end off');
  });

  test('a Super Admin’s own account stays the same in every organization', async () => {
    const home = await control.addOrganization();
    const root = await control.addUser(home, ['super_admin']);
    const elsewhere = { 'x-organization-id': organizationId };
    assert.equal((await root.call('GET', '/auth/session', undefined, elsewhere)).data.organization.id, home);
    const changed = await root.call('PATCH', '/auth/profile', { name: 'Root' }, elsewhere);
    assert.deepEqual([changed.status, changed.data.name], [200, 'Root']);
    const row = await control.opened.database.system
      .selectFrom('audit_entries')
      .select('organization_id')
      .where('entity_id', '=', root.userId)
      .executeTakeFirst();
    assert.equal(row?.organization_id, home);
  });

  test('a service account can read itself, and has no profile, password or sessions', async () => {
    const { secret, hash } = newSecret('mrt_');
    const id = newId('sva');
    const { system } = control.opened.database;
    await system
      .insertInto('service_accounts')
      .values({ id, organization_id: organizationId, name: id, permissions: ['proxy.read'], owner_ids: [] })
      .execute();
    await system
      .insertInto('service_account_tokens')
      .values({
        id: newId('tok'),
        organization_id: organizationId,
        service_account_id: id,
        name: 'ci',
        prefix: 'mrt_',
        token_hash: hash,
      })
      .execute();
    const headers = { authorization: `Bearer ${secret}` };
    const session = await control.call('GET', '/auth/session', undefined, headers);
    assert.deepEqual(
      [session.data.kind, session.data.user, session.data.serviceAccount, session.data.permissions],
      ['service_account', null, { id, name: id }, ['proxy.read']],
    );
    for (const [method, path] of [
      ['GET', '/auth/sessions'],
      ['POST', '/auth/logout'],
      ['DELETE', '/auth/sessions'],
    ] as const) {
      assert.equal((await control.call(method, path, undefined, headers)).status, 403);
    }
  });

  test('no password, token or link is in the log or the audit trail', async () => {
    const email = await addPerson();
    const signedIn = await attempt(email);
    const token = (signedIn.headers.get('set-cookie') ?? '').match(/=([\w-]{43})/)?.[1] ?? '';
    await attempt(email, 'a secret that is wrong');
    await post(control.baseUrl, '/auth/password-resets', { email });
    await post(control.baseUrl, '/auth/password-resets/confirm', {
      token: 't'.repeat(43),
      newPassword: 'x'.repeat(12),
    });
    const entries = await sql<{ text: string }>`select audit_entries::text as text from audit_entries`.execute(
      control.opened.database.system,
    );
    const kept = control.logLines.join('\n') + entries.rows.map(({ text }) => text).join('\n');
    assert.ok(kept.includes('/api/auth/login'));
    for (const secret of [password, token, 'a secret that is wrong', 't'.repeat(43), 'reset-password?token']) {
      assert.ok(!kept.includes(secret), secret);
    }
  });

  /** Lets the time of every wait pass. */
  async function endWaits(): Promise<void> {
    await control.opened.database.system
      .updateTable('sign_in_windows')
      .set({ blocked_until: new Date(Date.now() - 1_000) })
      .execute();
  }
});
