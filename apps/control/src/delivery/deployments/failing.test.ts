import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addNode, type TestNode } from '../gateway-nodes/testing.ts';

const timeoutSeconds = 600;

describe('a deployment that nodes do not load', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let environmentId: string;
  let proxyId: string;
  let node: TestNode;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    environmentId = await addEnvironment(control, organizationId);
    proxyId = await addProxy();
    node = await addNode(control, administrator, environmentId);
    await node.load();
  });

  const done = async (method: string, path: string, body?: object) => {
    const { status, data } = await administrator.call(method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(data)}`);
    return data;
  };
  /** With revisions 1 to 4. */
  async function addProxy(): Promise<string> {
    const name = `orders-${newId('prx').slice(-8)}`;
    const { id } = await done('POST', '/proxies', { name, displayName: name, basePath: `/v1/${name}` });
    await done('POST', `/proxies/${id}/routes`, { method: 'GET', pathPattern: '/', targetServer: 'orders' });
    await done('POST', `/proxies/${id}/revisions`, {});
    for (const description of ['second', 'third', 'fourth']) {
      await done('PATCH', `/proxies/${id}`, { description });
      await done('POST', `/proxies/${id}/revisions`, {});
    }
    return id;
  }
  const deploy = async (revision: number, fields: object = {}): Promise<string> =>
    (await done('POST', '/deployments', { proxyId, environmentId, revision, ...fields })).id;
  async function deployed(revision: number): Promise<string> {
    const id = await deploy(revision);
    await node.load();
    assert.equal((await show(id)).state, 'live');
    return id;
  }
  const show = async (id: string) => await done('GET', `/deployments/${id}`);
  const assigned = async () => (await done('GET', `/gateway-nodes/${node.id}`)).configuration.assigned;
  /** What the newest configuration lets serve, and what nodes hold of it. */
  async function serving(): Promise<readonly (readonly [deploymentId: string, weight: number])[]> {
    const { data } = await node.call('GET', '/gateway/configuration');
    const { deployments } = JSON.parse(data.configuration.manifest.text);
    return deployments.map((one: { deploymentId: string; weight: number }) => [one.deploymentId, one.weight]);
  }
  /** The node reports that it has one configuration and rejected another. */
  async function refuse(held: number, deploymentId?: string | null, by = node): Promise<void> {
    const { rows } = await sql<{ hash: string }>`select hash from configuration_snapshots
      where environment_id = ${environmentId} and sequence = ${held}`.execute(control.opened.database.system);
    const reason = 'orders, revision 2: a policy cannot be loaded.';
    const fault = deploymentId === undefined ? {} : { fault: { deploymentId } };
    const { status, data } = await by.beat({
      configuration: { sequence: held, hash: rows[0]!.hash },
      refused: { sequence: await assigned(), reason, ...fault },
    });
    assert.equal(status, 200, JSON.stringify(data));
  }
  const isIn = async (id: string, state: string) => {
    const isThere = async () => {
      const deployment = await show(id);
      return deployment.state === state && deployment;
    };
    return eventually(`the state ${state}`, isThere).catch(async (error: unknown) => {
      const errors = control.logLines.filter((line) => line.includes('was not evaluated'));
      throw new Error(`${errors.at(-1) ?? ''} The deployment is ${(await show(id)).state}.`, { cause: error });
    });
  };
  /** Evaluated once more, with nothing that could have changed the state meanwhile. */
  async function stays(id: string, state: string, beat: () => Promise<unknown>): Promise<void> {
    for (let time = 0; time < 3; time++) {
      await beat();
      await new Promise((next) => setTimeout(next, 50));
      assert.equal((await show(id)).state, state);
    }
  }
  /** Lets everything of the environment have begun earlier. */
  async function pass(seconds: number, of: 'deployments' | 'nodes' | 'both' = 'both'): Promise<void> {
    const { system } = control.opened.database;
    const shift = sql`${seconds}::int * interval '1 second'`;
    if (of !== 'nodes') {
      await sql`update deployments set rollout_since = rollout_since - ${shift}
        where environment_id = ${environmentId}`.execute(system);
    }
    if (of !== 'deployments') {
      await sql`update gateway_nodes set reporting_since = reporting_since - ${shift}
        where environment_id = ${environmentId}`.execute(system);
    }
  }

  test('that is at fault fails: the previous one keeps serving, the reason is recorded, and the next goes live', async () => {
    const first = await deployed(1);
    const held = await assigned();
    const second = await deploy(2);
    assert.equal((await show(first)).state, 'superseded');
    await refuse(held, second);
    const failed = await isIn(second, 'failed');
    assert.equal(
      failed.failure,
      `${node.name} rejected configuration ${held + 1}: orders, revision 2: a policy cannot be loaded.`,
    );
    assert.ok(failed.endedAt !== null && failed.weight === 0);
    const back = await show(first);
    assert.deepEqual(
      [back.state, back.weight, back.endedAt, back.rolledBackFrom],
      ['live', 100, null, { deploymentId: second, revision: 2 }],
    );
    assert.deepEqual(await serving(), [[first, 100]]);

    const { entries } = await done('GET', `/audit?entityId=${second}&operation=failDeployment`);
    assert.deepEqual(
      [entries.length, entries[0].actorKind, entries[0].severity, entries[0].category],
      [1, 'system', 'high', 'deployment'],
    );
    assert.match(entries[0].note, /a policy cannot be loaded\. Revision 1 serves all calls again/);
    const { notifications } = await done('GET', '/notifications?kind=deployment_failed');
    assert.deepEqual([notifications.length, notifications[0].link], [1, `/deployments/${second}`]);
    assert.equal((await done('GET', `/organizations/${organizationId}/overview`)).deployments.failed, 1);
    const listed = await done('GET', `/deployments?state=failed&environmentId=${environmentId}`);
    assert.deepEqual(
      listed.deployments.map(({ id }: { id: string }) => id),
      [second],
    );
    const refused = await administrator.call('POST', `/deployments/${second}/rollback`, {});
    assert.deepEqual([refused.status, /is failed: it no longer serves/.test(refused.data.message)], [409, true]);

    await deployed(3);
    assert.equal((await done('GET', `/organizations/${organizationId}/overview`)).deployments.failed, 0);
    assert.equal((await show(first)).state, 'superseded');
    assert.equal((await isIn(second, 'failed')).version, failed.version);
  });

  test('is restored as rolling out if a node has loaded the failed one', async () => {
    const other = await addNode(control, administrator, environmentId);
    const first = await deploy(1);
    await Promise.all([node.load(), other.load()]);
    const held = await assigned();
    const second = await deploy(2);
    await other.load();
    await refuse(held, second);
    await isIn(second, 'failed');
    assert.equal((await show(first)).state, 'rolling_out');
    await Promise.all([node.load(), other.load()]);
    assert.equal((await show(first)).state, 'live');
  });

  test('has not failed if another deployment, the node or an earlier rejection is the cause', async () => {
    const first = await deployed(1);
    const held = await assigned();
    const second = await deploy(2);
    await stays(second, 'rolling_out', () => refuse(held));
    await stays(second, 'rolling_out', () => refuse(held, first));
    const refusal = { sequence: held, reason: 'It could not.', fault: { deploymentId: null } };
    await stays(second, 'rolling_out', () => node.beat({ refused: refusal }));
    await node.load();
    assert.equal((await show(second)).state, 'live');
    await stays(second, 'live', () => refuse(held, second));
  });

  test('blocked by a live deployment that can no longer be loaded waits, and deployers are notified once', async () => {
    const other = await addNode(control, administrator, environmentId);
    await other.load();
    const first = await deploy(1);
    await Promise.all([node.load(), other.load()]);
    assert.equal((await show(first)).state, 'live');
    const held = await assigned();
    const waiting = await deploy(1, { proxyId: await addProxy() });
    const notices = async () => (await done('GET', '/notifications?kind=configuration_refused')).notifications;
    await refuse(held, waiting);
    await isIn(waiting, 'failed');
    assert.deepEqual(await notices(), [], 'its failure is reported');
    const second = await deploy(1, { proxyId: await addProxy() });
    for (const by of [node, other, node]) await refuse(held, first, by);
    const [notice, ...more] = await notices();
    assert.deepEqual([notice.link, more], [`/environments/${environmentId}`, []]);
    assert.match(notice.title, /can’t load orders-\w+, revision 1/);
    assert.deepEqual([(await show(first)).state, (await show(second)).state], ['live', 'rolling_out']);
    const { refusal } = await done('GET', `/environments/${environmentId}`);
    assert.deepEqual([refusal.deploymentId, refusal.nodes], [first, 2]);
  });

  test('fails if the configuration as a whole is the cause, unlike what didn’t wait for it', async () => {
    const first = await deployed(1);
    const held = await assigned();
    const second = await deploy(2);
    await refuse(held, null);
    await isIn(second, 'failed');
    assert.equal((await show(first)).state, 'live');
  });

  test('is rolled back newest first if the configuration as a whole is the cause, until nodes load the rest', async () => {
    const others = [await addProxy(), await addProxy(), await addProxy()];
    const before = await Promise.all(others.map((other) => deploy(1, { proxyId: other })));
    await node.load();
    const held = await assigned();
    const [loadable, faulty, newest] = [
      await deploy(2, { proxyId: others[0] }),
      await deploy(2, { proxyId: others[1] }),
      await deploy(2, { proxyId: others[2] }),
    ];
    await refuse(held, null);
    await isIn(newest, 'failed');
    const stale = { sequence: (await assigned()) - 1, reason: 'It could not.', fault: { deploymentId: null } };
    await stays(faulty, 'rolling_out', () => node.beat({ refused: stale }));
    await refuse(held, null);
    await isIn(faulty, 'failed');
    assert.equal((await show(loadable)).state, 'rolling_out');
    await node.load();
    const states = await Promise.all([...before, loadable].map(async (id) => (await show(id)).state));
    assert.deepEqual(states, ['superseded', 'live', 'live', 'live']);
  });

  test('in time has failed, and the next one gets its own time', async () => {
    const first = await deployed(1);
    const held = await assigned();
    const second = await deploy(2);
    await pass(timeoutSeconds - 30);
    await stays(second, 'rolling_out', () => refuse(held));
    await pass(60);
    await refuse(held);
    const { failure } = await isIn(second, 'failed');
    assert.match(
      failure,
      /^Not every gateway node has loaded it within 600 seconds\. node-\w+ rejected configuration 3: /,
    );
    assert.equal((await show(first)).state, 'live', 'it never fails again');
    await pass(2 * timeoutSeconds);
    await stays(first, 'live', () => refuse(held));
    const third = await deploy(3);
    await stays(third, 'rolling_out', () => refuse(held));
    await node.load();
    assert.equal((await show(third)).state, 'live');
  });

  test('waits for a node that returns late as long as for any other', async () => {
    await deployed(1);
    const held = await assigned();
    const second = await deploy(2);
    await pass(timeoutSeconds * 3);
    await sql`update gateway_nodes set last_heartbeat_at = now() - interval '20 seconds'
      where id = ${node.id}`.execute(control.opened.database.system);
    await stays(second, 'rolling_out', () => refuse(held));
    await pass(timeoutSeconds + 30, 'nodes');
    await refuse(held);
    await isIn(second, 'failed');
    await node.load();
    assert.deepEqual(await isIn(second, 'failed').then(({ state }) => state), 'failed', 'too late is too late');
  });

  test('next to a live one gives its calls back', async () => {
    const first = await deployed(1);
    const held = await assigned();
    const canary = await deploy(2, { strategy: 'canary', weight: 20 });
    await refuse(held, canary);
    await isIn(canary, 'failed');
    const stable = await show(first);
    assert.deepEqual([stable.state, stable.weight, stable.rolledBackFrom.deploymentId], ['live', 100, canary]);
    assert.deepEqual(await serving(), [[first, 100]]);
  });

  test('takes the canary next to it along', async () => {
    const first = await deployed(1);
    const held = await assigned();
    const second = await deploy(2);
    const canary = await deploy(3, { strategy: 'canary' });
    await refuse(held, second);
    await isIn(second, 'failed');
    assert.match((await show(canary)).failure, /^The deployment next to it failed\. /);
    assert.deepEqual(await serving(), [[first, 100]]);
  });

  test('doesn’t fail once replaced; after several failures in a row, the last live one serves again', async () => {
    const first = await deployed(1);
    const held = await assigned();
    const second = await deploy(2);
    const third = await deploy(3);
    await stays(third, 'rolling_out', () => refuse(held, second));
    assert.equal((await show(second)).state, 'superseded');
    await refuse(held, third);
    await isIn(third, 'failed');
    await isIn(second, 'rolling_out');
    await refuse(held, second);
    await isIn(second, 'failed');
    assert.equal((await isIn(first, 'live')).weight, 100);
    assert.deepEqual(await serving(), [[first, 100]]);
  });

  test('of a rollback leaves the deployment that it was to replace', async () => {
    const first = await deployed(1);
    const second = await deployed(2);
    const held = await assigned();
    const { id: rollback } = await done('POST', `/deployments/${second}/rollback`, {});
    assert.equal((await show(rollback)).revision, 1);
    await refuse(held, rollback);
    await isIn(rollback, 'failed');
    assert.equal((await show(second)).state, 'live');
    assert.equal((await show(first)).state, 'superseded');
  });

  test('as the first one leaves nothing live, and deleted requirements keep a predecessor from returning', async () => {
    const second = await deploy(2);
    await refuse(await assigned().then((sequence) => sequence - 1), second);
    await isIn(second, 'failed');
    assert.deepEqual(await serving(), []);
    await node.load();

    const first = await deployed(1);
    const held = await assigned();
    const others = { environmentId, name: 'others', scheme: 'http', host: 'others.internal', port: 80 };
    await done('POST', '/target-servers', others);
    const { routes } = await done('GET', `/proxies/${proxyId}/routes`);
    await done('PATCH', `/proxies/${proxyId}/routes/${routes[0].id}`, { targetServer: 'others' });
    const { revision } = await done('POST', `/proxies/${proxyId}/revisions`, {});
    const third = await deploy(revision);
    const { targetServers } = await done('GET', `/target-servers?environmentId=${environmentId}`);
    for (const { id, name } of targetServers) {
      if (name === 'orders')
        await control.opened.database.system.deleteFrom('target_servers').where('id', '=', id).execute();
    }
    await refuse(held, third);
    await isIn(third, 'failed');
    assert.equal((await show(first)).state, 'superseded');
    assert.deepEqual(await serving(), []);
    const { entries } = await done('GET', `/audit?entityId=${third}&operation=failDeployment`);
    assert.match(entries[0].note, /revision 1 can’t be restored without the target server orders/);
  });

  test('fails once, however many nodes reject it at once', async () => {
    const nodes = await Promise.all([1, 2, 3, 4].map(() => addNode(control, administrator, environmentId)));
    const first = await deploy(1);
    await Promise.all([node, ...nodes].map((one) => one.load()));
    const held = await assigned();
    const second = await deploy(2);
    await Promise.all([node, ...nodes].map((one) => refuse(held, second, one)));
    await isIn(second, 'failed');
    await Promise.all([node, ...nodes].map((one) => one.load()));
    assert.equal((await show(first)).state, 'live');
    const { total } = await done('GET', `/audit?entityId=${second}&operation=failDeployment`);
    assert.equal(total, 1);
  });
});
