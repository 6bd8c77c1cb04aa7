import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { exampleId, type FullOrganization, makeOrganization } from '../../every-operation/organizations.ts';
import { startTestControl, type TestControl } from '../../testing.ts';
import { EventBody, eventKinds } from '../events/contract.ts';

let control: TestControl;
let organization: FullOrganization;
before(async () => {
  control = await startTestControl();
  organization = await makeOrganization(control);
});
after(() => control?.stop());

test('reviews, subscriptions, invoices and deployments are events in the form that the reference states', async () => {
  const { call } = organization;
  const { system } = control.opened.database;
  const idOf = (prefix: string) => organization.ids.get(exampleId(prefix))!;
  const done = async (person: Parameters<typeof call>[0], path: string, body: object = {}) => {
    const { status, json } = await call(person, 'POST', path, body);
    assert(status < 300, `${path}: ${JSON.stringify(json)}`);
    return json.data;
  };
  const settings = { kind: 'webhook', url: 'http://127.0.0.1:1024/', events: eventKinds };
  const { id } = await done('organization_administrator', '/integrations', { name: 'All', settings });
  await done('operations_engineer', `/lifecycle/requests/${idOf('lcr')}/approve`);
  await done('organization_administrator', `/subscriptions/${idOf('sub')}/approve`);
  await done('organization_administrator', `/subscriptions/${idOf('sub')}/revoke`, { reason: 'No longer needed.' });
  await done('organization_administrator', `/billing/invoices/${idOf('ivc')}/mark-paid`);
  const canary = { proxyId: idOf('prx'), environmentId: idOf('env'), revision: 2, strategy: 'canary', weight: 10 };
  const { id: canaryId } = await done('developer', '/deployments', canary);
  await done('developer', `/deployments/${canaryId}/rollback`);
  const { rows } = await sql<{ kind: string; data: object }>`
    select kind, data from integration_deliveries where integration_id = ${id} order by kind`.execute(system);
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['approval.decided', 'deployment.rolled_back', 'invoice.paid', 'subscription.approved', 'subscription.revoked'],
  );
  for (const { kind, data } of rows) EventBody.parse({ event: kind, timestamp: new Date().toISOString(), data });
});
