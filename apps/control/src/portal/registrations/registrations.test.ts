import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import { startTestControl, type TestControl } from '../../testing.ts';
import { cookiesOf, openTestPortal, portalTestSettings, type TestPortal, tokenIn } from '../testing.ts';

const password = 'seven green lanterns';

describe('registrations', () => {
  let control: TestControl;
  let portal: TestPortal;
  before(async () => {
    control = await startTestControl(portalTestSettings);
    portal = await openTestPortal(control);
  });
  after(() => control.stop());

  const newEmail = () => `${newId('usr')}@example.com`;

  const bodyFor = (email: string, more: object = {}) => ({
    email,
    name: 'Noor New',
    company: 'Example Freight',
    password,
    locale: 'en',
    acceptedTerms: true,
    ...more,
  });

  /** Registers an address; the browser's cookie and the last link's token. */
  async function register(email: string, { at = portal, more = {} } = {}) {
    const answer = await at.call('POST', '/portal/registrations', bodyFor(email, more));
    assert.equal(answer.status, 200, JSON.stringify(answer.data));
    const mail = (await at.mailsTo(email)).at(-1);
    return { answer, mail, token: tokenIn(mail), cookie: cookiesOf(answer) };
  }

  const confirm = (body: object, cookie = '', at = portal) =>
    at.call('POST', '/portal/registrations/confirm', body, { cookie });

  const signIn = (email: string, at = portal) => at.call('POST', '/portal/sessions', { email, password });

  const rowsOf = (email: string, at = portal) =>
    control.opened.database.system
      .selectFrom('portal_registrations')
      .selectAll()
      .where('organization_id', '=', at.organizationId)
      .where('email', '=', email)
      .execute();

  test('a confirmed address makes a developer account, whose owner is signed in', async () => {
    const email = newEmail();
    const registered = await portal.call('POST', '/portal/registrations', bodyFor(email.toUpperCase()));
    assert.deepEqual([registered.status, registered.data], [200, {}]);
    const [sent] = await portal.mailsTo(email);
    assert.match(sent?.text ?? '', new RegExp(`/portal/${portal.name}/confirm\\?token=[\\w-]{43}`));
    assert.ok(!sent?.text.includes('Noor'), 'free text of strangers is not mailed');
    assert.equal((await signIn(email)).status, 401, 'nobody signs in before the address is confirmed');

    const confirmed = await confirm({ token: tokenIn(sent) }, cookiesOf(registered));
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.data));
    const { outcome, session } = confirmed.data;
    assert.deepEqual(
      [outcome, session.user.email, session.user.role, session.account.company, session.organization.name],
      ['signed_in', email, 'owner', 'Example Freight', portal.name],
    );
    const current = await portal.call('GET', '/portal/session', undefined, { cookie: cookiesOf(confirmed) });
    assert.deepEqual(current.data, session);
    const changes = await control.opened.database.system
      .selectFrom('consumer_changes')
      .selectAll()
      .where('organization_id', '=', portal.organizationId)
      .where('id', '=', session.account.id)
      .execute();
    assert.equal(changes.length, 1, 'gateway nodes learn of the developer');
    const { rows } = await sql<{ actor_kind: string; actor_id: string; operation: string }>`
      select actor_kind, actor_id, operation from audit_entries
      where organization_id = ${portal.organizationId} and actor_id = ${session.user.id}`.execute(
      control.opened.database.system,
    );
    assert.deepEqual(rows, [
      { actor_kind: 'portal_user', actor_id: session.user.id, operation: 'confirmRegistration' },
    ]);
    assert.equal((await signIn(email)).status, 200);
    assert.deepEqual(
      (await rowsOf(email)).map(({ state, password_hash, token_hash }) => [state, password_hash, token_hash]),
      [['approved', null, null]],
    );

    const operator = await control.addUser(portal.organizationId, ['organization_administrator']);
    assert.equal((await operator.call('DELETE', `/developers/${session.account.id}`)).status, 200);
    const [kept] = await rowsOf(email);
    assert.deepEqual([kept?.state, kept?.developer_id], ['approved', null], 'the registration stays on record');
    assert.equal((await signIn(email)).status, 401);
  });

  test('a link works once, within a day, and in its own portal only', async () => {
    const email = newEmail();
    const { token, cookie } = await register(email);
    const other = await openTestPortal(control);
    const elsewhere = await confirm({ token, password }, cookie, other);
    assert.deepEqual([elsewhere.status, Object.keys(elsewhere.data.errors)], [400, ['token']]);
    const both = await Promise.all([confirm({ token }, cookie), confirm({ token }, cookie)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
    assert.equal((await confirm({ token }, cookie)).status, 400);

    const late = newEmail();
    const registered = await register(late);
    await control.opened.database.system
      .updateTable('portal_registrations')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('email', '=', late)
      .execute();
    assert.equal((await confirm({ token: registered.token }, registered.cookie)).status, 400);
  });

  test('another browser than the one that registered needs the password', async () => {
    const email = newEmail();
    const { token } = await register(email);
    const strangers = await register(newEmail());
    for (const cookie of ['', strangers.cookie, 'millrace_portal_registration=nonsense-nonsense-nonsense']) {
      const asked = await confirm({ token }, cookie);
      assert.deepEqual([asked.status, Object.keys(asked.data.errors)], [400, ['password']]);
    }
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess++) statuses.push((await confirm({ token, password: `no ${guess}` })).status);
    assert.deepEqual(statuses.slice(0, 5), [400, 400, 400, 400, 400]);
    assert.deepEqual(statuses.slice(5), [429, 429]);
    await control.opened.database.system
      .updateTable('sign_in_windows')
      .set({ blocked_until: new Date(Date.now() - 1_000) })
      .execute();
    assert.equal((await confirm({ token, password })).status, 200);
  });

  test('a known address gets the same answer, and an e-mail that says so', async () => {
    const { email } = await portal.addUser('viewer');
    const known = await portal.call('POST', '/portal/registrations', bodyFor(email));
    const unknown = await portal.call('POST', '/portal/registrations', bodyFor(newEmail()));
    assert.deepEqual([known.status, known.data], [unknown.status, unknown.data]);
    const names = ({ headers }: typeof known) => [...headers.keys()].sort();
    assert.deepEqual(names(known), names(unknown));
    const [mail] = await portal.mailsTo(email);
    assert.match(mail?.subject ?? '', /You already have an account/);
    assert.match(mail?.text ?? '', new RegExp(`/portal/${portal.name}/sign-in\n`));
    assert.match(mail?.text ?? '', new RegExp(`/portal/${portal.name}/forgot-password\n`));
    assert.equal(tokenIn(mail), '');
    assert.deepEqual(await rowsOf(email), []);
  });

  test('response times don’t reveal whether an address is known', async () => {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let round = 0; round < 12; round++) {
      const { email } = await portal.addUser('viewer');
      for (const [kind, address] of [
        ['known', email],
        ['unknown', newEmail()],
      ] as const) {
        const start = performance.now();
        await portal.call('POST', '/portal/registrations', bodyFor(address));
        times[kind].push(performance.now() - start);
      }
    }
    // What each takes where nothing else that runs on the machine delays it.
    const [known, unknown] = [Math.min(...times.known), Math.min(...times.unknown)];
    assert.ok(Math.abs(known - unknown) < Math.max(20, 0.5 * Math.max(known, unknown)), `${known} and ${unknown} ms`);
  });

  test('an address gets five e-mails at once, and a network thirty registrations an hour', async () => {
    const email = newEmail();
    for (let round = 0; round < 7; round++) await register(email);
    assert.equal((await portal.mailsTo(email)).length, 5);

    const from = { 'x-forwarded-for': '203.0.113.77' };
    const weak = bodyFor(newEmail(), { password: 'password password' });
    const statuses: number[] = [];
    for (let round = 0; round < 32; round++) {
      statuses.push((await portal.call('POST', '/portal/registrations', weak, from)).status);
    }
    assert.deepEqual([statuses[0], statuses.at(-1)], [400, 429]);
    assert.ok(statuses.indexOf(429) >= 30, `${statuses.indexOf(429)}`);
    const other = await openTestPortal(control);
    assert.equal((await other.call('POST', '/portal/registrations', bodyFor(newEmail()), from)).status, 200);
  });

  test('two links of one address make one account', async () => {
    const email = newEmail();
    const first = await register(email);
    const second = await register(email);
    assert.notEqual(first.token, second.token);
    const answers = await Promise.all([
      confirm({ token: first.token }, first.cookie),
      confirm({ token: second.token }, second.cookie),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const { rows } = await sql`select 1 from developers where email = ${email}`.execute(control.opened.database.system);
    assert.equal(rows.length, 1);
  });

  test('nothing but what a registrant states is taken', async () => {
    for (const [field, value] of Object.entries({
      role: 'owner',
      state: 'approved',
      developerId: 'dev_00000000000000000000000001',
      organizationId: 'org_00000000000000000000000001',
      billing: null,
    })) {
      const answer = await portal.call('POST', '/portal/registrations', bodyFor(newEmail(), { [field]: value }));
      assert.deepEqual([answer.status, Object.keys(answer.data.errors)], [400, [field]]);
    }
    for (const [field, value] of Object.entries({
      acceptedTerms: false,
      password: 'short',
      locale: 'fr',
      email: 'nobody',
      name: ' ',
    })) {
      const answer = await portal.call('POST', '/portal/registrations', bodyFor(newEmail(), { [field]: value }));
      assert.deepEqual([answer.status, Object.keys(answer.data.errors)], [400, [field]]);
    }
    const weak = await portal.call('POST', '/portal/registrations', bodyFor(newEmail(), { password: portal.name }));
    assert.deepEqual(Object.keys(weak.data.errors), ['password']);
  });

  test('where approval is required, an operator decides', async () => {
    const approving = await openTestPortal(control, 'approval');
    const operator = await control.addUser(approving.organizationId, ['organization_administrator']);
    const ask = async (locale: string) => {
      const email = newEmail();
      const { token, cookie } = await register(email, { at: approving, more: { locale } });
      const confirmed = await confirm({ token }, cookie, approving);
      assert.deepEqual(confirmed.data, { outcome: 'awaiting_approval', session: null });
      assert.equal((await signIn(email, approving)).status, 401);
      return email;
    };
    const approved = await ask('en');
    const rejected = await ask('de');
    await register(newEmail(), { at: approving });
    const list = await operator.call('GET', '/portal-registrations?state=pending&sort=createdAt');
    assert.deepEqual(
      list.data.registrations.map(({ email }: { email: string }) => email),
      [approved, rejected],
    );
    const notices = await operator.call('GET', '/notifications');
    assert.deepEqual(
      notices.data.notifications.map(({ link }: { link: string }) => link),
      ['/developer-portal/registrations', '/developer-portal/registrations'],
    );
    const [first, second] = list.data.registrations;
    const path = (id: string, decision: string) => `/portal-registrations/${id}/${decision}`;

    const done = await operator.call('POST', path(first.id, 'approve'));
    assert.deepEqual([done.data.state, done.data.decidedBy], ['approved', operator.userId]);
    assert.equal((await signIn(approved, approving)).status, 200);
    assert.match((await approving.mailsTo(approved)).at(-1)?.text ?? '', /was approved/);
    assert.equal((await operator.call('POST', path(first.id, 'reject'), { reason: 'Late' })).status, 409);

    const reason = 'Nur für Partner.';
    assert.equal((await operator.call('POST', path(second.id, 'reject'), { reason })).data.state, 'rejected');
    assert.equal((await signIn(rejected, approving)).status, 401);
    const mail = (await approving.mailsTo(rejected)).at(-1);
    assert.match(mail?.subject ?? '', /^Ihre Registrierung/);
    assert.match(mail?.text ?? '', /Begründung: Nur für Partner\./);
    assert.equal((await operator.call('POST', path(second.id, 'approve'))).status, 409);
    assert.equal((await rowsOf(rejected, approving))[0]?.password_hash, null);

    const again = await register(rejected, { at: approving });
    assert.equal((await confirm({ token: again.token }, again.cookie, approving)).data.outcome, 'awaiting_approval');
    const waiting = await register(rejected, { at: approving });
    assert.equal(waiting.token, '', 'while a registration waits, there is no other link');
    assert.match(waiting.mail?.subject ?? '', /awaits approval/);
  });

  test('where registration is closed, nobody gets in, also with an earlier link', async () => {
    const closing = await openTestPortal(control);
    const email = newEmail();
    const { token, cookie } = await register(email, { at: closing });
    await control.opened.database.system
      .updateTable('portal_settings')
      .set({ registration: 'closed' })
      .where('organization_id', '=', closing.organizationId)
      .execute();
    const refused = await closing.call('POST', '/portal/registrations', bodyFor(newEmail()));
    assert.equal(refused.status, 403);
    assert.match(refused.data.message, /doesn’t accept registrations/);
    assert.equal((await confirm({ token }, cookie, closing)).status, 403);
  });

  test('the owner of an address gets the account that an operator made for it, unless others sign in to it', async () => {
    const email = newEmail();
    const developerId = await portal.addDeveloper(email);
    const { token, cookie } = await register(email);
    const confirmed = await confirm({ token }, cookie);
    assert.deepEqual([confirmed.data.session.account.id, confirmed.data.session.user.role], [developerId, 'owner']);

    const shared = newEmail();
    const before = await register(shared);
    await portal.addUser('viewer', await portal.addDeveloper(shared));
    const asking = await register(shared);
    assert.match(asking.mail?.text ?? '', /Ask an owner of that account/);
    assert.equal(asking.token, '');
    assert.equal((await confirm({ token: before.token }, before.cookie)).status, 409);

    const suspended = newEmail();
    const ofSuspended = await register(suspended);
    const suspendedId = await portal.addDeveloper(suspended);
    await control.opened.database.system
      .updateTable('developers')
      .set({ state: 'suspended' })
      .where('id', '=', suspendedId)
      .execute();
    assert.equal((await confirm({ token: ofSuspended.token }, ofSuspended.cookie)).status, 409);
    assert.deepEqual(
      (await rowsOf(suspended)).map(({ state }) => state),
      ['unconfirmed'],
    );
  });

  test('no password, token or link is in the log or the audit trail', async () => {
    const email = newEmail();
    const { token, cookie } = await register(email);
    await confirm({ token, password: 'a secret that is wrong' });
    const confirmed = await confirm({ token }, cookie);
    const session = cookiesOf(confirmed).match(/millrace_portal_session=([\w-]{43})/)?.[1] ?? '';
    assert.notEqual(session, '');
    const { rows } = await sql<{ text: string }>`select audit_entries::text as text from audit_entries`.execute(
      control.opened.database.system,
    );
    const kept = control.logLines.join('\n') + rows.map(({ text }) => text).join('\n');
    assert.ok(kept.includes('/api/portal/registrations'));
    for (const secret of [password, token, session, 'a secret that is wrong', cookie.split('=')[1]!, 'confirm?token']) {
      assert.ok(!kept.includes(secret), secret);
    }
  });
});
