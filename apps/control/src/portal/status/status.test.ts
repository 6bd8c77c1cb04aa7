import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { addNode } from '../../delivery/gateway-nodes/testing.ts';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { startTestControl, type TestControl } from '../../testing.ts';
import { openPortal } from '../settings/testing.ts';

describe('portal status', () => {
  let control: TestControl;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());

  test('is that of the nodes of production environments', async () => {
    const portal = await openPortal(control);
    const state = async () => (await portal.visit('/status')).data.state;
    assert.equal(await state(), 'unknown');
    const test = await addEnvironment(control, portal.organizationId, { name: 'test' });
    await (await addNode(control, portal.administrator, test)).beat();
    assert.equal(await state(), 'unknown');
    const production = await addEnvironment(control, portal.organizationId, { name: 'production', production: true });
    const first = await addNode(control, portal.administrator, production);
    assert.equal(await state(), 'unknown');
    await first.beat();
    assert.equal(await state(), 'operational');
    const second = await addNode(control, portal.administrator, production);
    await second.beat({ ready: false });
    const { data } = await portal.visit('/status');
    assert.deepEqual(
      [data.state, data.environments.map(({ name }: { name: string }) => name)],
      ['degraded', ['production']],
    );
    assert(!JSON.stringify(data).includes(first.name), 'nodes are nobody’s business');
    await sql`update gateway_nodes set last_heartbeat_at = now() - interval '2 minutes'
      where organization_id = ${portal.organizationId}`.execute(control.opened.database.system);
    assert.equal(await state(), 'unavailable');
  });
});
