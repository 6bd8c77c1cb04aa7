import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestControl, type TestControl } from './testing.ts';

let control: TestControl;
before(async () => {
  control = await startTestControl();
});
after(() => control.stop());

const metrics = async () => (await fetch(`${control.baseUrl}/metrics`)).text();

test('calls are counted by operation and status, not by path', async () => {
  const organizationId = await control.addOrganization('measured');
  const administrator = await control.addUser(organizationId, ['organization_administrator']);
  assert.equal((await administrator.call('GET', '/environments')).status, 200);
  assert.equal((await administrator.call('GET', '/environments/env_unknown')).status, 404);
  const text = await metrics();
  assert.match(
    text,
    /^millrace_control_request_duration_seconds_count\{operation="listEnvironments",status="200"\} 1$/m,
  );
  assert.match(text, /^millrace_control_request_duration_seconds_count\{operation="getEnvironment",status="404"\} 1$/m);
  assert(!text.includes('env_unknown'));
});

test('queues, leases and connections are looked at when they are read', async () => {
  const { system } = control.opened.database;
  const organizationId = await control.addOrganization('queued');
  const row = { organization_id: organizationId, kind: 'invitation', sealed_payload: Buffer.from('x') };
  const later = new Date(Date.now() + 3_600_000);
  await system
    .insertInto('outbox')
    .values([
      { ...row, id: 'out_later', run_at: later },
      { ...row, id: 'out_leased', state: 'processing', run_at: later },
    ])
    .execute();
  const text = await metrics();
  assert.match(text, /^millrace_control_queue_entries\{queue="mail",state="leased"\} 1$/m);
  assert.match(text, /^millrace_control_queue_age_seconds\{queue="mail"\} 0$/m);
  assert.match(text, /^millrace_control_queue_entries\{queue="deliveries",state="expired"\} 0$/m);
  assert.match(text, /^millrace_control_database_connections\{pool="tenant",state="waiting"\} 0$/m);
});
