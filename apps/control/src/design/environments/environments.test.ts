import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSealer } from '@millrace/encryption';
import { maxSecretsSizeBytes } from '@millrace/gateway-configuration/manifest';
import { secretsSizeBytes } from '@millrace/gateway-configuration/sealing';
import { newId } from '@millrace/identifiers';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { variableContext } from './store.ts';

describe('environments', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
  });
  after(() => control.stop());

  async function create(fields: object = {}): Promise<string> {
    const body = { name: `env-${newId('env').slice(-8)}`, displayName: 'Environment', ...fields };
    const created = await administrator.call('POST', '/environments', body);
    assert.equal(created.status, 201, JSON.stringify(created.data));
    return created.data.id;
  }

  test('an environment is created, changed, shown and deleted', async () => {
    const id = await create({ name: 'staging', hostNames: ['staging.example.com'] });
    const shown = await administrator.call('GET', `/environments/${id}`);
    assert.deepEqual(
      [shown.data.name, shown.data.production, shown.data.hostNames, shown.headers.get('etag')],
      ['staging', false, ['staging.example.com'], '"v1"'],
    );
    const changed = await administrator.call('PATCH', `/environments/${id}`, {
      displayName: 'Staging',
      production: true,
    });
    assert.deepEqual([changed.data.displayName, changed.data.production, changed.data.version], ['Staging', true, 2]);
    assert.equal(changed.data.name, 'staging');
    const listed = await administrator.call('GET', '/environments?production=true&search=stag');
    assert.deepEqual([listed.data.total, listed.data.environments[0].id], [1, id]);
    assert.equal((await administrator.call('DELETE', `/environments/${id}`)).status, 200);
    assert.equal((await administrator.call('GET', `/environments/${id}`)).status, 404);
  });

  test('names are unique, and a host name belongs to one environment', async () => {
    const id = await create({ name: 'taken', hostNames: ['taken.example.com'] });
    const body = { name: 'taken', displayName: 'Another' };
    const again = await administrator.call('POST', '/environments', body);
    assert.deepEqual([again.status, Object.keys(again.data.errors)], [400, ['name']]);
    const sameHost = await administrator.call('POST', '/environments', {
      ...body,
      name: 'free',
      hostNames: ['taken.example.com'],
    });
    assert.deepEqual([sameHost.status, Object.keys(sameHost.data.errors)], [400, ['hostNames']]);
    const kept = await administrator.call('PATCH', `/environments/${id}`, { hostNames: ['taken.example.com'] });
    assert.equal(kept.status, 200);
    for (const hostName of ['https://x.example', 'x.example:443', 'UPPER.example', '-x.example', '']) {
      const wrong = await administrator.call('PATCH', `/environments/${id}`, { hostNames: [hostName] });
      assert.equal(wrong.status, 400, hostName);
    }
  });

  test('only those who may deploy to production can change the production flag', async () => {
    const roleId = newId('rol');
    await control.opened.database.system
      .insertInto('roles')
      .values({
        id: roleId,
        organization_id: organizationId,
        name: 'Environments',
        permissions: ['environment.read', 'environment.write'],
      })
      .execute();
    const keeper = await control.addUser(organizationId, [roleId as `rol_${string}`]);
    const production = await create({ production: true });
    const refused = await keeper.call('PATCH', `/environments/${production}`, { production: false });
    assert.equal(refused.status, 403);
    assert.match(refused.data.message, /deployment\.prod/);
    const made = await keeper.call('POST', '/environments', { name: 'own', displayName: 'Own', production: true });
    assert.equal(made.status, 403);
    assert.equal((await keeper.call('PATCH', `/environments/${production}`, { description: 'x' })).status, 200);
  });

  test('an environment with target servers can’t be deleted', async () => {
    const id = await create();
    const target = { environmentId: id, name: 'orders', host: 'orders.example', port: 443 };
    const { data } = await administrator.call('POST', '/target-servers', target);
    const refused = await administrator.call('DELETE', `/environments/${id}`);
    assert.deepEqual([refused.status, refused.data.message], [409, 'Delete its target servers first (1).']);
    await administrator.call('DELETE', `/target-servers/${data.id}`);
    assert.equal((await administrator.call('DELETE', `/environments/${id}`)).status, 200);
  });

  test('a secret variable is never in responses, the audit trail, the database or the log', async () => {
    const id = await create();
    const secret = 'opensesame-7c1f';
    const path = `/environments/${id}/variables/TARGET_TOKEN`;
    const put = await administrator.call('PUT', path, { value: secret, secret: true });
    assert.deepEqual([put.status, put.data.value, put.data.secret], [200, null, true]);
    await administrator.call('PUT', `/environments/${id}/variables/REGION`, { value: 'eu' });
    const listed = await administrator.call('GET', `/environments/${id}/variables`);
    assert.deepEqual(
      listed.data.variables.map(({ name, value }: { name: string; value: string | null }) => [name, value]),
      [
        ['REGION', 'eu'],
        ['TARGET_TOKEN', null],
      ],
    );
    const { system } = control.opened.database;
    const stored = await system.selectFrom('environment_variables').selectAll().execute();
    const trail = await system.selectFrom('audit_entries').selectAll().execute();
    const everything = JSON.stringify([stored, trail, put.data, listed.data]) + control.logLines.join('');
    assert.ok(!everything.includes(secret));
    const sealed = stored.find(({ name }) => name === 'TARGET_TOKEN')?.sealed_value;
    assert.ok(sealed && !sealed.includes(secret));
    assert.deepEqual(
      trail
        .filter(({ entity_id }) => entity_id === `${id}.TARGET_TOKEN`)
        .map(({ operation, note }) => [operation, note]),
      [['setEnvironmentVariable', 'A secret value was set for TARGET_TOKEN.']],
    );

    const plain = await administrator.call('PUT', path, { value: 'visible' });
    assert.deepEqual([plain.data.value, plain.data.secret, plain.data.version], ['visible', false, 2]);
    assert.equal((await administrator.call('DELETE', path)).status, 200);
    assert.equal((await administrator.call('DELETE', path)).status, 404);
    assert.equal((await administrator.call('PUT', `/environments/${id}/variables/1x`, { value: '' })).status, 400);
  });

  test('a variable’s value that no header can contain is rejected', async () => {
    const path = `/environments/${await create()}/variables/TOKEN`;
    for (const value of ['two\nlines', 'its line\r\n', 'a\0b', '\u007f']) {
      for (const secret of [false, true]) {
        const { status, data } = await administrator.call('PUT', path, { value, secret });
        assert.deepEqual([status, Object.keys(data.errors)], [400, ['value']]);
        assert.ok(!JSON.stringify(data).includes(JSON.stringify(value).slice(1, -1)), 'it may be a secret');
      }
    }
    const value = 'tab\t, ü and 世界';
    assert.equal((await administrator.call('PUT', path, { value })).data.value, value);
  });

  test('secrets that together exceed what a gateway node accepts are rejected', async () => {
    const environmentId = await create();
    const sealer = createSealer([control.encryptionKey], 'control secrets');
    const value = '世'.repeat(10_000);
    const names = Array.from({ length: 99 }, (_, index) => `STORED_${index}`);
    const stored = names.map((name) => {
      const sealed = sealer.seal(Buffer.from(value), variableContext({ environmentId, name }));
      const key = { organization_id: organizationId, environment_id: environmentId, name };
      return { ...key, secret: true, value: null, sealed_value: sealed };
    });
    await control.opened.database.system.insertInto('environment_variables').values(stored).execute();
    const put = (name: string, body: object) =>
      administrator.call('PUT', `/environments/${environmentId}/variables/${name}`, body);
    // Of 32 bytes, in Base64.
    const secrets: Record<string, string> = {
      maskingKey: 'x'.repeat(44),
      'variable:MORE': value.slice(3_000),
      'variable:LAST': '',
    };
    for (const name of names) secrets[`variable:${name}`] = value;
    assert.equal((await put('MORE', { value: value.slice(3_000), secret: true })).status, 200);

    const most = 'x'.repeat(maxSecretsSizeBytes - secretsSizeBytes(secrets));
    const refused = await put('LAST', { value: `${most}x`, secret: true });
    assert.equal(refused.status, 413);
    assert.match(refused.data.message, /total 3,000,000 bytes, .* 3,000,001\. Shorten one/);
    assert.equal(
      (await administrator.call('GET', `/environments/${environmentId}/variables?search=LAST`)).data.total,
      0,
    );
    assert.equal((await put('LAST', { value: most, secret: true })).status, 200);
    assert.equal((await put('LAST', { value: `${most.slice(2)}"`, secret: true })).status, 200);
    assert.equal((await put('LAST', { value: `${most.slice(1)}"`, secret: true })).status, 413, 'as JSON writes it');
    assert.equal((await put('PLAIN', { value })).status, 200);

    // What is too much already can become less.
    const name = 'OLDER';
    const sealed = sealer.seal(Buffer.from(value), variableContext({ environmentId, name }));
    await control.opened.database.system
      .insertInto('environment_variables')
      .values({ ...stored[0]!, name, sealed_value: sealed })
      .execute();
    assert.equal((await put('LAST', { value: `${most}x`, secret: true })).status, 413);
    assert.equal((await put(name, { value: value.slice(1), secret: true })).status, 200);
    assert.equal((await put('STORED_0', { value })).status, 200);
    assert.equal((await administrator.call('DELETE', `/environments/${environmentId}/variables/MORE`)).status, 200);
  });

  test('another organization’s environment is not found, by any operation', async () => {
    const id = await create();
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { description: 'x' }],
      ['DELETE', '', undefined],
      ['GET', '/deployments', undefined],
      ['GET', '/variables', undefined],
      ['PUT', '/variables/X', { value: 'x' }],
      ['DELETE', '/variables/X', undefined],
    ] as const) {
      assert.equal((await stranger.call(method, `/environments/${id}${path}`, body)).status, 404, `${method} ${path}`);
    }
  });
});
