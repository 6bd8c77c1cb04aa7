import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Manifest } from '@millrace/gateway-configuration/manifest';
import { hashSecrets } from '@millrace/gateway-configuration/sealing';
import { newId } from '@millrace/identifiers';
import type { RevisionContent } from '@millrace/revision/content';
import { canonicalJson, contentHash } from '@millrace/revision/hash';
import { sql } from 'kysely';
import { addApp, addProduct, done } from '../../consumers/products/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { createSnapshotSigner } from '../configuration/signing.ts';
import { addNode } from '../gateway-nodes/testing.ts';

interface Share {
  readonly revision: number;
  readonly weight: number;
}

describe('deployments', () => {
  let control: TestControl;
  let organizationId: string;
  let developer: TestCaller;
  let operator: TestCaller;
  let environmentId: string;
  let productionId: string;
  let proxyId: string;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    developer = await control.addUser(organizationId, ['developer']);
    operator = await control.addUser(organizationId, ['operations_engineer']);
  });
  after(() => control.stop());
  beforeEach(async () => {
    environmentId = await addEnvironment({ production: false });
    productionId = await addEnvironment({ production: true });
    proxyId = await addProxy(3);
  });

  async function addEnvironment({ production }: { production: boolean }): Promise<string> {
    const id = newId('env');
    const name = `env-${id.slice(-10)}`;
    const key = { organization_id: organizationId };
    const { system } = control.opened.database;
    await system
      .insertInto('environments')
      .values({ ...key, id, name, display_name: name, production, host_names: [`${name}.example.com`] })
      .execute();
    await system
      .insertInto('target_servers')
      .values({
        ...key,
        id: newId('tgt'),
        environment_id: id,
        name: 'orders',
        scheme: 'https',
        host: `${name}.internal`,
        port: 443,
      })
      .execute();
    return id;
  }

  function contentOf(id: string, revision: number, given: Partial<RevisionContent> = {}): RevisionContent {
    return {
      proxy: {
        name: `orders-${id.slice(-10)}`,
        displayName: 'Orders',
        description: `revision ${revision}`,
        basePath: `/v1/${id.slice(-10)}`,
        protocol: 'rest',
        authScheme: 'none',
      },
      routes: Array.from({ length: revision }, (_, index) => ({
        id: `rte_${String(index).padStart(26, '0')}`,
        method: 'GET',
        pathPattern: `/orders-${index}`,
        targetServer: 'orders',
        targetPath: null,
        timeoutMs: 1000,
        summary: '',
        description: '',
      })),
      policies: [],
      specification: null,
      ...given,
    };
  }

  async function addRevision(id: string, revision: number, given: Partial<RevisionContent> = {}): Promise<string> {
    const content = contentOf(id, revision, given);
    const hash = contentHash(content);
    await control.opened.database.system
      .insertInto('revisions')
      .values({
        organization_id: organizationId,
        proxy_id: id,
        revision,
        content: JSON.stringify(content),
        content_hash: hash,
        created_by: developer.userId,
        author_ids: [developer.userId],
      })
      .execute();
    return hash;
  }

  /** A proxy with revisions 1 to `revisions`, of as many routes each. */
  async function addProxy(revisions: number, given: Partial<RevisionContent> = {}): Promise<string> {
    const id = newId('prx');
    const { proxy } = contentOf(id, 1);
    await control.opened.database.system
      .insertInto('proxies')
      .values({
        id,
        organization_id: organizationId,
        name: proxy.name,
        display_name: proxy.displayName,
        base_path: proxy.basePath,
        protocol: 'rest',
        auth_scheme: 'none',
        content_hash: '',
        created_by: developer.userId,
      })
      .execute();
    for (let revision = 1; revision <= revisions; revision++) await addRevision(id, revision, given);
    return id;
  }

  async function approve(revision: number): Promise<void> {
    const { system } = control.opened.database;
    const { content_hash: hash } = await system
      .updateTable('revisions')
      .set({ approved_by: operator.userId, approved_at: new Date() })
      .where('proxy_id', '=', proxyId)
      .where('revision', '=', revision)
      .returning('content_hash')
      .executeTakeFirstOrThrow();
    await system
      .updateTable('proxies')
      .set({ stage: 'approved', approved_hash: hash, approved_revision: revision })
      .where('id', '=', proxyId)
      .execute();
  }

  const deploy = (revision: number, fields: object = {}, caller = developer) =>
    caller.call('POST', '/deployments', { proxyId, environmentId, revision, ...fields });

  async function deployed(revision: number, fields: object = {}, caller = developer): Promise<string> {
    const answer = await deploy(revision, fields, caller);
    assert.equal(answer.status, 201, JSON.stringify(answer.data));
    return answer.data.id;
  }

  /** What serves the proxy in the environment, by revision. */
  async function serving(inEnvironment = environmentId): Promise<readonly (readonly [number, number])[]> {
    const { data } = await developer.call(
      'GET',
      `/environments/${inEnvironment}/deployments?proxyId=${proxyId}&sort=revision`,
    );
    return data.deployments.map(({ revision, weight }: Share) => [revision, weight] as const);
  }

  async function newestSnapshot(id = environmentId) {
    return control.opened.database.system
      .selectFrom('configuration_snapshots')
      .selectAll()
      .where('environment_id', '=', id)
      .orderBy('sequence', 'desc')
      .executeTakeFirstOrThrow();
  }

  test('a revision is deployed, and the next one replaces it', async () => {
    const first = await deploy(1, { note: 'first' });
    assert.deepEqual(
      [first.status, first.data.state, first.data.weight, first.data.previousId, first.data.note],
      [201, 'pending', 100, null, 'first'],
    );
    const second = await deploy(2);
    assert.equal(second.data.previousId, first.data.id);
    assert.deepEqual(
      second.data.diff.changes.map(({ area, kind }: { area: string; kind: string }) => `${area} ${kind}`),
      ['proxy changed', 'route added'],
    );
    assert.deepEqual(await serving(), [[2, 100]]);
    const before = await developer.call('GET', `/deployments/${first.data.id}`);
    assert.deepEqual([before.data.state, before.data.weight, before.data.version], ['superseded', 0, 2]);
    assert.notEqual(before.data.endedAt, null);
    const shown = await developer.call('GET', `/deployments/${second.data.id}`);
    assert.deepEqual(shown.data, second.data);

    const list = await developer.call('GET', `/deployments?proxyId=${proxyId}&environmentId=${environmentId}`);
    assert.deepEqual([list.data.total, list.data.deployments.map(({ revision }: Share) => revision)], [2, [2, 1]]);
    const ended = await developer.call('GET', `/deployments?proxyId=${proxyId}&serving=false`);
    assert.deepEqual(
      ended.data.deployments.map(({ id }: { id: string }) => id),
      [first.data.id],
    );
  });

  test('unknown references are field errors, including those of another organization', async () => {
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    for (const [caller, fields, field] of [
      [developer, { proxyId: newId('prx') }, 'proxyId'],
      [developer, { environmentId: newId('env') }, 'environmentId'],
      [developer, { revision: 99 }, 'revision'],
      [developer, { weight: 10 }, 'weight'],
      [stranger, {}, 'environmentId'],
    ] as const) {
      const answer = await deploy(1, fields, caller);
      assert.deepEqual([answer.status, Object.keys(answer.data.errors)], [400, [field]]);
    }
    const id = await deployed(1);
    assert.equal((await stranger.call('GET', `/deployments/${id}`)).status, 404);
    assert.equal((await stranger.call('POST', `/deployments/${id}/undeploy`)).status, 404);
  });

  test('a deployed revision can be neither changed nor deleted, whoever tries', async () => {
    await deployed(1);
    const { system } = control.opened.database;
    const row = system.updateTable('revisions').where('proxy_id', '=', proxyId).where('revision', '=', 1);
    await assert.rejects(row.set({ note: 'x' }).execute(), /immutable/);
    await assert.rejects(
      system.deleteFrom('revisions').where('proxy_id', '=', proxyId).where('revision', '=', 1).execute(),
      /immutable/,
    );
    await system
      .updateTable('revisions')
      .set({ note: 'x' })
      .where('proxy_id', '=', proxyId)
      .where('revision', '=', 2)
      .execute();
  });

  test('production only accepts the approved revision, from callers who may deploy there', async () => {
    const inProduction = { environmentId: productionId };
    const unapproved = await deploy(2, inProduction, operator);
    assert.equal(unapproved.status, 409);
    assert.match(unapproved.data.message, /stage draft.*not the approved one/);
    await approve(2);
    const refused = await deploy(2, inProduction);
    assert.equal(refused.status, 403);
    assert.match(refused.data.message, /deployment\.prod/);
    assert.equal((await deploy(1, inProduction, operator)).status, 409);
    const id = await deployed(2, inProduction, operator);

    for (const [method, path, body] of [
      ['POST', 'rollback', {}],
      ['PUT', 'traffic', { weights: [{ deploymentId: id, weight: 100 }] }],
      ['POST', 'promote', undefined],
      ['POST', 'undeploy', undefined],
    ] as const) {
      assert.equal((await developer.call(method, `/deployments/${id}/${path}`, body)).status, 403, path);
    }
    assert.equal((await operator.call('POST', `/deployments/${id}/undeploy`)).status, 200);

    await control.opened.database.system
      .updateTable('proxies')
      .set({ stage: 'draft' })
      .where('id', '=', proxyId)
      .execute();
    assert.equal((await deploy(2, inProduction, operator)).status, 409);
  });

  test('an approval is for one content: one approved earlier can’t go to production', async () => {
    await approve(1);
    await approve(2);
    assert.equal((await deploy(1, { environmentId: productionId }, operator)).status, 409);
    assert.equal((await deploy(2, { environmentId: productionId }, operator)).status, 201);
  });

  test('an environment with an unapproved live deployment can’t become production', async () => {
    await deployed(1);
    const refused = await operator.call('PATCH', `/environments/${environmentId}`, { production: true });
    assert.equal(refused.status, 409);
    assert.match(refused.data.message, /revision 1/);
    const deleted = await (await control.addUser(organizationId, ['organization_administrator'])).call(
      'DELETE',
      `/environments/${environmentId}`,
    );
    assert.equal(deleted.status, 409);
  });

  test('a canary runs next to the live deployment, gets more calls, then all of them', async () => {
    assert.equal((await deploy(1, { strategy: 'canary' })).status, 409);
    const stable = await deployed(1);
    assert.equal((await deploy(1, { strategy: 'canary' })).status, 409);
    const canary = await deployed(2, { strategy: 'canary', weight: 20 });
    assert.deepEqual(await serving(), [
      [1, 80],
      [2, 20],
    ]);
    assert.equal((await deploy(3, { strategy: 'canary' })).status, 409);
    const comparison = await developer.call('GET', `/deployments/${stable}/comparison`);
    assert.deepEqual(
      [comparison.data.canary.revision, comparison.data.stable.revision, comparison.data.canary.requests],
      [2, 1, 0],
    );
    const rollout = await developer.call('GET', `/deployments/${canary}/rollout`);
    assert.deepEqual(rollout.data, { state: 'pending', snapshotSequence: 2, nodes: [], total: 0, serving: 0 });

    assert.equal((await developer.call('POST', `/deployments/${stable}/promote`)).status, 409);
    assert.equal((await developer.call('POST', `/deployments/${stable}/undeploy`)).status, 409);
    const promoted = await developer.call('POST', `/deployments/${canary}/promote`);
    assert.deepEqual([promoted.status, promoted.data.weight], [200, 100]);
    assert.deepEqual(await serving(), [[2, 100]]);
    assert.equal((await developer.call('GET', `/deployments/${stable}`)).data.state, 'superseded');
    assert.equal((await developer.call('POST', `/deployments/${canary}/promote`)).status, 409);
  });

  test('a canary splits requests or callers until the split is changed', async () => {
    const stable = await deployed(1);
    const canary = await deployed(2, { strategy: 'canary', weight: 20 });
    const splits = async () => {
      const { content } = await newestSnapshot();
      return Manifest.parse(JSON.parse(content)).deployments.map(({ split }) => split);
    };
    const shift = (weight: number, fields: object = {}) =>
      developer.call('PUT', `/deployments/${canary}/traffic`, {
        weights: [
          { deploymentId: stable, weight: 100 - weight },
          { deploymentId: canary, weight },
        ],
        ...fields,
      });
    assert.deepEqual(await splits(), ['requests', 'requests']);
    const changed = await shift(20, { split: 'callers' });
    assert.deepEqual([changed.status, changed.data.split], [200, 'callers']);
    assert.equal((await developer.call('GET', `/deployments/${stable}`)).data.split, 'callers');
    assert.deepEqual(await splits(), [undefined, undefined]);
    assert.equal((await shift(30)).data.split, 'callers');
    assert.equal((await shift(30, { split: 'requests' })).data.split, 'requests');
    assert.deepEqual(await splits(), ['requests', 'requests']);
    await developer.call('POST', `/deployments/${canary}/promote`);
    assert.deepEqual(await splits(), [undefined]);
    const refused = await deploy(3, { split: 'callers' });
    assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['split']]);
    const kept = await deployed(3, { strategy: 'canary', split: 'callers' });
    assert.equal((await developer.call('GET', `/deployments/${kept}`)).data.split, 'callers');
  });

  test('the measured split is what nodes counted since the weights were set', async () => {
    const stable = await deployed(1);
    const canary = await deployed(2, { strategy: 'canary', weight: 20 });
    const { system } = control.opened.database;
    const minute = (offset: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 + offset * 60_000);
    const count = (deploymentId: string, at: Date, requests: number) =>
      system
        .insertInto('deployment_traffic')
        .values({
          organization_id: organizationId,
          deployment_id: deploymentId,
          minute: at,
          requests,
          status_2xx: requests,
          status_3xx: 0,
          status_4xx: 0,
          status_5xx: 0,
          latency: [],
        })
        .execute();
    const setAt = (at: Date) =>
      system.updateTable('deployments').set({ split_since: at }).where('id', '=', canary).execute();
    const compared = async () => (await developer.call('GET', `/deployments/${canary}/comparison`)).data;
    await setAt(new Date(minute(-5).getTime() + 20_000));
    const nothing = await compared();
    assert.deepEqual(
      [nothing.split, nothing.measuredSince, nothing.canary.measured, nothing.stable.measured],
      ['requests', minute(-4).toISOString(), { requests: 0, share: null }, { requests: 0, share: null }],
    );
    for (const [offset, ofStable, ofCanary] of [
      [-6, 50, 50],
      [-5, 60, 40],
      [-4, 80, 20],
      [-2, 55, 15],
    ] as const) {
      await count(stable, minute(offset), ofStable);
      await count(canary, minute(offset), ofCanary);
    }
    const { rows } = await sql<{ id: string; requests: number }>`
      select deployment_id as id, sum(requests)::int as requests from control.deployment_traffic
      where deployment_id in (${stable}, ${canary}) and minute >= ${minute(-4)} group by deployment_id`.execute(system);
    const counted = new Map(rows.map(({ id, requests }) => [id, requests]));
    const { canary: shareOfCanary, stable: shareOfStable } = await compared();
    assert.deepEqual(shareOfCanary.measured, { requests: counted.get(canary), share: 35 / 170 });
    assert.deepEqual(shareOfStable.measured, { requests: counted.get(stable), share: 135 / 170 });
    await developer.call('PUT', `/deployments/${canary}/traffic`, {
      weights: [
        { deploymentId: stable, weight: 50 },
        { deploymentId: canary, weight: 50 },
      ],
    });
    const restarted = await compared();
    assert.equal(restarted.canary.measured.requests, 0);
    assert.ok(restarted.measuredSince > new Date().toISOString());
  });

  test('weights of live deployments add up to exactly 100', async () => {
    const stable = await deployed(1);
    const canary = await deployed(2, { strategy: 'canary' });
    const shift = (weights: readonly (readonly [string, number])[], id = canary) =>
      developer.call('PUT', `/deployments/${id}/traffic`, {
        weights: weights.map(([deploymentId, weight]) => ({ deploymentId, weight })),
      });
    for (const weights of [
      [
        [stable, 50],
        [canary, 49],
      ],
      [
        [stable, 50],
        [canary, 51],
      ],
      [[canary, 100]],
      [
        [stable, 50],
        [stable, 50],
      ],
      [
        [stable, 50],
        [canary, 50],
        [newId('dep'), 0],
      ],
      [
        [stable, 101],
        [canary, -1],
      ],
      [
        [stable, 50.5],
        [canary, 49.5],
      ],
    ] as const) {
      assert.equal((await shift(weights)).status, 400, JSON.stringify(weights));
    }
    assert.deepEqual(await serving(), [
      [1, 90],
      [2, 10],
    ]);
    assert.equal(
      (
        await shift([
          [canary, 100],
          [stable, 0],
        ])
      ).status,
      200,
    );
    assert.equal(
      (
        await shift([
          [canary, 0],
          [stable, 100],
        ])
      ).status,
      200,
    );
    const shifted = await shift(
      [
        [stable, 35],
        [canary, 65],
      ],
      stable,
    );
    assert.deepEqual([shifted.data.id, shifted.data.weight], [stable, 35]);
    const stale = await developer.call(
      'PUT',
      `/deployments/${stable}/traffic`,
      {
        weights: [
          { deploymentId: stable, weight: 1 },
          { deploymentId: canary, weight: 99 },
        ],
      },
      { 'if-match': '"v1"' },
    );
    assert.equal(stale.status, 412);
    assert.deepEqual(await serving(), [
      [1, 35],
      [2, 65],
    ]);
    const row = await control.opened.database.system
      .selectFrom('audit_entries')
      .select(['note', 'category', 'entity_id'])
      .where('operation', '=', 'setDeploymentTraffic')
      .where('outcome', '=', 'done')
      .orderBy('sequence', 'desc')
      .executeTakeFirstOrThrow();
    assert.deepEqual([row.category, row.entity_id], ['deployment', stable]);
    assert.match(row.note, /revision 1: 100 → 35/);
  });

  test('a rollback goes one step back each time, and names what was rolled back', async () => {
    const first = await deployed(1);
    const nothing = await developer.call('POST', `/deployments/${first}/rollback`, {});
    assert.deepEqual([nothing.status, (await serving()).length], [409, 1]);
    await deployed(2);
    const third = await deployed(3);
    const back = await developer.call('POST', `/deployments/${third}/rollback`, { note: 'time-outs' });
    assert.deepEqual(
      [back.status, back.data.revision, back.data.weight, back.data.rolledBackFrom],
      [200, 2, 100, { deploymentId: third, revision: 3 }],
    );
    assert.deepEqual(await serving(), [[2, 100]]);
    assert.equal((await developer.call('GET', `/deployments/${third}`)).data.state, 'rolled_back');
    const ended = await developer.call('POST', `/deployments/${third}/rollback`, {});
    assert.equal(ended.status, 409);
    assert.match(ended.data.message, /rolled back/);
    const further = await developer.call('POST', `/deployments/${back.data.id}/rollback`, {});
    assert.deepEqual([further.data.revision, await serving()], [1, [[1, 100]]]);
    assert.equal((await developer.call('POST', `/deployments/${further.data.id}/rollback`, {})).status, 409);
  });

  test('a rolled back or undeployed canary gives its calls back', async () => {
    const stable = await deployed(1);
    const canary = await deployed(2, { strategy: 'canary', weight: 60 });
    const back = await developer.call('POST', `/deployments/${canary}/rollback`, {});
    assert.deepEqual(
      [back.data.id, back.data.weight, back.data.rolledBackFrom],
      [stable, 100, { deploymentId: canary, revision: 2 }],
    );
    const another = await deployed(2, { strategy: 'canary', weight: 5 });
    assert.equal((await developer.call('POST', `/deployments/${another}/undeploy`)).data.state, 'undeployed');
    assert.deepEqual(await serving(), [[1, 100]]);
    assert.equal((await developer.call('POST', `/deployments/${stable}/undeploy`)).status, 200);
    assert.deepEqual(await serving(), []);
  });

  test('a rollback can’t restore an unapproved revision in an environment that became production', async () => {
    await deployed(1);
    await approve(2);
    const second = await deployed(2);
    assert.equal((await operator.call('PATCH', `/environments/${environmentId}`, { production: true })).status, 200);
    const refused = await operator.call('POST', `/deployments/${second}/rollback`, {});
    assert.equal(refused.status, 409);
    assert.match(refused.data.message, /never approved/);
    assert.deepEqual(await serving(), [[2, 100]]);
  });

  test('a preflight evaluates a proxy without locking or writing anything', async () => {
    const { system } = control.opened.database;
    const name = `evaluated-${proxyId.slice(-10)}`;
    const body = { name, displayName: name, basePath: `/v1/${name}`, protocol: 'rest', authScheme: 'none' };
    const { id } = await done(developer, 'POST', '/proxies', body);
    await done(developer, 'POST', `/proxies/${id}/revisions`, {});
    const preflight = () =>
      developer.call('POST', '/deployments/preflight', { proxyId: id, environmentId: productionId, revision: 1 });
    const codes = ({ data }: Awaited<ReturnType<typeof preflight>>) =>
      data.problems.map(({ code }: { code: string }) => code);
    const found = await preflight();
    assert.equal(found.status, 200);
    const evaluations = await sql`select from governance_evaluations where proxy_id = ${id}`.execute(system);
    assert.equal(evaluations.rows.length, 0, 'the preflight kept its evaluation');
    // While someone else holds all locks that a deployment would take.
    const besideWriter = await system.transaction().execute(async (transaction) => {
      await sql`select from proxies where id = ${id} for update`.execute(transaction);
      await sql`select from environments where id = ${productionId} for update`.execute(transaction);
      return preflight();
    });
    assert.deepEqual(codes(besideWriter), codes(found));
    await done(developer, 'POST', `/proxies/${id}/governance/evaluate`, {});
    assert.deepEqual(codes(await preflight()), codes(found));
  });

  test('a preflight reports what blocks a deployment and what it changes, and changes nothing', async () => {
    const policies = [
      {
        id: 'pol_1',
        flow: 'request' as const,
        kind: 'transform-headers',
        name: 'Token',
        enabled: true,
        routeIds: null,
        configuration: { set: [{ name: 'authorization', value: 'Bearer {{variables.TARGET_TOKEN}}' }] },
      },
    ];
    const content = contentOf(proxyId, 4);
    const routes = content.routes.map((route, index) => ({
      ...route,
      targetServer: index === 0 ? 'absent' : 'orders',
    }));
    await addRevision(proxyId, 4, { policies, routes });
    const preflight = (fields: object, caller = developer) =>
      caller.call('POST', '/deployments/preflight', { proxyId, environmentId, revision: 4, ...fields });
    const codes = ({ data }: Awaited<ReturnType<typeof preflight>>) =>
      data.problems.map(({ code, blocking }: { code: string; blocking: boolean }) => `${code}${blocking ? '!' : ''}`);

    const found = await preflight({});
    assert.deepEqual([found.status, found.data.deployable], [200, false]);
    assert.deepEqual(codes(found), ['target-missing!', 'variable-missing!', 'no-gateway-node']);
    const refused = await deploy(4);
    assert.equal(refused.status, 409);
    assert.match(refused.data.message, /no target server absent.*TARGET_TOKEN/);
    assert.deepEqual(codes(await preflight({ environmentId: productionId })), [
      'permission-missing!',
      'stage-not-approved!',
      'revision-not-approved!',
      'target-missing!',
      'variable-missing!',
      'no-gateway-node',
    ]);
    assert.deepEqual(await serving(), []);

    // Such values could be set before they were checked.
    const variable = { organization_id: organizationId, environment_id: environmentId, name: 'TARGET_TOKEN' };
    await control.opened.database.system
      .insertInto('environment_variables')
      .values({ ...variable, secret: false, value: 'opensesame\n', sealed_value: null })
      .execute();
    const unwritable = await preflight({});
    assert.deepEqual(codes(unwritable), ['target-missing!', 'variable-unwritable!', 'no-gateway-node']);
    assert.match(unwritable.data.problems[1].message, /TARGET_TOKEN .* headers can.t contain/);
    assert.ok(!JSON.stringify(unwritable.data.problems).includes('opensesame'));
    const path = `/environments/${environmentId}/variables/TARGET_TOKEN`;
    assert.equal((await operator.call('PUT', path, { value: 'opensesame' })).status, 200);
    assert.deepEqual(codes(await preflight({})), ['target-missing!', 'no-gateway-node']);

    const well = await preflight({ revision: 1 });
    assert.deepEqual(
      [well.data.deployable, codes(well), well.data.diff.changes.length],
      [true, ['no-gateway-node'], 3],
    );
    await addNode(control, await control.addUser(organizationId, ['organization_administrator']), environmentId);
    await deployed(1);
    await control.opened.database.system
      .updateTable('target_servers')
      .set({ enabled: false })
      .where('environment_id', '=', environmentId)
      .execute();
    assert.deepEqual(codes(await preflight({ revision: 2 })), ['target-disabled']);
    const { proxy } = contentOf(proxyId, 1);
    const rival = await addProxy(1, { proxy });
    assert.deepEqual(codes(await preflight({ proxyId: rival, revision: 1 })), ['base-path-taken!', 'target-disabled']);
    assert.equal((await preflight({}, await control.addUser(organizationId, ['api_consumer']))).status, 403);
  });

  test('a preflight warns if no policy enforces the quota of a product or subscription', async () => {
    const quota = { limit: 100, window: { unit: 'day', count: 1 } };
    const policy = {
      id: 'pol_1',
      flow: 'request' as const,
      kind: 'quota',
      name: 'Quota',
      routeIds: null,
      enabled: true,
    };
    const configuration = { limit: 10, window: { unit: 'day' } };
    const { routes } = contentOf(proxyId, 2);
    const [first, second] = routes.map(({ id }) => id) as [string, string];
    const revisions: readonly (readonly [number, object[]])[] = [
      [10, []],
      [11, [{ ...policy, routeIds: [first], configuration }]],
      [12, [{ ...policy, configuration }]],
      [13, [{ ...policy, configuration: { ...configuration, per: 'ip' } }]],
      [14, [{ ...policy, enabled: false, configuration }]],
    ];
    for (const [revision, policies] of revisions) {
      await addRevision(proxyId, revision, { routes, policies: policies as RevisionContent['policies'] });
    }
    const warnings = async (revision: number): Promise<string[]> => {
      const body = { proxyId, environmentId, revision };
      const { deployable, problems } = await done(developer, 'POST', '/deployments/preflight', body);
      assert.equal(deployable, true);
      return problems
        .filter(({ code }: { code: string }) => code !== 'no-gateway-node')
        .map(({ code, message }: { code: string; message: string }) => `${code}: ${message}`);
    };
    const administrator = await control.addUser(organizationId, ['organization_administrator']);
    const productId = await addProduct(administrator);
    const { name } = await done(administrator, 'GET', `/products/${productId}`);
    await done(administrator, 'PUT', `/products/${productId}/proxies/${proxyId}`, { routeIds: null });
    assert.deepEqual(await warnings(10), []);
    await deployed(12);

    await done(administrator, 'PATCH', `/products/${productId}`, { quota });
    const all = `quota-uncounted: No policy enforces the quota of the product ${name}: calls can exceed it.`;
    for (const revision of [10, 13, 14]) assert.deepEqual(await warnings(revision), [all], `revision ${revision}`);
    assert.deepEqual(await warnings(11), [all.replace('No policy', 'On 1 of 2 routes, no policy')]);
    assert.deepEqual(await warnings(12), []);
    await done(administrator, 'PUT', `/products/${productId}/proxies/${proxyId}`, { routeIds: [first] });
    assert.deepEqual(await warnings(11), []);
    await done(administrator, 'PUT', `/products/${productId}/proxies/${proxyId}`, { routeIds: [second] });
    assert.deepEqual(await warnings(11), [all]);

    await done(administrator, 'PATCH', `/products/${productId}`, { quota: null });
    assert.deepEqual(await warnings(11), []);
    const subscription = { appId: await addApp(administrator), productId };
    const { id, state } = await done(administrator, 'POST', '/subscriptions', subscription);
    if (state === 'pending') await done(operator, 'POST', `/subscriptions/${id}/approve`, {});
    await done(administrator, 'PUT', `/subscriptions/${id}/quota`, quota);
    assert.deepEqual(await warnings(11), [all]);
  });

  test('a blocking governance finding stops a production deployment, and is a warning elsewhere', async () => {
    const name = `governed-${newId('prx').slice(-8)}`;
    const created = await developer.call('POST', '/proxies', {
      name,
      displayName: 'Governed',
      basePath: `/v1/${name}`,
    });
    assert.equal(created.status, 201, JSON.stringify(created.data));
    proxyId = created.data.id;
    const route = { method: 'GET', pathPattern: '/', targetServer: 'orders' };
    assert.equal((await developer.call('POST', `/proxies/${proxyId}/routes`, route)).status, 201);
    const cut = await developer.call('POST', `/proxies/${proxyId}/revisions`, { note: 'first' });
    assert.equal(cut.status, 201, JSON.stringify(cut.data));
    await approve(1);
    const preflight = async (inEnvironment: string) =>
      (await operator.call('POST', '/deployments/preflight', { proxyId, environmentId: inEnvironment, revision: 1 }))
        .data;
    const inProduction = await preflight(productionId);
    const found = inProduction.problems.find(({ code }: { code: string }) => code === 'SEC-001');
    assert.deepEqual([inProduction.deployable, found.blocking], [false, true]);
    assert.notEqual(found.remedy, '');
    assert.equal((await deploy(1, { environmentId: productionId }, operator)).status, 409);
    const elsewhere = await preflight(environmentId);
    assert.equal(elsewhere.deployable, true);
    assert.ok(elsewhere.problems.some(({ code }: { code: string }) => code === 'SEC-001'));

    const waiver = { proxyId, code: 'SEC-001', reason: 'Public on purpose', endsAt: new Date(Date.now() + 3_600_000) };
    const waived = await operator.call('POST', '/governance/waivers', waiver);
    assert.equal(waived.status, 201, JSON.stringify(waived.data));
    assert.equal((await deploy(1, { environmentId: productionId }, operator)).status, 201);
  });

  test('each of many simultaneous deployments replaces the one before: never do two get all calls', async () => {
    const answers = await Promise.all([1, 2, 3, 1, 2, 3, 1, 2].map((revision) => deploy(revision)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal((await serving()).length, 1);
    const previous = answers.map(({ data }) => data.previousId);
    assert.equal(new Set(previous).size, answers.length, 'each has another one before it');
    const canaries = await Promise.all([1, 2, 3].map((revision) => deploy(revision, { strategy: 'canary' })));
    assert.equal(canaries.filter(({ status }) => status === 201).length, 1);
    const weights = (await serving()).map(([, weight]) => weight);
    assert.equal(
      weights.reduce((sum, weight) => sum + weight, 0),
      100,
    );
  });

  test('an environment’s configuration is compiled, numbered, hashed and signed', async () => {
    await deployed(1);
    await deployed(2, { strategy: 'canary', weight: 25 });
    const snapshot = await newestSnapshot();
    const content = JSON.parse(snapshot.content);
    assert.deepEqual([snapshot.sequence, content.sequence, content.environment.id], [2, 2, environmentId]);
    assert.deepEqual(content.deployments.map(({ revision, weight }: Share) => [revision, weight]).toSorted(), [
      [1, 75],
      [2, 25],
    ]);
    assert.match(content.targetServers.orders.endpoints[0].host, /\.internal$/);
    assert.deepEqual(content.hostNames.length, 1);
    assert.deepEqual(Manifest.parse(content), content);
    assert.equal(snapshot.content, canonicalJson(content));

    assert.equal(snapshot.hash, createHash('sha256').update(snapshot.content).digest('hex'));
    const publicKey = createPublicKey(createSnapshotSigner(control.encryptionKey).publicKey);
    assert.ok(verify(null, Buffer.from(snapshot.content), publicKey, snapshot.signature));
    assert.ok(!verify(null, Buffer.from(snapshot.content.replace('75', '76')), publicKey, snapshot.signature));
  });

  test('only a change of something in a configuration compiles another one', async () => {
    const policies = [
      {
        id: 'pol_1',
        flow: 'request' as const,
        kind: 'transform-headers',
        name: 'Token',
        enabled: true,
        routeIds: null,
        configuration: { set: [{ name: 'authorization', value: 'Bearer {{variables.TOKEN}}' }] },
      },
    ];
    await addRevision(proxyId, 4, { policies });
    const setVariable = (name: string, body: object) =>
      operator.call('PUT', `/environments/${environmentId}/variables/${name}`, body);
    await setVariable('TOKEN', { value: 'opensesame', secret: true });
    await deployed(4);
    const first = await newestSnapshot();
    assert.equal(first.sequence, 1);
    const { variables } = JSON.parse(first.content);
    assert.deepEqual(Object.keys(variables), ['TOKEN']);
    assert.equal(variables.TOKEN, null);
    assert.ok(!first.content.includes('opensesame'));
    assert.notEqual(JSON.parse(first.content).secretsHash, hashSecrets({ 'variable:TOKEN': 'opensesame' }), 'salted');

    await setVariable('UNUSED', { value: 'x' });
    await operator.call('PATCH', `/environments/${environmentId}`, { description: 'x' });
    assert.equal((await newestSnapshot()).sequence, 1);
    await setVariable('TOKEN', { value: 'plain' });
    assert.deepEqual(JSON.parse((await newestSnapshot()).content).variables, { TOKEN: 'plain' });
    const targets = await developer.call('GET', `/target-servers?environmentId=${environmentId}`);
    await developer.call('POST', `/target-servers/${targets.data.targetServers[0].id}/disable`);
    const last = await newestSnapshot();
    assert.deepEqual([last.sequence, JSON.parse(last.content).targetServers.orders.enabled], [3, false]);

    const removed = await operator.call('DELETE', `/environments/${environmentId}/variables/TOKEN`);
    assert.equal(removed.status, 409);
    assert.match(removed.data.message, /Revision 4 of orders-.* is live in .* and uses the variable TOKEN/);
    assert.equal((await newestSnapshot()).sequence, 3);
  });

  test('a rollback to a revision whose target server was deleted is rejected, and the live one stays', async () => {
    const { system } = control.opened.database;
    const routes = contentOf(proxyId, 1).routes.map((route) => ({ ...route, targetServer: 'old' }));
    await addRevision(proxyId, 4, { routes });
    const old = { environmentId, name: 'old', host: 'old.internal', port: 443 };
    const { data: target } = await developer.call('POST', '/target-servers', old);
    await deployed(4);
    const administrator = await control.addUser(organizationId, ['organization_administrator']);
    const kept = await administrator.call('DELETE', `/target-servers/${target.id}`);
    assert.deepEqual([kept.status, /revision 4/.test(kept.data.message)], [409, true]);
    const present = await deployed(1);
    await system.deleteFrom('target_servers').where('id', '=', target.id).execute();
    const refused = await developer.call('POST', `/deployments/${present}/rollback`, {});
    assert.equal(refused.status, 409);
    assert.match(refused.data.message, /uses the target server old, which doesn’t exist there/);
    assert.deepEqual(await serving(), [[1, 100]]);
  });
});
