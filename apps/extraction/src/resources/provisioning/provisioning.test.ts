import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestProvider, type TestProvider } from '@millrace/sign-in/provider-testing';
import { newAddress, openBrowser, signInAs } from '../../http/dashboard-testing.ts';
import { startTestService, type TestService } from '../../http/testing.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

describe('provisioning of the dashboard by SCIM', () => {
  let service: TestService;
  let provider: TestProvider;
  let admin: Awaited<ReturnType<typeof signInAs>>;
  let token: string;

  before(async () => {
    service = await startTestService({ MILLRACE_TRUST_PROXY: '1' });
    provider = await startTestProvider();
    admin = await signInAs(service, { role: 'administrator' });
    const { issuer, clientId, clientSecret } = provider;
    const configured = { name: 'Example ID', issuer, clientId, clientSecret, administratorGroups: ['Chiefs'] };
    assert.equal((await admin.call('PUT', '/identity-provider', configured)).status, 200);
    const created = await admin.call('POST', '/scim-tokens', { name: 'Example ID' });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    token = created.body.token;
  });
  after(async () => {
    await service?.stop();
    await provider?.stop();
  });

  async function scim(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(`${service.baseUrl}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: a test says by its assertions what it expects
    const json: any = text === '' ? null : JSON.parse(text);
    return { status: response.status, json, headers: response.headers };
  }
  const patch = (path: string, ...Operations: readonly object[]) =>
    scim('PATCH', path, { schemas: [patchOp], Operations });
  /** As in RFC 7644, 3.3. */
  const bjensen = (name: string) => ({
    schemas: [userSchema],
    userName: `${name}@example.com`,
    externalId: name,
    name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
  });
  async function createUser(name: string): Promise<string> {
    const { status, json } = await scim('POST', '/Users', bjensen(name));
    assert.equal(status, 201, JSON.stringify(json));
    return json.id;
  }
  const memberOf = async (id: string) =>
    (await admin.call('GET', '/members?limit=200')).body.items.find((member: { id: string }) => member.id === id);

  test('a member is created, read, replaced, removed and created again', async () => {
    const { status, json, headers } = await scim('POST', '/Users', bjensen('bjensen'));
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `${service.baseUrl}/scim/v2/Users/${json.id}`);
    assert.deepEqual([json.name.familyName, json.active], ['Jensen', true]);
    const shown = await memberOf(json.id);
    assert.deepEqual([shown.email, shown.role, shown.state], ['bjensen@example.com', 'member', 'active']);
    assert.deepEqual((await scim('GET', `/Users/${json.id}`)).json, json);
    const unchanged = await scim('GET', `/Users/${json.id}`, undefined, { 'if-none-match': json.meta.version });
    assert.equal(unchanged.status, 304);
    assert.equal((await scim('POST', '/Users', bjensen('bjensen'))).json.scimType, 'uniqueness');
    const replacement = { ...bjensen('bjensen'), displayName: 'Babs' };
    const replaced = await scim('PUT', `/Users/${json.id}`, replacement, { 'if-match': json.meta.version });
    assert.equal(replaced.status, 200, JSON.stringify(replaced.json));
    assert.equal((await memberOf(json.id)).name, 'Babs');
    const stale = await scim('PUT', `/Users/${json.id}`, replacement, { 'if-match': json.meta.version });
    assert.equal(stale.status, 412);
    const found = await scim('GET', `/Users?filter=${encodeURIComponent('externalId eq "bjensen"')}`);
    assert.deepEqual([found.json.totalResults, found.json.Resources[0].id], [1, json.id]);
    assert.equal((await scim('DELETE', `/Users/${json.id}`)).status, 204);
    assert.equal((await scim('GET', `/Users/${json.id}`)).status, 404);
    assert.equal(await memberOf(json.id), undefined);
    assert.notEqual(await createUser('bjensen'), json.id);
  });

  test('deactivating a member ends their sessions at once; the last administrator stays', async () => {
    const member = await signInAs(service, { role: 'member' });
    assert.equal((await member.call('GET', '/session')).status, 200);
    const off = await patch(`/Users/${member.userId}`, { op: 'Replace', path: 'active', value: 'False' });
    assert.deepEqual([off.status, off.json.active], [200, false]);
    assert.equal((await member.call('GET', '/session')).status, 401);
    assert.equal((await memberOf(member.userId)).state, 'disabled');
    const on = await patch(`/Users/${member.userId}`, { op: 'replace', value: { active: true } });
    assert.equal(on.json.active, true);
    const { body } = await admin.call('GET', '/members?limit=200');
    const administrators = body.items.filter(({ role }: { role: string }) => role === 'administrator');
    for (const { id } of administrators.filter((each: { id: string }) => each.id !== admin.userId)) {
      await admin.call('DELETE', `/members/${id}`);
    }
    const last = await patch(`/Users/${admin.userId}`, { op: 'replace', path: 'active', value: false });
    assert.equal(last.status, 409, JSON.stringify(last.json));
    assert.equal((await scim('DELETE', `/Users/${admin.userId}`)).status, 409);
  });

  test('groups give administrators their role, as they join and leave', async () => {
    const id = await createUser('chief');
    const created = await scim('POST', '/Groups', { displayName: 'Chiefs', members: [{ value: id }] });
    assert.equal(created.status, 201, JSON.stringify(created.json));
    assert.equal((await memberOf(id)).role, 'administrator');
    assert.equal((await scim('GET', `/Users/${id}`)).json.groups[0].display, 'Chiefs');
    await patch(`/Groups/${created.json.id}`, { op: 'remove', path: `members[value eq "${id}"]` });
    assert.equal((await memberOf(id)).role, 'member');
    assert.equal((await scim('DELETE', `/Groups/${created.json.id}`)).status, 204);
  });

  test('a provisioned member signs in by the provider, as their external id says', async () => {
    const id = await createUser('kim-at-the-provider');
    provider.user = { sub: 'kim-at-the-provider', email: 'kim-at-the-provider@example.com' };
    const browser = openBrowser(service.baseUrl);
    const started = await browser.call('POST', '/provider-sign-ins', { organization: service.accountId }, newAddress());
    const parameters = await provider.authorize(started.body.url);
    const cookie = started.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const finished = await openBrowser(service.baseUrl).call(
      'POST',
      '/provider-sign-ins/finish',
      { parameters },
      { ...newAddress(), cookie },
    );
    assert.equal(finished.status, 200, JSON.stringify(finished.body));
    assert.notEqual((await memberOf(id)).lastSignInAt, null);
  });

  test('a token is for administrators, is shown once, and is worth nothing once deleted', async () => {
    const member = await signInAs(service, { role: 'member' });
    assert.equal((await member.call('POST', '/scim-tokens', { name: 'Mine' })).status, 403);
    assert.equal((await member.call('GET', '/scim-tokens')).status, 403);
    for (const authorization of ['', 'Bearer nonsense', `Basic ${token}`]) {
      assert.equal((await scim('GET', '/Users', undefined, { authorization })).status, 401);
    }
    const { body } = await admin.call('GET', '/scim-tokens');
    assert.equal(body.scimUrl, `${service.baseUrl}/scim/v2`);
    assert.ok(!JSON.stringify(body).includes(token));
    assert.notEqual(body.tokens[0].lastUsedAt, null);
    const again = await admin.call('POST', '/scim-tokens', { name: 'Example ID' });
    assert.equal(again.status, 400, JSON.stringify(again.body));
    assert.equal((await admin.call('DELETE', `/scim-tokens/${body.tokens[0].id}`)).status, 200);
    assert.equal((await scim('GET', '/Users')).status, 401);
    assert.equal((await admin.call('DELETE', `/scim-tokens/${body.tokens[0].id}`)).status, 404);
  });
});
