import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import {
  addApp,
  addDeveloper,
  addProduct,
  addRatePlan,
  done,
  publishedConsumers,
  storedConsumers,
} from '../products/testing.ts';

describe('terms', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let approver: TestCaller;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    approver = await control.addUser(organizationId, ['organization_administrator']);
  });
  after(() => control.stop());

  /** A subscription's terms, oldest first: plan, version, and whether it is open. */
  async function termsOf(subscriptionId: string) {
    return control.opened.database.system
      .selectFrom('subscription_terms')
      .selectAll()
      .where('subscription_id', '=', subscriptionId)
      .orderBy('starts_at')
      .orderBy('ends_at')
      .execute();
  }

  async function stampOf(subscriptionId: string): Promise<unknown> {
    const published = await publishedConsumers(control, organizationId);
    assert.deepEqual(published, await storedConsumers(control, organizationId));
    return (published[`subscription ${subscriptionId}`] as { termId: string } | undefined)?.termId;
  }

  test('a term opens with the approval, changes with the plan, and closes with the revocation', async () => {
    const productId = await addProduct(administrator);
    const [first, second] = [
      await addRatePlan(control, organizationId, productId, 'published'),
      await addRatePlan(control, organizationId, productId, 'published'),
    ];
    await sql`update rate_plans set published_version = 3 where id = ${second}`.execute(control.opened.database.system);
    const appId = await addApp(administrator);
    const asked = await done(administrator, 'POST', '/subscriptions', { appId, productId, ratePlanId: first });
    const { id } = asked;
    assert.deepEqual([asked.termId, await termsOf(id)], [null, []]);

    const approved = await done(approver, 'POST', `/subscriptions/${id}/approve`);
    assert.equal(await stampOf(id), approved.termId);
    const kept = await done(approver, 'PUT', `/subscriptions/${id}/rate-plan`, { ratePlanId: first });
    assert.equal(kept.termId, approved.termId, 'the plan is the same');
    const moved = await done(approver, 'PUT', `/subscriptions/${id}/rate-plan`, { ratePlanId: second });
    assert.notEqual(moved.termId, approved.termId);
    assert.equal(await stampOf(id), moved.termId);
    const free = await done(approver, 'PUT', `/subscriptions/${id}/rate-plan`, { ratePlanId: null });
    assert.deepEqual([free.termId, await stampOf(id)], [null, null]);
    const again = await done(approver, 'PUT', `/subscriptions/${id}/rate-plan`, { ratePlanId: first });
    const revoked = await done(approver, 'POST', `/subscriptions/${id}/revoke`, { reason: 'The contract has ended.' });
    assert.deepEqual([revoked.termId, await stampOf(id)], [null, undefined]);

    const terms = await termsOf(id);
    assert.deepEqual(
      terms.map((term) => [term.id, term.rate_plan_id, term.plan_version, term.app_id, term.product_id]),
      [
        [approved.termId, first, 1, appId, productId],
        [moved.termId, second, 3, appId, productId],
        [again.termId, first, 1, appId, productId],
      ],
    );
    assert.deepEqual(terms[0]?.ends_at, terms[1]?.starts_at, 'without a gap or an overlap');
    assert.ok(terms.every(({ starts_at, ends_at }) => ends_at !== null && ends_at >= starts_at));
  });

  test('a term outlives its app, and keeps its developer and product from being deleted', async () => {
    const productId = await addProduct(administrator, { autoApprove: true });
    const ratePlanId = await addRatePlan(control, organizationId, productId, 'published');
    const developerId = await addDeveloper(administrator);
    const appId = await addApp(administrator, developerId);
    const { id } = await done(administrator, 'POST', '/subscriptions', { appId, productId, ratePlanId });
    await done(administrator, 'DELETE', `/apps/${appId}`);
    const [term] = await termsOf(id);
    assert.deepEqual([term?.developer_id, typeof term?.app_name], [developerId, 'string']);
    assert.ok(term?.ends_at);
    for (const [path, message] of [
      [`/developers/${developerId}`, /invoices need their usage/],
      [`/products/${productId}`, /1 ended ones/],
    ] as const) {
      const refused = await administrator.call('DELETE', path);
      assert.deepEqual([refused.status, message.test(refused.data.message)], [409, true], refused.data.message);
    }
  });

  test('of simultaneous plan changes, one term stays open', async () => {
    const productId = await addProduct(administrator, { autoApprove: true });
    const plans = await Promise.all([1, 2, 3].map(() => addRatePlan(control, organizationId, productId, 'published')));
    const appId = await addApp(administrator);
    const { id } = await done(administrator, 'POST', '/subscriptions', { appId, productId });
    await Promise.all(
      plans.map((ratePlanId) => done(administrator, 'PUT', `/subscriptions/${id}/rate-plan`, { ratePlanId })),
    );
    const open = (await termsOf(id)).filter(({ ends_at }) => ends_at === null);
    assert.deepEqual(
      open.map((term) => term.id),
      [(await done(administrator, 'GET', `/subscriptions/${id}`)).termId],
    );
  });
});
