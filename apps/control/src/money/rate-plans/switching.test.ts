import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { consumerChanged } from '../../consumers/events.ts';
import { addApp, addProduct, done, publishedConsumers, storedConsumers } from '../../consumers/products/testing.ts';
import type { ControlDatabase } from '../../database/schema.ts';
import { publishConsumers } from '../../delivery/configuration/publish.ts';
import { createAuditChain } from '../../frame/audit.ts';
import { subscribe } from '../../frame/events.ts';
import { startTestControl } from '../../testing.ts';
import { endEverywhere } from '../testing-faults.ts';
import { switchDue } from './switching.ts';

test('two processes that end anywhere move each subscription to a new version once', async (context) => {
  const control = await startTestControl();
  context.after(() => control.stop());
  const organizationId = await control.addOrganization();
  const administrator = await control.addUser(organizationId, ['organization_administrator']);
  const productId = await addProduct(administrator, { autoApprove: true });
  const charge = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01' };
  const terms = { type: 'pay_as_you_go', currency: 'EUR', charges: [charge] };
  const plan = { productId, name: 'standard', displayName: 'Standard', ...terms };
  const { id } = await done(administrator, 'POST', '/rate-plans', plan);
  await done(administrator, 'POST', `/rate-plans/${id}/publish`);
  const subscriptions = 5;
  for (let number = 0; number < subscriptions; number += 1) {
    const appId = await addApp(administrator);
    await done(administrator, 'POST', '/subscriptions', { appId, productId, ratePlanId: id });
  }
  await done(administrator, 'PATCH', `/rate-plans/${id}`, { charges: [{ ...charge, unitPrice: '0.02' }] });
  const appliesToSubscribersFrom = new Date(Date.now() + 86_400_000).toISOString();
  await done(administrator, 'POST', `/rate-plans/${id}/publish`, { appliesToSubscribersFrom });
  // As if the time had come.
  const owner = new Client(control.opened.owner);
  await owner.connect();
  await owner.query(`select set_config('millrace.tenant', '*', false)`);
  await owner.query('update control.rate_plan_versions set applies_from = now() where plan_version = 2');
  await owner.end();

  const isApplied = async () => (await done(administrator, 'GET', `/rate-plans/${id}`)).versions[0].appliedAt !== null;
  const step = async (database: ControlDatabase) => {
    const chain = createAuditChain(control.encryptionKey);
    await switchDue(
      { database, chain, subscribers: [subscribe([consumerChanged], publishConsumers)] },
      { batchSize: 2 },
    );
    return !(await isApplied());
  };
  const faults = await Promise.all([1, 2].map(() => endEverywhere(control.opened.database, step)));
  context.diagnostic(`ended ${faults.join(' and ')} times`);
  const { rows } = await sql<{ terms: number; open: number; newest: number; gaps: number }>`
    select count(*)::int as terms, (count(*) filter (where ends_at is null))::int as open,
      max(plan_version) filter (where ends_at is null) as newest,
      (count(*) filter (where starts_at <> before))::int as gaps
    from (select *, lag(ends_at) over (partition by subscription_id order by plan_version) as before
      from subscription_terms) term
    group by subscription_id`.execute(control.opened.database.system);
  assert.deepEqual(rows, Array(subscriptions).fill({ terms: 2, open: 1, newest: 2, gaps: 0 }));
  assert.deepEqual(await publishedConsumers(control, organizationId), await storedConsumers(control, organizationId));
  const { entries } = await done(administrator, 'GET', `/audit/entities/rate_plan/${id}`);
  const moved = entries
    .filter(({ operation }: { operation: string }) => operation === 'applyRatePlanVersion')
    .map(({ note }: { note: string }) => Number(/: (\d+)$/.exec(note)![1]));
  assert.equal(
    moved.reduce((sum: number, number: number) => sum + number, 0),
    subscriptions,
    'each audited once',
  );
});
