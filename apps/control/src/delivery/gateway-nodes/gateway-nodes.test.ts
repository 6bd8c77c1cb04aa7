import assert from 'node:assert/strict';
import { createHash, randomBytes, verify } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ConsumersPage } from '@millrace/gateway-configuration/consumers';
import { Manifest } from '@millrace/gateway-configuration/manifest';
import { hashSecrets, openSecrets } from '@millrace/gateway-configuration/sealing';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { contentHash } from '@millrace/revision/hash';
import { sql } from 'kysely';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { publishConsumers } from '../configuration/publish.ts';
import { addNode, register, type TestNode } from './testing.ts';

describe('gateway nodes', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let environmentId: string;
  let proxyId: string;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    environmentId = await addEnvironment(control, organizationId);
    proxyId = await addProxy();
  });

  /** A proxy whose revision 1 has one route. */
  async function addProxy(): Promise<string> {
    const name = `orders-${newId('prx').slice(-8)}`;
    const proxy = { name, displayName: 'Orders', basePath: `/v1/${name}` };
    const { data } = await administrator.call('POST', '/proxies', proxy);
    const route = { method: 'GET', pathPattern: '/', targetServer: 'orders' };
    await administrator.call('POST', `/proxies/${data.id}/routes`, route);
    const cut = await administrator.call('POST', `/proxies/${data.id}/revisions`, {});
    assert.equal(cut.status, 201, JSON.stringify(cut.data));
    return data.id;
  }

  async function deploy(): Promise<string> {
    const body = { proxyId, environmentId, revision: 1 };
    const { status, data } = await administrator.call('POST', '/deployments', body);
    assert.equal(status, 201, JSON.stringify(data));
    return data.id;
  }

  const publish = (changes: Parameters<typeof publishConsumers>[1]) =>
    tenantTransaction(control.opened.database, organizationId, (transaction) => publishConsumers(transaction, changes));
  const show = async (node: { readonly id: string }) =>
    (await administrator.call('GET', `/gateway-nodes/${node.id}`)).data;
  const stateOf = async (id: string) => (await administrator.call('GET', `/deployments/${id}`)).data.state;
  const rolloutOf = async (id: string) => (await administrator.call('GET', `/deployments/${id}/rollout`)).data;
  const age = (node: TestNode, seconds: number) =>
    sql`update gateway_nodes set last_heartbeat_at = now() - ${seconds} * interval '1 second'
      where id = ${node.id}`.execute(control.opened.database.system);

  test('a node registers once with its token, and authenticates with the one that it gets', async () => {
    const created = await administrator.call('POST', '/gateway-nodes', { environmentId, name: 'first' });
    assert.match(created.data.registrationToken, /^mrr_/);
    assert.deepEqual([created.data.health, created.data.problems], ['offline', ['It has not registered yet.']]);
    const node = await register(control, created.data.registrationToken);
    assert.equal(node.id, created.data.id);
    assert.match(node.token, /^mrn_/);
    assert.equal((await node.call('GET', '/gateway/configuration')).status, 200);
    const publicKey = 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=';
    for (const registrationToken of [created.data.registrationToken, 'mrr_nonsense', node.token]) {
      const again = await control.call('POST', '/gateway/registrations', { registrationToken, publicKey });
      assert.equal(again.status, 401, registrationToken);
    }
    const listed = await administrator.call('GET', '/gateway-nodes?search=first&health=offline');
    assert.deepEqual([listed.data.total, listed.data.gatewayNodes[0].registrationToken], [1, undefined]);
    const taken = await administrator.call('POST', '/gateway-nodes', { environmentId, name: 'first' });
    assert.deepEqual(Object.keys(taken.data.errors), ['name']);

    const { rows } = await sql<{ operation: string; category: string; actor_kind: string; text: string }>`
      select operation, category, actor_kind, t::text as text from audit_entries t
      where organization_id = ${organizationId} and entity_id = ${node.id} order by sequence`.execute(
      control.opened.database.system,
    );
    assert.deepEqual(
      rows.map((row) => [row.operation, row.category, row.actor_kind]),
      [
        ['createGatewayNode', 'deployment', 'user'],
        ['registerGatewayNode', 'security', 'gateway_node'],
      ],
    );
    const everything = JSON.stringify(rows) + control.logLines.join('');
    assert.ok(!everything.includes(node.token) && !everything.includes(created.data.registrationToken));
  });

  test('an unusable public key is rejected and doesn’t use up the token', async () => {
    const { data } = await administrator.call('POST', '/gateway-nodes', { environmentId, name: 'weak' });
    const body = { registrationToken: data.registrationToken, publicKey: Buffer.alloc(32).toString('base64') };
    const refused = await control.call('POST', '/gateway/registrations', body);
    assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['publicKey']]);
    const node = await register(control, data.registrationToken);
    assert.equal((await node.call('GET', '/gateway/configuration')).status, 200);
  });

  test('of two simultaneous registrations with one token, one succeeds', async () => {
    const { data } = await administrator.call('POST', '/gateway-nodes', { environmentId, name: 'raced' });
    const body = {
      registrationToken: data.registrationToken,
      publicKey: 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=',
    };
    const answers = await Promise.all([1, 2, 3].map(() => control.call('POST', '/gateway/registrations', body)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 401, 401]);
  });

  test('a rotation keeps the current token until the new one is used, and invalidates an old registration token', async () => {
    const node = await addNode(control, administrator, environmentId);
    const first = await administrator.call('POST', `/gateway-nodes/${node.id}/token`);
    const second = await administrator.call('POST', `/gateway-nodes/${node.id}/token`);
    assert.equal((await node.beat()).status, 200);
    const body = {
      registrationToken: first.data.registrationToken,
      publicKey: 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=',
    };
    assert.equal((await control.call('POST', '/gateway/registrations', body)).status, 401);
    const again = await register(control, second.data.registrationToken);
    assert.equal(again.id, node.id);
    assert.equal((await again.beat()).status, 200);
    assert.equal((await node.beat()).status, 401);

    await sql`update gateway_nodes set registration_expires_at = now() - interval '1 second'
      where id = ${node.id}`.execute(control.opened.database.system);
    const late = await administrator.call('POST', `/gateway-nodes/${node.id}/token`);
    await sql`update gateway_nodes set registration_expires_at = now() - interval '1 second'
      where id = ${node.id}`.execute(control.opened.database.system);
    const expired = { ...body, registrationToken: late.data.registrationToken };
    assert.equal((await control.call('POST', '/gateway/registrations', expired)).status, 401);
  });

  test('a revoked token is rejected immediately, also for a waiting call', async () => {
    const node = await addNode(control, administrator, environmentId);
    await node.load();
    const held = (await node.call('GET', '/gateway/configuration')).data;
    const { sequence } = JSON.parse(held.configuration.manifest.text);
    const query = `sequence=${sequence}&consumers=${held.consumers?.upTo ?? 0}&drain=none&waitSeconds=20`;
    const startedMs = performance.now();
    const waiting = node.call('GET', `/gateway/configuration?${query}`);
    await new Promise((done) => setTimeout(done, 300));
    const open = await administrator.call('POST', `/gateway-nodes/${node.id}/token`);
    const revoked = await administrator.call('DELETE', `/gateway-nodes/${node.id}/token`);
    assert.deepEqual([revoked.status, revoked.data.tokenActive, revoked.data.health], [200, false, 'offline']);
    assert.match(revoked.data.problems[0], /was revoked/);
    assert.equal((await waiting).status, 401);
    assert.ok(performance.now() - startedMs < 15_000, 'it did not wait for its time');
    for (const path of ['/gateway/configuration', `/gateway/contents?hashes=${'0'.repeat(64)}`]) {
      assert.equal((await node.call('GET', path)).status, 401, path);
    }
    assert.equal((await node.beat()).status, 401);
    const publicKey = 'hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=';
    const { registrationToken } = open.data;
    const again = await control.call('POST', '/gateway/registrations', { registrationToken, publicKey });
    assert.equal(again.status, 401, 'nor does a registration token from before admit');
    assert.equal((await administrator.call('DELETE', `/gateway-nodes/${node.id}/token`)).status, 409);
    const { rows } = await sql<{ category: string; severity: string }>`
      select category, severity from audit_entries
      where entity_id = ${node.id} and operation = 'revokeGatewayNodeToken' and outcome = 'done'`.execute(
      control.opened.database.system,
    );
    assert.deepEqual(rows, [{ category: 'security', severity: 'high' }]);

    const renewed = await administrator.call('POST', `/gateway-nodes/${node.id}/token`);
    const back = await register(control, renewed.data.registrationToken, node.name);
    await back.load();
    assert.deepEqual([(await show(node)).tokenActive, (await show(node)).health], [true, 'healthy']);
  });

  test('a deployment doesn’t wait for a node whose token was revoked', async () => {
    const [first, second] = [
      await addNode(control, administrator, environmentId),
      await addNode(control, administrator, environmentId),
    ];
    await first.load();
    await second.load();
    const deployment = await deploy();
    await first.load();
    assert.equal(await stateOf(deployment), 'rolling_out');
    await administrator.call('DELETE', `/gateway-nodes/${second.id}/token`);
    assert.equal(await stateOf(deployment), 'live');
  });

  test('a node’s token is valid for the operations of nodes only, and no other credential is valid there', async () => {
    const node = await addNode(control, administrator, environmentId);
    assert.equal((await node.call('GET', '/proxies')).status, 403);
    assert.equal((await node.call('GET', '/gateway-nodes')).status, 403);
    for (const [method, path, body] of [
      ['GET', '/gateway/configuration', undefined],
      ['GET', `/gateway/contents?hashes=${'0'.repeat(64)}`, undefined],
      ['POST', '/gateway/heartbeats', {}],
      ['POST', '/gateway/usage', {}],
    ] as const) {
      assert.equal((await control.call(method, path, body)).status, 401, path);
      assert.equal((await administrator.call(method, path, body)).status, 403, path);
    }
    const foreign = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    assert.equal((await foreign.call('GET', `/gateway-nodes/${node.id}`)).status, 404);
    assert.equal((await foreign.call('POST', `/gateway-nodes/${node.id}/drain`)).status, 404);
  });

  test('large contents are returned a few at a time, small ones by the hundred', async () => {
    const { system } = control.opened.database;
    const node = await addNode(control, administrator, environmentId);
    const own = { organization_id: organizationId, proxy_id: proxyId };
    const given = await system
      .selectFrom('revisions')
      .selectAll()
      .where('proxy_id', '=', proxyId)
      .executeTakeFirstOrThrow();
    const put = async (first: number, descriptions: readonly string[]): Promise<string> => {
      const hashes: string[] = [];
      for (const [index, description] of descriptions.entries()) {
        const revision = first + index;
        const content = { ...given.content, proxy: { ...given.content.proxy, description } };
        const hash = contentHash(content);
        const row = { ...own, revision, content: JSON.stringify(content), content_hash: hash };
        await system
          .insertInto('revisions')
          .values({ ...row, created_by: given.created_by, author_ids: [] })
          .execute();
        await system
          .insertInto('deployments')
          .values({
            ...own,
            id: newId('dep'),
            environment_id: environmentId,
            revision,
            strategy: 'canary',
            weight: 0,
            state: 'pending',
            content_hash: hash,
            created_by: given.created_by,
            created_by_name: 'Ada Example',
            diff: JSON.stringify({ changes: [], breaking: false }),
            note: '',
            base_path: '/',
            target_servers: [],
            variables: [],
          })
          .execute();
        hashes.push(hash);
      }
      return hashes.join();
    };
    const ask = (hashes: string) => node.call('GET', `/gateway/contents?hashes=${hashes}`);
    const small = await put(
      100,
      Array.from({ length: 100 }, (_, index) => `number ${index}`),
    );
    assert.equal((await ask(small)).data.contents.length, 100);
    assert.equal((await ask(`${small},${'0'.repeat(64)}`)).status, 400);
    const large = await put(
      300,
      [1, 2, 3].map(() => randomBytes(2_250_000).toString('base64')),
    );
    const first = (await ask(large)).data.contents.map(({ hash }: { hash: string }) => hash);
    assert.equal(first.length, 2);
    const left = large.split(',').filter((hash) => !first.includes(hash));
    assert.equal((await ask(left.join())).data.contents.length, 1);
  });

  test('the configuration is signed and complete, and its secrets only open for this node', async () => {
    const secret = 'opensesame-7c1f';
    const token = `/environments/${environmentId}/variables/TOKEN`;
    await administrator.call('PUT', token, { value: secret, secret: true });
    const policy = {
      kind: 'transform-headers',
      configuration: { set: [{ name: 'authorization', value: 'Bearer {{variables.TOKEN}}' }] },
    };
    const attached = await administrator.call('POST', `/proxies/${proxyId}/policies`, policy);
    assert.equal(attached.status, 201, JSON.stringify(attached.data));
    await administrator.call('POST', `/proxies/${proxyId}/revisions`, {});
    const body = { proxyId, environmentId, revision: 2 };
    const { data: deployment } = await administrator.call('POST', '/deployments', body);
    const node = await addNode(control, administrator, environmentId);
    const { data, headers } = await node.call('GET', '/gateway/configuration');
    const { manifest: signed, hash, secrets } = data.configuration;
    assert.ok(verify(null, Buffer.from(signed.text), node.verificationKey, Buffer.from(signed.signature, 'base64')));
    assert.equal(hash, createHash('sha256').update(signed.text).digest('hex'));
    const manifest = Manifest.parse(JSON.parse(signed.text));
    assert.deepEqual(manifest.variables, { TOKEN: null });
    assert.equal(manifest.deployments[0]?.deploymentId, deployment.id);
    const opened = openSecrets(secrets, node.privateKey);
    assert.equal(opened['variable:TOKEN'], secret);
    assert.equal(Buffer.from(opened.maskingKey ?? '', 'base64').length, 32);
    assert.equal(hashSecrets(opened), manifest.secretsHash);
    const other = await addNode(control, administrator, environmentId);
    assert.throws(() => openSecrets(secrets, other.privateKey));
    assert.ok(!(JSON.stringify(data) + control.logLines.join('')).includes(secret));

    const wanted = manifest.deployments[0]!.contentHash;
    const contents = await node.call('GET', `/gateway/contents?hashes=${wanted},${'0'.repeat(64)}`);
    assert.equal(contents.data.contents.length, 1);
    assert.equal(contentHash(contents.data.contents[0].content), wanted);
    const elsewhere = await addNode(
      control,
      administrator,
      await addEnvironment(control, organizationId, { name: 'elsewhere' }),
    );
    assert.deepEqual((await elsewhere.call('GET', `/gateway/contents?hashes=${wanted}`)).data.contents, []);

    const tag = headers.get('etag') ?? '';
    const held = `/gateway/configuration?sequence=${manifest.sequence}`;
    assert.equal((await node.call('GET', held, undefined, { 'if-none-match': tag })).status, 304);
    const unchanged = await node.call('GET', held);
    assert.deepEqual(unchanged.data, { configuration: null, consumers: null, drain: 'none' });

    await administrator.call('PUT', token, { value: 'another', secret: true });
    const next = await node.call('GET', held, undefined, { 'if-none-match': tag });
    assert.equal(next.status, 200);
    assert.equal(openSecrets(next.data.configuration.secrets, node.privateKey)['variable:TOKEN'], 'another');
  });

  test('a waiting node is woken by a deployment, a consumer or a drain, but not by changes elsewhere', async () => {
    const node = await addNode(control, administrator, environmentId);
    const elsewhereId = await addEnvironment(control, organizationId, { name: 'elsewhere' });
    const sequence = await node.load();
    const wait = async (query: string) => {
      const startMs = performance.now();
      const { status, data } = await node.call('GET', `/gateway/configuration?waitSeconds=30&${query}`);
      return { status, data, tookMs: performance.now() - startMs };
    };
    const soon = (begin: () => Promise<unknown>) => new Promise((done) => setTimeout(done, 300)).then(begin);

    const [deployed] = await Promise.all([wait(`sequence=${sequence}`), soon(deploy)]);
    assert.equal(JSON.parse(deployed.data.configuration.manifest.text).deployments.length, 1);
    assert.ok(deployed.tookMs > 250 && deployed.tookMs < 20_000, `${deployed.tookMs} ms`);

    const change = { kind: 'developer', id: 'dev_1', value: { id: 'dev_1', name: 'Ada', active: true } } as const;
    const held = `sequence=${sequence + 1}`;
    const [answer] = await Promise.all([wait(held), soon(() => publish([change]))]);
    const page = ConsumersPage.parse(JSON.parse(answer.data.consumers.text));
    assert.deepEqual([page.after, page.more, page.changes], [0, false, [change]]);
    assert.equal(answer.data.configuration, null);

    const [drained] = await Promise.all([
      wait(`${held}&consumers=${page.upTo}`),
      soon(() => administrator.call('POST', `/gateway-nodes/${node.id}/drain`)),
    ]);
    assert.deepEqual(
      [drained.data.drain, drained.data.configuration, drained.data.consumers],
      ['draining', null, null],
    );
    const known = await wait(`${held}&consumers=${page.upTo}&drain=none`);
    assert.ok(
      known.tookMs < 20_000 && known.data.drain === 'draining',
      'a change it has not received is sent immediately',
    );

    const [undisturbed] = await Promise.all([
      node.call('GET', `/gateway/configuration?waitSeconds=1&${held}&consumers=${page.upTo}`),
      soon(() => addNode(control, administrator, elsewhereId)),
    ]);
    assert.deepEqual([undisturbed.data.configuration, undisturbed.data.consumers], [null, null]);

    const [first, second] = await Promise.all([
      wait(`${held}&consumers=${page.upTo}`),
      soon(() => node.call('GET', `/gateway/configuration?waitSeconds=1&${held}&consumers=${page.upTo}`)),
    ]);
    assert.ok(first.tookMs < 20_000, 'another wait of the node ends the one before');
    assert.equal((second as { status: number }).status, 200);

    const [removed] = await Promise.all([
      wait(`${held}&consumers=${page.upTo}`),
      soon(async () => {
        await age(node, 100);
        await administrator.call('DELETE', `/gateway-nodes/${node.id}`);
      }),
    ]);
    assert.equal(removed.status, 401);
  });

  test('pages of consumers are complete, whatever is published meanwhile', async () => {
    const node = await addNode(control, administrator, environmentId);
    const developer = (index: number, name: string) =>
      ({ kind: 'developer', id: `dev_${index}`, value: { id: `dev_${index}`, name, active: true } }) as const;
    await publish(Array.from({ length: 2_500 }, (_, index) => developer(index, 'before')));
    const known = new Map<string, string | null>();
    let after = 0;
    for (let round = 0; ; round++) {
      const { data } = await node.call('GET', `/gateway/configuration?sequence=1000&consumers=${after}`);
      const page = ConsumersPage.parse(JSON.parse(data.consumers.text));
      assert.equal(page.after, after);
      for (const { id, value } of page.changes)
        known.set(id, value === null ? null : 'name' in value ? value.name : '');
      after = page.upTo;
      if (round === 0) {
        await publish([
          developer(1, 'after'),
          developer(2_400, 'after'),
          { kind: 'developer', id: 'dev_3', value: null },
        ]);
      }
      if (!page.more) break;
    }
    assert.equal(known.size, 2_500);
    assert.deepEqual(
      ['dev_1', 'dev_2', 'dev_3', 'dev_2400'].map((id) => known.get(id)),
      ['after', 'before', null, 'after'],
    );
    const { data } = await node.call('GET', `/gateway/configuration?sequence=1000&consumers=${after + 1_000}`);
    assert.equal(JSON.parse(data.consumers.text).after, 0, 'who knows more than there is begins again');
  });

  test('health follows from the heartbeat’s age and content', async () => {
    const node = await addNode(control, administrator, environmentId);
    assert.equal((await show(node)).health, 'offline');
    const sequence = await node.load();
    const well = await show(node);
    assert.deepEqual([well.health, well.problems, well.configuration.held], ['healthy', [], sequence]);
    assert.deepEqual([well.requestsPerSecond, well.software, well.ready], [10.5, 'test', true]);

    await addNode(control, administrator, environmentId);
    assert.equal((await node.beat({ configuration: { sequence, hash: well.configuration.hash } })).data.nodes, 1);
    for (const [seconds, health] of [
      [14, 'healthy'],
      [16, 'degraded'],
      [59, 'degraded'],
      [61, 'offline'],
    ] as const) {
      await age(node, seconds);
      assert.equal((await show(node)).health, health, `${seconds} s`);
    }
    const configuration = { sequence, hash: well.configuration.hash };
    for (const [fields, problem] of [
      [{ configuration, ready: false }, /not loaded all revisions/],
      [
        { configuration, refused: { sequence: 9, reason: 'The signature is wrong.' } },
        /rejected configuration 9: The signature/,
      ],
      [{ configuration: { sequence, hash: '0'.repeat(64) } }, /did not create/],
      [{ configuration: { sequence: sequence + 10, hash: '0'.repeat(64) } }, /did not create/],
      [{ configuration: { sequence: 2 ** 40, hash: '0'.repeat(64) } }, /did not create/],
    ] as const) {
      assert.equal((await node.beat(fields)).status, 200);
      const { health, problems } = await show(node);
      assert.equal(health, 'degraded');
      assert.match(problems[0], problem);
    }
    await node.beat({ configuration });
    await deploy();
    assert.equal((await show(node)).health, 'healthy', 'it has time to load');
    await sql`update configuration_snapshots set created_at = now() - interval '31 seconds'
      where environment_id = ${environmentId}`.execute(control.opened.database.system);
    assert.match((await show(node)).problems[0], /serves configuration 1, and has not loaded 2/);
    await node.load();
    await publish([{ kind: 'developer', id: 'dev_1', value: null }]);
    assert.equal((await show(node)).health, 'healthy', 'it has time to learn of consumers');
    await sql`update consumer_changes set changed_at = now() - interval '31 seconds'
      where organization_id = ${organizationId}`.execute(control.opened.database.system);
    assert.match((await show(node)).problems[0], /not received changes to consumers/);
    await node.beat({
      configuration: { ...configuration, sequence: 2, hash: (await show(node)).configuration.hash },
      consumersSequence: 100,
    });
    assert.deepEqual((await show(node)).problems, []);

    const metrics = await administrator.call('GET', `/gateway-nodes/${node.id}/metrics`);
    assert.equal(metrics.data.latest.cpuPercent, 12.5);
    assert.ok(metrics.data.history.length >= 1);
  });

  test('a node is drained, resumed and removed when its state allows it', async () => {
    const { data: unregistered } = await administrator.call('POST', '/gateway-nodes', { environmentId, name: 'new' });
    assert.equal((await administrator.call('POST', `/gateway-nodes/${unregistered.id}/drain`)).status, 409);
    assert.equal((await administrator.call('DELETE', `/gateway-nodes/${unregistered.id}`)).status, 200);

    const node = await addNode(control, administrator, environmentId);
    await node.load();
    const path = `/gateway-nodes/${node.id}`;
    assert.equal((await administrator.call('POST', `${path}/resume`)).status, 409);
    assert.equal((await administrator.call('DELETE', path)).status, 409);
    const draining = await administrator.call('POST', `${path}/drain`);
    assert.deepEqual([draining.data.health, draining.data.drain], ['draining', 'draining']);
    assert.equal((await administrator.call('POST', `${path}/drain`)).status, 409);
    assert.equal((await node.beat({ drain: 'draining' })).data.drain, 'draining');
    assert.equal((await node.beat({ drain: 'drained' })).data.drain, 'draining');
    const drained = await show(node);
    assert.deepEqual([drained.health, drained.drain], ['drained', 'drained']);
    const resumed = await administrator.call('POST', `${path}/resume`);
    assert.equal(resumed.data.drain, 'none');
    assert.equal((await node.beat()).data.drain, 'none');
    assert.equal((await node.beat({ drain: 'draining' })).data.drain, 'none');
    assert.equal((await show(node)).health, 'draining', 'a node that is being stopped drains on its own');
    await age(node, 61);
    assert.equal((await administrator.call('DELETE', path)).status, 200);
    assert.equal((await node.beat()).status, 401);
  });

  test('a deployment is live once every reporting node has it', async () => {
    const [first, second] = [
      await addNode(control, administrator, environmentId),
      await addNode(control, administrator, environmentId),
    ];
    const id = await deploy();
    assert.equal(await stateOf(id), 'pending', 'no node reports');
    await first.beat();
    assert.equal(await stateOf(id), 'rolling_out');
    await second.beat({ refused: { sequence: 2, reason: 'Policy pol_1 cannot be compiled.' } });
    await first.load();
    assert.equal(await stateOf(id), 'rolling_out');
    const rollout = await rolloutOf(id);
    assert.deepEqual([rollout.total, rollout.serving], [2, 1]);
    const nodes = new Map<
      string,
      { serving: boolean; servingSince: string | null; refused: { reason: string } | null }
    >(rollout.nodes.map((node: { nodeId: string }) => [node.nodeId, node]));
    assert.ok(nodes.get(first.id)?.serving && nodes.get(first.id)?.servingSince);
    assert.match(nodes.get(second.id)?.refused?.reason ?? '', /cannot be compiled/);
    await second.load();
    assert.equal(await stateOf(id), 'live');
    const { servingSince } = (await rolloutOf(id)).nodes.find(({ nodeId }: { nodeId: string }) => nodeId === first.id);
    await deploy();
    await first.load();
    const later = await rolloutOf(id);
    assert.equal(
      later.nodes.every(({ serving }: { serving: boolean }) => !serving),
      true,
      'it no longer serves',
    );
    assert.equal(nodes.get(first.id)?.servingSince, servingSince);
  });

  test('a deployment doesn’t wait for offline or drained nodes', async () => {
    const nodes = [
      await addNode(control, administrator, environmentId),
      await addNode(control, administrator, environmentId),
      await addNode(control, administrator, environmentId),
    ] as const;
    await Promise.all(nodes.map((node) => node.load()));
    const id = await deploy();
    await nodes[0].load();
    await age(nodes[1], 20);
    await nodes[0].load();
    assert.equal(await stateOf(id), 'rolling_out');
    await administrator.call('POST', `/gateway-nodes/${nodes[2].id}/drain`);
    await nodes[2].beat({ drain: 'drained' });
    assert.equal(await stateOf(id), 'live');

    const next = await deploy();
    await Promise.all(nodes.map((node) => age(node, 61)));
    assert.equal(await stateOf(next), 'rolling_out');
    for (const node of nodes) {
      assert.equal((await administrator.call('DELETE', `/gateway-nodes/${node.id}`)).status, 200);
    }
    assert.equal(await stateOf(next), 'pending', 'no node is left');
    const last = await deploy();
    assert.equal(await stateOf(last), 'pending');
    const first = await addNode(control, administrator, environmentId);
    assert.equal(await stateOf(last), 'pending', 'it has registered, and holds nothing');
    await first.load();
    assert.equal(await stateOf(last), 'live');
    await age(first, 61);
    assert.equal((await administrator.call('DELETE', `/gateway-nodes/${first.id}`)).status, 200);
    assert.equal(await stateOf(last), 'pending', 'what was live waits as well');
    const back = await addNode(control, administrator, environmentId);
    await back.load();
    assert.equal(await stateOf(last), 'live');
  });

  test('nodes that load concurrently during deployments leave nothing rolling out', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => addNode(control, administrator, environmentId)));
    await Promise.all(nodes.map((node) => node.load()));
    for (let round = 0; round < 5; round++) {
      const [id] = await Promise.all([deploy(), ...nodes.map((node) => node.load())]);
      await Promise.all(nodes.map((node) => node.load()));
      assert.equal(await stateOf(id!), 'live');
    }
  });

  test('nodes drained and resumed during deployments leave nothing waiting and cause no deadlock', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => addNode(control, administrator, environmentId)));
    await Promise.all(nodes.map((node) => node.load()));
    for (let round = 0; round < 4; round++) {
      const drained = nodes[round % nodes.length]!;
      const answers = await Promise.all([
        administrator.call('POST', `/gateway-nodes/${drained.id}/drain`),
        deploy().then(() => ({ status: 200 })),
        ...nodes.map(async (node) => {
          await node.load();
          return node.beat({ drain: 'drained' });
        }),
        administrator.call('PATCH', `/gateway-nodes/${drained.id}`, { description: `round ${round}` }),
      ]);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      assert.equal((await administrator.call('POST', `/gateway-nodes/${drained.id}/resume`)).status, 200);
      await Promise.all(nodes.map((node) => node.load()));
      const { data } = await administrator.call('GET', `/deployments?environmentId=${environmentId}&serving=true`);
      assert.deepEqual(
        data.deployments.map(({ state }: { state: string }) => state),
        ['live'],
      );
    }
  });

  test('the service stops immediately, even with waiting nodes', async () => {
    const own = await startTestControl();
    const caller = await own.addUser(await own.addOrganization(), ['organization_administrator']);
    const node = await addNode(own, caller, await addEnvironment(own, caller.organizationId));
    const waiting = node.call('GET', '/gateway/configuration?sequence=1000&waitSeconds=30');
    await new Promise((done) => setTimeout(done, 200));
    const startMs = performance.now();
    const [answer] = await Promise.all([waiting, own.stop()]);
    assert.deepEqual([answer.status, answer.data.configuration], [200, null]);
    assert.ok(performance.now() - startMs < 20_000);
  });

  test('an environment with nodes can’t be deleted', async () => {
    const emptyId = (await administrator.call('POST', '/environments', { name: 'empty', displayName: 'Empty' })).data
      .id;
    const node = await addNode(control, administrator, emptyId);
    const refused = await administrator.call('DELETE', `/environments/${emptyId}`);
    assert.deepEqual([refused.status, refused.data.message], [409, 'Remove its gateway nodes first (1).']);
    await administrator.call('DELETE', `/gateway-nodes/${node.id}`);
    assert.equal((await administrator.call('DELETE', `/environments/${emptyId}`)).status, 200);
  });
});
