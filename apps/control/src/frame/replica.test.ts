import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { urlOf } from '@millrace/postgres/embedded';
import { startTestReplication, type TestReplication } from '@millrace/postgres/testing-replica';
import { startTestControl, type TestControl } from '../testing.ts';
import { declaredOperations } from './operation.ts';

describe('the management API with a read replica', () => {
  let replication: TestReplication;
  let control: TestControl;
  let call: TestControl['call'];
  const password = 'correct horse battery staple';
  before(async () => {
    replication = await startTestReplication();
    control = await startTestControl({
      DATABASE_URL: urlOf(replication.primary.owner),
      MILLRACE_DATABASE_DIRECT_URL: '',
      MILLRACE_DATABASE_REPLICA_URL: urlOf(replication.replica.owner),
      MILLRACE_ADMIN_PASSWORD: password,
    });
    const signedIn = await control.call('POST', '/auth/login', { email: 'admin@millrace.local', password });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    call = (method, path, body) => control.call(method, path, body, { cookie });
  });
  after(async () => {
    await control?.stop();
    await replication?.[Symbol.asyncDispose]();
  });

  /** How many reads the replica and the primary have answered, of those that a replica may answer. */
  const reads = async () => {
    const text = await (await fetch(`${control.baseUrl}/metrics`)).text();
    const of = (by: string) =>
      Number(new RegExp(`^millrace_control_database_replica_reads_total\\{by="${by}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
    return { replica: of('replica'), primary: of('primary') };
  };
  const environments = async (search: string) => {
    const { status, data } = await call('GET', `/environments?search=${search}`);
    assert.equal(status, 200);
    return data.environments.map(({ name }: { name: string }) => name);
  };
  const add = async (name: string) => {
    const { status } = await call('POST', '/environments', { name, displayName: name, production: false });
    assert.equal(status, 201);
  };

  test('lists what was written the moment before, from the replica', async () => {
    await eventually('the replica to answer', async () => {
      const before = await reads();
      await environments('nothing');
      return (await reads()).replica > before.replica;
    });
    for (let number = 1; number <= 10; number++) {
      await add(`written-${number}`);
      assert.deepEqual(await environments(`written-${number}`), [`written-${number}`]);
    }
    const traffic = await call('GET', '/analytics/summary?range=24h');
    assert.equal(traffic.status, 200);
  });

  test('lists it from the primary while the replica is behind, and says so', async () => {
    await replication.pause();
    const before = await reads();
    await add('while-behind');
    assert.deepEqual(await environments('while-behind'), ['while-behind']);
    assert.ok((await reads()).primary > before.primary);
    assert.ok(control.logLines.some((line) => line.includes('the database replica is behind')));
    await replication.resume();
  });

  test('reads lists and analytics there, and nothing else', () => {
    const there = declaredOperations.filter(({ onReplica }) => onReplica);
    assert.ok(there.every(({ method, auth, audit }) => method === 'GET' && auth !== 'node' && audit === null));
    const names = new Set(there.map(({ id }) => id));
    for (const id of ['listProxies', 'listDevelopers', 'listAuditEntries', 'summarizeTraffic', 'getTrafficSeries']) {
      assert.ok(names.has(id), id);
    }
    for (const id of ['getProxy', 'createProxy']) assert.ok(!names.has(id), id);
  });
});
