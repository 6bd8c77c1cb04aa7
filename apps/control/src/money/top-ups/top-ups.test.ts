import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addUnassigned, done } from '../../consumers/products/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addPrepaid as addPrepaidTo } from '../prepaid/testing.ts';

describe('a top-up', () => {
  let control: TestControl;
  let organizationId: string;
  let caller: TestCaller;
  let approver: TestCaller;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    organizationId = await control.addOrganization();
    caller = await control.addUser(organizationId, ['organization_administrator']);
    approver = await control.addUser(organizationId, ['organization_administrator']);
  });

  const addPrepaid = (fields: Parameters<typeof addPrepaidTo>[1] = {}) => addPrepaidTo(caller, fields);
  const topUp = (id: string, body: object, headers?: Record<string, string>) =>
    caller.call('POST', `/subscriptions/${id}/top-ups`, body, headers);
  const balanceOf = (id: string) => done(caller, 'GET', `/subscriptions/${id}/balance`);
  const decide = (by: TestCaller, id: string, decision: 'approve' | 'reject') =>
    by.call(
      'POST',
      `/billing/top-ups/${id}/${decision}`,
      decision === 'reject' ? { reason: 'No transfer.' } : undefined,
    );

  test('above the limit is credited once another person has approved it', async () => {
    const { id } = await addPrepaid();
    await done(caller, 'PATCH', '/billing/settings', { approvalAboveMinor: 5_000 });
    const { data: small } = await topUp(id, { amountMinor: 5_000 });
    assert.deepEqual([small.state, small.balanceMinor], ['credited', '5000']);
    const { status, data: waiting } = await topUp(id, { amountMinor: 5_001, note: 'Transfer' });
    assert.deepEqual([status, waiting.state, waiting.balanceMinor], [201, 'pending', '5000']);
    const { notifications } = await done(approver, 'GET', '/notifications?kind=top_up');
    assert.deepEqual(
      notifications.map(({ link }: { link: string }) => link),
      [`/invoices/top-ups/${waiting.id}`],
    );
    const own = await decide(caller, waiting.id, 'approve');
    assert.deepEqual([own.status, /Ask someone else/.test(own.data.message)], [403, true]);
    assert.equal((await balanceOf(id)).total, 1);
    const { topUps } = await done(approver, 'GET', '/billing/top-ups?state=pending');
    assert.deepEqual(
      topUps.map((one: { id: string; note: string }) => [one.id, one.note]),
      [[waiting.id, 'Transfer']],
    );

    const answers = await Promise.all([1, 2, 3].map(() => decide(approver, waiting.id, 'approve')));
    assert.deepEqual(answers.map((answer) => answer.status).toSorted(), [200, 409, 409]);
    const { balanceMinor, movements } = await balanceOf(id);
    assert.deepEqual([balanceMinor, movements.length, movements[0].createdBy], ['10001', 2, caller.userId]);
    assert.equal((await decide(approver, waiting.id, 'reject')).status, 409);
    const { data } = await approver.call('GET', `/audit?entityId=${waiting.id}`);
    assert.deepEqual(
      data.entries.map(({ operation, actorId }: { operation: string; actorId: string }) => [operation, actorId]),
      [
        ['approveTopUp', approver.userId],
        ['topUpSubscription', caller.userId],
      ],
    );
  });

  test('that is rejected credits nothing', async () => {
    const { id } = await addPrepaid();
    await done(caller, 'PATCH', '/billing/settings', { approvalAboveMinor: 0 });
    const { data: waiting } = await topUp(id, { amountMinor: 1 });
    const { data: rejected } = await decide(approver, waiting.id, 'reject');
    assert.deepEqual([rejected.state, rejected.decisionReason], ['rejected', 'No transfer.']);
    assert.equal((await decide(approver, waiting.id, 'approve')).status, 409);
    const { balanceMinor, total } = await balanceOf(id);
    assert.deepEqual([balanceMinor, total], ['0', 0]);
  });

  test('in another currency than the organization’s waits wherever there is a limit', async () => {
    const { id } = await addPrepaid({ currency: 'CHF' });
    assert.equal((await topUp(id, { amountMinor: 1 })).data.state, 'credited');
    await done(caller, 'PATCH', '/billing/settings', { approvalAboveMinor: 1_000 });
    assert.equal((await topUp(id, { amountMinor: 1 })).data.state, 'pending');
  });

  test('whose subscription was deleted can only be rejected', async () => {
    const { id, appId } = await addPrepaid();
    await done(caller, 'PATCH', '/billing/settings', { approvalAboveMinor: 0 });
    const { data: waiting } = await topUp(id, { amountMinor: 1 });
    await done(caller, 'DELETE', `/apps/${appId}`);
    const refused = await decide(approver, waiting.id, 'approve');
    assert.deepEqual([refused.status, /Reject the top-up/.test(refused.data.message)], [409, true]);
    assert.equal((await decide(approver, waiting.id, 'reject')).status, 200);
  });

  test('that is sent twice is credited once, and a balance stays exact', async () => {
    const { id } = await addPrepaid();
    const body = { amountMinor: 4_000_000_000 };
    const key = { 'idempotency-key': 'transfer-1' };
    const repeated = await Promise.all([topUp(id, body, key), topUp(id, body, key)]);
    assert.deepEqual(
      repeated.map(({ status, data }) => [status, data.id]),
      [1, 2].map(() => [201, repeated[0].data.id]),
    );
    const others = await Promise.all([topUp(id, body), topUp(id, body)]);
    assert.deepEqual(others.map(({ status }) => status).toSorted(), [201, 409], 'the last would be too much');
    assert.equal((await balanceOf(id)).balanceMinor, '8000000000');
    for (const amountMinor of [0, -5, 1.5, 9_000_000_001]) assert.equal((await topUp(id, { amountMinor })).status, 400);
  });

  test('of a developer goes to one of the developer’s subscriptions', async () => {
    const first = await addPrepaid();
    const { developerId } = first;
    const second = await addPrepaid({ developerId });
    const francs = await addPrepaid({ developerId, currency: 'CHF' });
    const foreign = await addPrepaid();
    const path = `/developers/${developerId}/balance`;
    const give = (subscriptionId: string, amountMinor: number) =>
      caller.call('POST', `${path}/top-ups`, { subscriptionId, amountMinor });
    for (const [{ id }, amountMinor] of [
      [first, 100],
      [second, 20],
      [francs, 3],
    ] as const) {
      assert.equal((await give(id, amountMinor)).data.state, 'credited');
    }
    assert.equal((await give(foreign.id, 1)).status, 400);
    const { balances, accounts, total } = await done(caller, 'GET', path);
    assert.deepEqual(balances, [
      { currency: 'CHF', balanceMinor: '3', unassignedMinor: 0 },
      { currency: 'EUR', balanceMinor: '120', unassignedMinor: 0 },
    ]);
    assert.equal(total, 3);
    assert.deepEqual(
      new Map(
        accounts.map((one: { subscriptionId: string; balanceMinor: string }) => [one.subscriptionId, one.balanceMinor]),
      ),
      new Map([
        [first.id, '100'],
        [second.id, '20'],
        [francs.id, '3'],
      ]),
    );
    assert.equal((await balanceOf(first.id)).balanceMinor, '100', 'the same balance');
  });

  test('assigns what was paid in for the developer, and never more than that', async () => {
    const { developerId, id } = await addPrepaid();
    await addUnassigned(control, organizationId, developerId, 1_000);
    const assign = (amountMinor: number) => topUp(id, { amountMinor, source: 'unassigned' });
    const answers = await Promise.all([assign(600), assign(600)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409]);
    const refused = await assign(401);
    assert.deepEqual([refused.status, /^€4\.00 is unassigned/.test(refused.data.message)], [409, true]);
    const { balances, movements } = await done(caller, 'GET', `/developers/${developerId}/balance?sort=createdAt`);
    assert.deepEqual(balances, [{ currency: 'EUR', balanceMinor: '1000', unassignedMinor: 400 }]);
    assert.deepEqual(
      movements
        .map((one: { kind: string; amountMinor: number; subscriptionId: string }) => [
          one.kind,
          one.amountMinor,
          one.subscriptionId,
        ])
        .toSorted(),
      [
        ['assignment', -600, null],
        ['assignment', 600, id],
        ['top_up', 1_000, null],
      ].toSorted(),
    );
    await done(caller, 'PATCH', '/billing/settings', { approvalAboveMinor: 0 });
    const [one, other] = [(await assign(300)).data, (await assign(300)).data];
    assert.equal((await decide(approver, one.id, 'approve')).status, 200);
    const late = await decide(approver, other.id, 'approve');
    assert.deepEqual([late.status, /^€1\.00 is unassigned/.test(late.data.message)], [409, true]);
  });
});
