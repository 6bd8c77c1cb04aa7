import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { startTestControl, type TestControl } from '../testing.ts';

describe('health', () => {
  let control: TestControl;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());

  test('it is ready while its database is reachable, and reports when it isn’t', async () => {
    const ask = async (path: string) => {
      const response = await fetch(`${control.baseUrl}${path}`);
      return [response.status, await response.json()];
    };
    assert.deepEqual(await ask('/healthz'), [200, { ok: true }]);
    assert.deepEqual(await ask('/readyz'), [
      200,
      { ready: true, checks: { running: true, database: true, storage: true } },
    ]);

    const caller = await control.addUser(await control.addOrganization(), ['developer']);
    const name = new URL(control.opened.url).pathname.slice(1);
    const administrator = new Client({ ...control.opened.owner, database: 'postgres' });
    await administrator.connect();
    try {
      await administrator.query(`alter database ${name} allow_connections false`);
      await administrator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      assert.deepEqual(await ask('/readyz'), [
        503,
        { ready: false, checks: { running: true, database: false, storage: true } },
      ]);
      assert.deepEqual(await ask('/healthz'), [200, { ok: true }]);
      const refused = await caller.call('GET', '/policy-templates');
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2']);
      await administrator.query(`alter database ${name} allow_connections true`);
      assert.equal((await ask('/readyz'))[0], 200);
    } finally {
      await administrator.query(`alter database ${name} allow_connections true`);
      await administrator.end();
    }
  });
});
