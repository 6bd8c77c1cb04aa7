import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

describe('provisioning by SCIM', () => {
  let control: TestControl;
  let admin: TestCaller;
  let token: string;
  let tokenId: string;
  let key: string;

  before(async () => {
    control = await startTestControl();
    const organizationId = await control.addOrganization();
    key = organizationId.slice(-8);
    admin = await control.addUser(organizationId, ['organization_administrator']);
    const provider = {
      name: 'Example ID',
      issuer: 'https://id.example.com',
      clientId: 'millrace',
      groupRoles: [
        { group: 'Builders', roleIds: ['developer'] },
        { group: 'Checkers', roleIds: ['auditor'] },
      ],
    };
    assert.equal((await admin.call('PUT', '/identity-provider', provider)).status, 200);
    const created = await admin.call('POST', '/scim-tokens', { name: 'Example ID' });
    assert.equal(created.status, 201, JSON.stringify(created.data));
    ({ token, id: tokenId } = created.data);
  });
  after(() => control?.stop());

  async function scim(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(`${control.baseUrl}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (text !== '') assert.match(response.headers.get('content-type') ?? '', /^application\/scim\+json/);
    // biome-ignore lint/suspicious/noExplicitAny: a test says by its assertions what it expects
    const json: any = text === '' ? null : JSON.parse(text);
    return { status: response.status, json, headers: response.headers };
  }
  const patch = (path: string, ...Operations: readonly object[]) =>
    scim('PATCH', path, { schemas: [patchOp], Operations });
  const rolesOf = async (id: string) =>
    (await admin.call('GET', `/users/${id}`)).data.roles.map((role: { id: string }) => role.id);

  /** As in RFC 7644, 3.3, with an address of the organization. */
  const bjensen = (name = 'bjensen') => ({
    schemas: [userSchema],
    userName: `${name}.${key}@example.com`,
    externalId: name,
    name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
  });
  async function createUser(name: string): Promise<string> {
    const { status, json } = await scim('POST', '/Users', bjensen(name));
    assert.equal(status, 201, JSON.stringify(json));
    return json.id;
  }

  test('says what it supports', async () => {
    const config = await scim('GET', '/ServiceProviderConfig');
    assert.equal(config.status, 200);
    assert.equal(config.json.patch.supported, true);
    assert.equal(config.json.bulk.supported, false);
    const types = await scim('GET', '/ResourceTypes');
    assert.deepEqual(
      types.json.Resources.map(({ id }: { id: string }) => id),
      ['User', 'Group'],
    );
    assert.equal((await scim('GET', `/Schemas/${userSchema}`)).json.name, 'User');
    assert.equal((await scim('GET', '/ResourceTypes/Group')).json.endpoint, '/Groups');
    assert.equal((await scim('GET', '/Schemas/none')).status, 404);
    assert.equal((await scim('GET', '/Nothing')).json.status, '404');
  });

  test('a user is created, read, replaced and deleted', async () => {
    const created = await scim('POST', '/Users', bjensen());
    assert.equal(created.status, 201);
    const { id, meta } = created.json;
    assert.equal(created.headers.get('location'), meta.location);
    assert.equal(meta.location, `${control.baseUrl}/scim/v2/Users/${id}`);
    assert.equal(created.headers.get('etag'), meta.version);
    assert.equal(created.json.userName, `bjensen.${key}@example.com`);
    assert.equal(created.json.name.familyName, 'Jensen');
    assert.equal(created.json.active, true);
    const shown = await admin.call('GET', `/users/${id}`);
    assert.equal(shown.data.name, 'Ms. Barbara J Jensen III');
    assert.equal(shown.data.email, `bjensen.${key}@example.com`);

    assert.deepEqual((await scim('GET', `/Users/${id}`)).json, created.json);
    const unchanged = await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': meta.version });
    assert.equal(unchanged.status, 304);

    const again = await scim('POST', '/Users', bjensen());
    assert.equal(again.status, 409);
    assert.equal(again.json.scimType, 'uniqueness');
    assert.deepEqual(again.json.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);

    const replacement = {
      ...bjensen(),
      displayName: 'Babs',
      emails: [{ value: `babs.${key}@example.com`, primary: true }],
    };
    const replaced = await scim('PUT', `/Users/${id}`, replacement, { 'if-match': meta.version });
    assert.equal(replaced.status, 200, JSON.stringify(replaced.json));
    assert.equal(replaced.json.displayName, 'Babs');
    assert.equal((await admin.call('GET', `/users/${id}`)).data.email, `babs.${key}@example.com`);
    assert.equal((await scim('PUT', `/Users/${id}`, replacement, { 'if-match': meta.version })).status, 412);

    assert.equal((await scim('DELETE', `/Users/${id}`)).status, 204);
    assert.equal((await scim('GET', `/Users/${id}`)).status, 404);
    assert.equal((await scim('DELETE', `/Users/${id}`)).status, 404);
  });

  test('users are found by filter and by page', async () => {
    const ids = [await createUser('fa'), await createUser('fb'), await createUser('fc')];
    const found = async (filter: string) =>
      (await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).json.Resources.map(
        ({ id }: { id: string }) => id,
      );
    assert.deepEqual(await found(`userName eq "FA.${key}@example.com"`), [ids[0]]);
    assert.deepEqual(await found('externalId eq "fb"'), [ids[1]]);
    assert.deepEqual(await found('externalId eq "FB"'), []);
    assert.deepEqual(await found('externalId eq "fa" or (externalId eq "fc" and active eq true)'), [ids[0], ids[2]]);
    assert.deepEqual(await found('externalId eq "fa" and active eq false'), []);
    assert.deepEqual(await found(`emails[value eq "fb.${key}@example.com"]`), [ids[1]]);
    assert.deepEqual(await found('not (externalId pr) and userName sw "fa"'), []);
    assert.deepEqual(await found(`externalId eq "'; drop table users; --"`), []);
    const page = await scim('GET', `/Users?filter=${encodeURIComponent('externalId sw "f"')}&startIndex=2&count=1`);
    assert.deepEqual(
      [page.json.totalResults, page.json.startIndex, page.json.itemsPerPage, page.json.Resources[0].id],
      [3, 2, 1, ids[1]],
    );
    assert.deepEqual((await scim('GET', '/Users?count=0')).json.Resources, []);
    const chosen = await scim('GET', `/Users/${ids[0]}?attributes=userName`);
    assert.deepEqual(Object.keys(chosen.json).sort(), ['id', 'schemas', 'userName']);
    for (const filter of ['password eq "x"', 'userName like "x"', 'userName eq', 'active eq "perhaps"']) {
      const refused = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      assert.equal(refused.status, 400, filter);
      assert.equal(refused.json.scimType, 'invalidFilter', filter);
    }
  });

  test('deactivating a user ends their sessions at once, and activating lets them in again', async () => {
    const member = await control.addUser(admin.organizationId, ['developer']);
    assert.equal((await member.call('GET', '/auth/session')).status, 200);
    const deactivated = await patch(`/Users/${member.userId}`, { op: 'Replace', path: 'active', value: 'False' });
    assert.equal(deactivated.status, 200, JSON.stringify(deactivated.json));
    assert.equal(deactivated.json.active, false);
    assert.equal((await member.call('GET', '/auth/session')).status, 401);
    assert.equal((await admin.call('GET', `/users/${member.userId}`)).data.state, 'suspended');
    assert.equal(
      (await patch(`/Users/${member.userId}`, { op: 'replace', value: { active: true } })).json.active,
      true,
    );
    assert.equal((await admin.call('GET', `/users/${member.userId}`)).data.state, 'active');
    const { data } = await admin.call('GET', '/audit?operation=updateUserByProvisioning');
    assert.match(data.entries[0].note, /By the provisioning token Example ID/);
  });

  test('the last administrator is neither deactivated nor deleted', async () => {
    const off = await patch(`/Users/${admin.userId}`, { op: 'replace', path: 'active', value: false });
    assert.equal(off.status, 409, JSON.stringify(off.json));
    assert.match(off.json.detail, /last active Organization Administrator/);
    assert.equal((await scim('DELETE', `/Users/${admin.userId}`)).status, 409);
  });

  test('groups give their members roles, as they join, leave, and are renamed', async () => {
    const [first, second] = [await createUser('ga'), await createUser('gb')];
    const group = { schemas: [groupSchema], displayName: 'Builders', members: [{ value: first }] };
    const created = await scim('POST', '/Groups', group);
    assert.equal(created.status, 201, JSON.stringify(created.json));
    const path = `/Groups/${created.json.id}`;
    assert.deepEqual(created.json.members[0].value, first);
    assert.deepEqual(await rolesOf(first), ['developer']);
    assert.equal((await scim('GET', `/Users/${first}`)).json.groups[0].display, 'Builders');

    await patch(path, { op: 'Add', path: 'members', value: [{ value: second }] });
    assert.deepEqual(await rolesOf(second), ['developer']);
    await patch(path, { op: 'remove', path: `members[value eq "${first}"]` });
    assert.deepEqual(await rolesOf(first), []);
    const renamed = await patch(path, { op: 'replace', value: { id: created.json.id, displayName: 'Checkers' } });
    assert.equal(renamed.json.displayName, 'Checkers');
    assert.deepEqual(await rolesOf(second), ['auditor']);
    const without = await scim(
      'GET',
      `/Groups?filter=${encodeURIComponent('displayName eq "checkers"')}&excludedAttributes=members`,
    );
    assert.equal(without.json.totalResults, 1);
    assert.equal('members' in without.json.Resources[0], false);
    assert.equal((await scim('POST', '/Groups', { displayName: 'CHECKERS' })).json.scimType, 'uniqueness');
    const replaced = await scim('PUT', path, { displayName: 'Checkers', members: [{ value: first }] });
    assert.deepEqual(await rolesOf(first), ['auditor']);
    assert.deepEqual(await rolesOf(second), []);
    assert.equal(replaced.headers.get('etag'), replaced.json.meta.version);
    assert.equal((await scim('DELETE', path)).status, 204);
    assert.deepEqual(await rolesOf(first), []);
  });

  test('nobody above the organization, and nobody of another, is seen', async () => {
    const above = await control.addUser(admin.organizationId, ['super_admin']);
    const foreign = await control.addUser(await control.addOrganization(), ['developer']);
    for (const { userId } of [above, foreign]) {
      assert.equal((await scim('GET', `/Users/${userId}`)).status, 404);
      assert.equal((await patch(`/Users/${userId}`, { op: 'replace', path: 'active', value: false })).status, 404);
      assert.equal((await scim('DELETE', `/Users/${userId}`)).status, 404);
      const group = await scim('POST', '/Groups', { displayName: `With ${userId}`, members: [{ value: userId }] });
      assert.deepEqual(group.json.members, []);
    }
    const taken = await scim('POST', '/Users', { userName: `${foreign.userId}@example.com` });
    assert.equal(taken.status, 409);
  });

  test('what is malformed is refused in the protocol’s form', async () => {
    assert.equal((await scim('POST', '/Users', '{')).json.scimType, 'invalidSyntax');
    assert.equal((await scim('POST', '/Users', { userName: 'x' })).json.scimType, 'invalidValue');
    assert.equal((await scim('POST', '/Users', 'a=b', { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await scim('POST', '/Users', JSON.stringify('x'.repeat(3_000_000)))).status, 413);
    assert.equal((await scim('GET', '/Users?count=many')).status, 400);
    const id = await createUser('ma');
    assert.equal((await patch(`/Users/${id}`, { op: 'remove' })).json.scimType, 'noTarget');
    assert.equal((await patch(`/Users/${id}`, { op: 'replace', path: 'id', value: 'x' })).json.scimType, 'mutability');
  });

  test('a token is needed, is shown once, and is worth nothing once deleted', async () => {
    for (const authorization of ['', 'Bearer nonsense', `Basic ${token}`]) {
      const refused = await scim('GET', '/Users', undefined, { authorization });
      assert.equal(refused.status, 401);
      assert.equal(refused.json.status, '401');
    }
    const session = { authorization: '', cookie: `millrace_session=${admin.sessionToken}` };
    assert.equal((await scim('GET', '/Users', undefined, session)).status, 401);
    const { data } = await admin.call('GET', '/scim-tokens');
    assert.ok(!JSON.stringify(data).includes(token));
    assert.notEqual(data.tokens[0].lastUsedAt, null);
    assert.equal((await control.call('GET', '/users', undefined, { authorization: `Bearer ${token}` })).status, 401);
    const second = await admin.call('POST', '/scim-tokens', { name: 'Second' });
    assert.equal((await admin.call('DELETE', `/scim-tokens/${tokenId}`)).status, 200);
    assert.equal((await scim('GET', '/Users')).status, 401);
    token = second.data.token;
    assert.equal((await scim('GET', '/Users')).status, 200);
  });
});
