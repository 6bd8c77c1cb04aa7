import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { sql } from 'kysely';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

const password = 'seven green lanterns';

describe('invitations', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let clerk: TestCaller;
  let clerkRole: `rol_${string}`;
  let invited = 0;

  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization('acme');
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    const permissions = ['user.read', 'user.write', 'proxy.read'];
    clerkRole = (await administrator.call('POST', '/roles', { name: 'Clerk', permissions })).data.id;
    clerk = await control.addUser(organizationId, [clerkRole]);
  });
  after(() => control.stop());

  const system = () => control.opened.database.system;

  /** The tokens of the links that an address was sent, once they are so many. */
  async function tokensTo(email: string, count = 1): Promise<readonly string[]> {
    const folder = join(control.dataDirectory, 'mail');
    return eventually(`${count} mails to ${email}`, async () => {
      const names = await readdir(folder).catch(() => []);
      const tokens = names
        // A mail that is still being written has a hidden name.
        .filter((name) => /^[^.].*\.eml$/.test(name))
        .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='))
        .filter((text) => text.includes(`To: ${email}`))
        .flatMap((text) => /\/accept-invitation\?token=([\w-]{43})/.exec(text)?.[1] ?? []);
      return tokens.length >= count && tokens;
    });
  }

  async function invite(roleIds: readonly string[] = ['developer'], caller = administrator) {
    const email = `invited-${++invited}@example.com`;
    const answer = await caller.call('POST', '/invitations', { email, name: 'Invited', roleIds });
    assert.equal(answer.status, 201, JSON.stringify(answer.data));
    return { ...answer.data, path: `/invitations/${answer.data.id}` };
  }

  const accept = (token: string | undefined, name = 'Kim') =>
    control.call('POST', '/invitations/accept', { token, name, password });

  test('an invited person sets name and password with the link, once, and signs in', async () => {
    const invitation = await invite([clerkRole, 'developer']);
    assert.deepEqual(
      [invitation.state, invitation.roles.length, invitation.invitedBy.id],
      ['pending', 2, administrator.userId],
    );
    const days = (Date.parse(invitation.expiresAt) - Date.now()) / 86_400_000;
    assert.ok(days > 6.9 && days <= 7);
    const [token = ''] = await tokensTo(invitation.email);
    const weak = await control.call('POST', '/invitations/accept', { token, name: 'Kim', password: invitation.email });
    assert.deepEqual([weak.status, Object.keys(weak.data.errors)], [400, ['password']]);

    const both = await Promise.all([accept(token), accept(token)]);
    const accepted = both.find(({ status }) => status === 201);
    const refused = both.find(({ status }) => status === 400);
    assert.ok(accepted && refused, JSON.stringify(both.map(({ status }) => status)));
    assert.deepEqual([accepted.data.email, accepted.data.name], [invitation.email, 'Kim']);
    assert.deepEqual(accepted.data.roles, invitation.roles);
    assert.equal(accepted.headers.get('set-cookie'), null);
    assert.deepEqual(Object.keys(refused.data.errors), ['token']);
    assert.equal((await control.call('POST', '/auth/login', { email: invitation.email, password })).status, 200);

    const rows = await system()
      .selectFrom('audit_entries')
      .select(['operation', 'actor_id', 'organization_id'])
      .where('entity_id', '=', accepted.data.id)
      .execute();
    assert.deepEqual(rows[0], {
      operation: 'acceptInvitation',
      actor_id: accepted.data.id,
      organization_id: organizationId,
    });
    const listed = await administrator.call('GET', `/invitations?state=accepted&search=${invitation.email}`);
    assert.equal(listed.data.total, 1);
    const answers = JSON.stringify([listed.data, invitation, control.logLines]);
    assert.ok(!answers.includes(token));
  });

  test('sending an invitation again replaces its link', async () => {
    const invitation = await invite();
    const [first] = await tokensTo(invitation.email);
    await system()
      .updateTable('invitations')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', invitation.id)
      .execute();
    const expired = await accept(first);
    assert.equal(expired.status, 400);
    const listed = await administrator.call('GET', '/invitations?state=expired');
    assert.deepEqual([listed.data.total, listed.data.invitations[0].state], [1, 'expired']);
    const waiting = await administrator.call('GET', '/invitations?state=pending');
    const overview = await administrator.call('GET', `/organizations/${administrator.organizationId}/overview`);
    assert.equal(overview.data.users.invited, waiting.data.total, 'an expired one no longer waits');
    const again = await administrator.call('POST', '/invitations', {
      email: invitation.email,
      name: 'Invited',
      roleIds: [],
    });
    assert.deepEqual([again.status, Object.keys(again.data.errors)], [400, ['email']]);

    const resent = await administrator.call('POST', `${invitation.path}/resend`);
    assert.deepEqual([resent.data.state, resent.data.version], ['pending', 2]);
    const tokens = await tokensTo(invitation.email, 2);
    const second = tokens.find((token) => token !== first);
    assert.deepEqual((await accept(first)).data, expired.data);
    assert.equal((await accept(second)).status, 201);
    assert.equal((await administrator.call('POST', `${invitation.path}/resend`)).status, 409);
  });

  test('a withdrawn invitation is invalid, and the address can be invited again', async () => {
    const invitation = await invite();
    const [token] = await tokensTo(invitation.email);
    assert.deepEqual((await administrator.call('DELETE', invitation.path)).data, {});
    assert.equal((await accept(token)).status, 400);
    const refused = await administrator.call('DELETE', invitation.path);
    assert.equal(refused.status, 409);
    assert.match(refused.data.message, /withdrawn/);
    const body = { email: invitation.email, name: 'Invited', roleIds: [] };
    assert.equal((await administrator.call('POST', '/invitations', body)).status, 201);
  });

  test('an organization sends an address at most 5 e-mails a day, whatever happens to its invitations', async () => {
    const invitation = await invite();
    const { email } = invitation;
    const resend = () => administrator.call('POST', `${invitation.path}/resend`);
    const inviteAgain = (caller = administrator) =>
      caller.call('POST', '/invitations', { email, name: 'Invited', roleIds: [] });
    const mails = async () => (await tokensTo(email, 1)).length;

    const answers = await Promise.all(Array.from({ length: 8 }, resend));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 429, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429)!;
    assert.match(refused.data.message, /was sent 5 invitations within a day.*Try again in 24 hours/);
    const retryAfter = Number(refused.headers.get('retry-after'));
    assert.ok(retryAfter > 86_000 && retryAfter <= 86_400, String(retryAfter));
    await tokensTo(email, 5);

    await administrator.call('DELETE', invitation.path);
    assert.equal((await inviteAgain(clerk)).status, 429, 'withdrawn, and invited by somebody else');
    const { entries } = (await administrator.call('GET', `/audit?outcome=denied&actorId=${clerk.userId}`)).data;
    assert.deepEqual(
      entries.map((entry: { operation: string; note: string }) => [entry.operation, /maximum/.test(entry.note)]),
      [['createInvitation', true]],
    );
    await invite();
    const elsewhere = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    assert.equal((await inviteAgain(elsewhere)).status, 201, 'by another organization');
    await tokensTo(email, 6);

    const dayAgo = new Date(Date.now() - 24 * 3_600_000);
    await sql`update invitations set mailed_at[1] = ${dayAgo} where id = ${invitation.id}`.execute(system());
    const again = await inviteAgain();
    assert.equal(again.status, 201, 'a day after the first');
    assert.equal((await administrator.call('POST', `/invitations/${again.data.id}/resend`)).status, 429);
    await tokensTo(email, 7);
    assert.equal(await mails(), 7);
  });

  test('nobody can invite someone with more permissions, or send such an invitation again', async () => {
    const body = { email: 'above@example.com', name: 'Above' };
    for (const roleIds of [['super_admin'], ['organization_administrator'], ['developer'], [clerkRole, 'auditor']]) {
      const refused = await clerk.call('POST', '/invitations', { ...body, roleIds });
      assert.equal(refused.status, 403, roleIds.join());
    }
    assert.equal((await administrator.call('POST', '/invitations', { ...body, roleIds: ['super_admin'] })).status, 403);
    const high = await invite(['developer']);
    assert.equal((await clerk.call('POST', `${high.path}/resend`)).status, 403);
    assert.equal((await clerk.call('DELETE', high.path)).status, 200);
    await invite([clerkRole], clerk);
  });

  test('an invitation is valid while its sender may grant its roles', async () => {
    const second = await control.addUser(organizationId, ['organization_administrator']);
    const invitation = await invite(['organization_administrator'], second);
    const [token] = await tokensTo(invitation.email);
    await administrator.call('PUT', `/users/${second.userId}/roles`, { roleIds: [clerkRole] });
    assert.equal((await accept(token)).status, 400);
    await administrator.call('DELETE', `/users/${second.userId}`);
    assert.equal((await accept(token)).status, 400);
    const resent = await administrator.call('POST', `${invitation.path}/resend`);
    assert.equal(resent.data.invitedBy.id, administrator.userId);
    const tokens = await tokensTo(invitation.email, 2);
    assert.equal((await accept(tokens.find((other) => other !== token))).status, 201);
  });

  test('an address used in this organization is rejected; only its owner learns that another one uses it', async () => {
    const own = { email: `${clerk.userId}@example.com`, name: 'Clerk', roleIds: [] };
    const refused = await administrator.call('POST', '/invitations', own);
    assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['email']]);
    const foreign = await control.addUser(await control.addOrganization(), []);
    const email = `${foreign.userId}@example.com`;
    const sent = await administrator.call('POST', '/invitations', { email, name: 'Foreign', roleIds: [] });
    assert.equal(sent.status, 201);
    const [token] = await tokensTo(email);
    const answer = await accept(token);
    assert.equal(answer.status, 409);
    assert.match(answer.data.message, /already has an account/);
    const [still] = (await administrator.call('GET', `/invitations?search=${email}`)).data.invitations;
    assert.equal(still.state, 'pending');
  });

  test('a suspended organization accepts nobody', async () => {
    const organization = await control.addOrganization();
    const caller = await control.addUser(organization, ['organization_administrator']);
    const invitation = await invite([], caller);
    const [token] = await tokensTo(invitation.email);
    await system().updateTable('organizations').set({ state: 'suspended' }).where('id', '=', organization).execute();
    assert.equal((await accept(token)).status, 400);
    assert.equal((await accept('wrong-token-of-a-link-that-never-was')).status, 400);
  });

  test('another organization’s invitation is not found', async () => {
    const foreign = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    const invitation = await invite();
    for (const [method, path, other] of [
      ['DELETE', invitation.path, '/invitations/inv_00000000000000000000000001'],
      ['POST', `${invitation.path}/resend`, '/invitations/inv_00000000000000000000000001/resend'],
    ] as const) {
      const answer = await foreign.call(method, path);
      assert.deepEqual([answer.status, answer.data], [404, (await foreign.call(method, other)).data]);
    }
    assert.equal((await foreign.call('GET', '/invitations')).data.total, 0);
  });
});
