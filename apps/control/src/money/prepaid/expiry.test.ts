import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createSealer, type Sealer } from '@millrace/encryption';
import { newId } from '@millrace/identifiers';
import { creditExpiresAt } from '@millrace/pricing';
import { sql } from 'kysely';
import { consumerChanged } from '../../consumers/events.ts';
import { addProxy, done, publishedConsumers } from '../../consumers/products/testing.ts';
import type { ControlDatabase } from '../../database/schema.ts';
import { publishConsumers } from '../../delivery/configuration/publish.ts';
import { addNode, type TestNode } from '../../delivery/gateway-nodes/testing.ts';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { createAuditChain } from '../../frame/audit.ts';
import { subscribe } from '../../frame/events.ts';
import type { Mail } from '../../frame/handler.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { endEverywhere } from '../testing-faults.ts';
import { expireDue } from './expirer.ts';
import { addPrepaid } from './testing.ts';

const dayMs = 86_400_000;
const quarterMs = 900_000;
const day = { count: 1, unit: 'day' } as const;
const month = { count: 1, unit: 'month' } as const;

describe('prepaid credit', () => {
  let control: TestControl;
  let organizationId: string;
  let caller: TestCaller;
  let node: TestNode;
  let proxyId: string;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    organizationId = await control.addOrganization();
    caller = await control.addUser(organizationId, ['organization_administrator']);
    node = await addNode(control, caller, await addEnvironment(control, organizationId));
    ({ proxyId } = await addProxy(control, organizationId));
  });

  /** E-mails that were put in the outbox. The service sends and forgets them whenever it likes. */
  const mails: Mail[] = [];
  /** Does what a control process does every few seconds, as if it was that time. */
  const expireAt = (now: Date, database: ControlDatabase = control.opened.database) => {
    const sealer = createSealer([control.encryptionKey], 'control outbox');
    const recording: Sealer = {
      ...sealer,
      seal: (bytes, context) => {
        mails.push(JSON.parse(Buffer.from(bytes).toString()));
        return sealer.seal(bytes, context);
      },
    };
    return expireDue(
      {
        database,
        chain: createAuditChain(control.encryptionKey),
        outbox: { sealer: recording, wake: () => {} },
        subscribers: [subscribe([consumerChanged], publishConsumers)],
      },
      { now: () => now },
    );
  };
  const afterDays = (days: number) => new Date(Date.now() + days * dayMs);
  const topUp = (id: string, amountMinor: number, fields: object = {}) =>
    done(caller, 'POST', `/subscriptions/${id}/top-ups`, { amountMinor, ...fields });
  const balanceOf = (id: string) => done(caller, 'GET', `/subscriptions/${id}/balance?sort=createdAt`);
  const movementsOf = async (id: string) =>
    (await balanceOf(id)).movements.map((one: { kind: string; amountMinor: number }) => [one.kind, one.amountMinor]);
  const creditOf = async (id: string) => {
    const consumers = (await publishedConsumers(control, organizationId)) as Record<
      string,
      { prepaid: { credit: number } }
    >;
    return consumers[`subscription ${id}`]!.prepaid.credit / 1_000_000;
  };
  /** Usage as a node reports it, at a cent a request. */
  const report = async (termId: string, at: Date, requests: number) => {
    const metered = {
      quarter: new Date(Math.floor(at.getTime() / quarterMs) * quarterMs).toISOString(),
      ...{ termId, proxyId, statusClass: 2, requests, requestBytes: 0, responseBytes: 0, units: '0' },
      ...{ withoutUnits: 0, unreadableUnits: 0 },
    };
    const batch = { streamId: newId('usb'), sequence: 0, traffic: [], deployments: [], routes: [], metered: [metered] };
    const { status, data } = await node.call('POST', '/gateway/usage', batch);
    assert.equal(status, 200, JSON.stringify(data));
  };
  /** How far the node has reported, since before everything. */
  const reportedUntil = (until: Date | null) =>
    sql`update gateway_nodes set registered_at = ${new Date(0)}, usage_complete_until = ${until}
      where id = ${node.id}`.execute(control.opened.database.system);

  test('expires as the rate plan says, unless the top-up says otherwise', async () => {
    await done(caller, 'PATCH', '/billing/settings', { timeZone: 'Asia/Tokyo' });
    const { id } = await addPrepaid(caller, { creditExpiry: month });
    const [byPlan, own, never] = [
      await topUp(id, 100),
      await topUp(id, 200, { creditExpiry: { count: 30, unit: 'day' } }),
      await topUp(id, 300, { creditExpiry: null }),
    ];
    const expected = ({ createdAt, creditExpiry }: { createdAt: string; creditExpiry: typeof month }) =>
      new Date(creditExpiresAt(createdAt, creditExpiry, 'Asia/Tokyo')).toISOString();
    assert.deepEqual(byPlan.creditExpiry, month);
    assert.equal(byPlan.expiresAt, expected(byPlan));
    assert.match(byPlan.expiresAt, /T15:00:00\.000Z$/, 'midnight in Tokyo');
    assert.equal(own.expiresAt, expected(own));
    assert.deepEqual([never.creditExpiry, never.expiresAt], [null, null]);
    const { expiring } = await balanceOf(id);
    assert.deepEqual(
      expiring.map((one: { topUpId: string; leftMinor: string }) => [one.topUpId, one.leftMinor]).toSorted(),
      [
        [byPlan.id, '100'],
        [own.id, '200'],
      ].toSorted(),
    );
    for (const creditExpiry of [{ count: 0, unit: 'day' }, { count: 1, unit: 'year' }, { count: 1 }, 'P1M']) {
      const { status } = await caller.call('POST', `/subscriptions/${id}/top-ups`, { amountMinor: 1, creditExpiry });
      assert.equal(status, 400, JSON.stringify(creditExpiry));
    }
  });

  test('that waited for approval is good from the day of the approval', async () => {
    const { id } = await addPrepaid(caller, { creditExpiry: day });
    await done(caller, 'PATCH', '/billing/settings', { approvalAboveMinor: 0 });
    const waiting = await topUp(id, 100);
    assert.deepEqual([waiting.state, waiting.creditExpiry, waiting.expiresAt], ['pending', day, null]);
    const approver = await control.addUser(organizationId, ['organization_administrator']);
    const approved = await done(approver, 'POST', `/billing/top-ups/${waiting.id}/approve`);
    assert.equal(approved.expiresAt, new Date(creditExpiresAt(approved.decidedAt, day, 'UTC')).toISOString());
  });

  test('expires once, less what was used before, whenever that is reported', async () => {
    const { id, termId } = await addPrepaid(caller);
    const first = await topUp(id, 100, { creditExpiry: month });
    await topUp(id, 50);
    await report(termId, new Date(), 30);
    assert.deepEqual((await balanceOf(id)).expiring[0].leftMinor, '70');

    // The node may still have usage of before: nodes get less credit at once, and the ledger waits.
    await reportedUntil(new Date());
    const later = new Date(Date.parse(first.expiresAt) + 60_000);
    await expireAt(later);
    const provisional = await balanceOf(id);
    assert.deepEqual(
      [provisional.balanceMinor, provisional.paidInMinor, provisional.expiredMinor, provisional.expiring],
      ['50', 150, 70, []],
    );
    assert.equal(await creditOf(id), 80);
    assert.equal(provisional.total, 2);
    await report(termId, new Date(), 20);
    assert.deepEqual([(await balanceOf(id)).balanceMinor, await creditOf(id)], ['50', 100]);

    await reportedUntil(later);
    await Promise.all([1, 2, 3, 4].map(() => expireAt(later)));
    const { movements } = await balanceOf(id);
    assert.deepEqual(await movementsOf(id), [
      ['top_up', 100],
      ['top_up', 50],
      ['expiry', -50],
    ]);
    assert.deepEqual(
      [movements[2].topUpId, movements[2].createdBy, movements[2].createdByName],
      [first.id, null, 'Millrace'],
    );
    assert.equal((await done(caller, 'GET', `/billing/top-ups/${first.id}`)).expiredMinor, 50);
    await report(termId, new Date(), 5);
    assert.deepEqual(
      [(await balanceOf(id)).balanceMinor, await creditOf(id)],
      ['50', 105],
      'it consumed what had expired',
    );
    await Promise.all([expireAt(later), expireAt(later)]);
    await report(termId, new Date(), 60);
    await expireAt(later);
    await expireAt(later);
    assert.deepEqual(await movementsOf(id), [
      ['top_up', 100],
      ['top_up', 50],
      ['expiry', -50],
      ['correction', 5],
      ['correction', 45],
    ]);
    const { balanceMinor, paidInMinor, expiredMinor } = await balanceOf(id);
    assert.deepEqual([balanceMinor, paidInMinor, expiredMinor, await creditOf(id)], ['35', 150, 0, 150]);
    const { entries } = await done(caller, 'GET', `/audit?entityId=${id}&operation=expireCredit&sort=at`);
    assert.deepEqual(
      entries.map((one: { note: string; actorKind: string }) => [one.note, one.actorKind]),
      [
        [`Expired: €0.50 of ${first.id}`, 'system'],
        [`Given back, for usage that was reported later: €0.05 of ${first.id}`, 'system'],
        [`Given back, for usage that was reported later: €0.45 of ${first.id}`, 'system'],
      ],
    );
  });

  test('is not consumed by usage of after its expiry', async () => {
    const { id, termId } = await addPrepaid(caller);
    const { id: topUpId } = await topUp(id, 100, { creditExpiry: month });
    await topUp(id, 50);
    await report(termId, new Date(Date.now() - 2 * quarterMs), 30);
    await report(termId, new Date(), 40);
    const expiresAt = new Date(Math.floor(Date.now() / quarterMs) * quarterMs - quarterMs);
    await sql`update top_ups set expires_at = ${expiresAt} where id = ${topUpId}`.execute(
      control.opened.database.system,
    );
    await expireAt(new Date());
    const { balanceMinor, expiredMinor } = await balanceOf(id);
    assert.deepEqual([expiredMinor, balanceMinor], [70, '10']);
    await report(termId, new Date(), 15);
    assert.equal((await balanceOf(id)).balanceMinor, '-5');
  });

  test('waits for the reports of a node that is down until the grace time is over', async () => {
    await done(caller, 'PATCH', '/billing/settings', { graceHours: 24 });
    const { id } = await addPrepaid(caller, { creditExpiry: month });
    const { expiresAt } = await topUp(id, 100);
    await reportedUntil(new Date());
    const afterHours = (hours: number) => new Date(Date.parse(expiresAt) + hours * 3_600_000);
    await expireAt(afterHours(0));
    await expireAt(afterHours(23));
    assert.deepEqual([(await balanceOf(id)).balanceMinor, (await balanceOf(id)).total], ['0', 1]);
    await expireAt(afterHours(24));
    assert.deepEqual((await movementsOf(id))[1], ['expiry', -100]);
  });

  test('leaves fractions of a minor unit, and reports a balance that became low', async () => {
    const { id, termId } = await addPrepaid(caller, { unitPrice: '0.0001', creditExpiry: day });
    await topUp(id, 100);
    await report(termId, new Date(), 75);
    await expireAt(afterDays(3));
    const { balanceMinor, isLow } = await balanceOf(id);
    assert.deepEqual([balanceMinor, isLow, (await movementsOf(id))[1]], ['0.25', true, ['expiry', -99]]);
    const { notifications } = await done(caller, 'GET', '/notifications?kind=low_balance');
    assert.equal(notifications.length, 1);
  });

  test('is announced once, 14 days before, as far as it is not used', async () => {
    const { id, termId, developerId } = await addPrepaid(caller, { creditExpiry: { count: 90, unit: 'day' } });
    const { expiresAt } = await topUp(id, 2_500);
    await done(caller, 'PATCH', `/developers/${developerId}`, {
      billing: {
        name: 'Shop',
        address: { lines: ['Weg 1'], postalCode: '1', city: 'Bern', countryCode: 'CH' },
        language: 'de',
      },
    });
    const used = await addPrepaid(caller, { creditExpiry: { count: 90, unit: 'day' } });
    await topUp(used.id, 10);
    await report(termId, new Date(), 100);
    await report(used.termId, new Date(), 10);
    mails.length = 0;
    const before = (days: number) => new Date(Date.parse(expiresAt) - days * dayMs);
    await expireAt(before(15));
    const titles = async () =>
      (await done(caller, 'GET', '/notifications?kind=credit_expiry')).notifications.map(
        (one: { title: string }) => one.title,
      );
    assert.deepEqual(await titles(), []);
    await Promise.all([expireAt(before(14)), expireAt(before(14))]);
    await expireAt(before(13));
    const lastDay = (locale: string) =>
      new Date(Date.parse(expiresAt) - 1).toLocaleDateString(locale, {
        ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
      });
    const [title, ...others] = await titles();
    assert.deepEqual(others, []);
    assert.match(title, new RegExp(`^€24\\.00 of the prepaid balance of .* expires after ${lastDay('en-GB')}$`));
    const [mail, ...furtherMails] = mails.splice(0);
    assert.deepEqual(furtherMails, []);
    assert.match(mail!.text, new RegExp(`24,00\\s€ bis zum Ende des ${lastDay('de-DE')} nutzbar`));
  });

  test('expires once wherever two processes are ended', async () => {
    const balances = await Promise.all([1, 2, 3].map(() => addPrepaid(caller, { creditExpiry: day })));
    for (const { id, termId } of balances) {
      await topUp(id, 100);
      await report(termId, new Date(), 40);
      await topUp(id, 7);
    }
    const now = afterDays(3);
    const { system } = control.opened.database;
    const step = async (database: ControlDatabase) => {
      await expireAt(now, database);
      const { rows } = await sql`select from top_ups
        where organization_id = ${organizationId} and expired_minor is null limit 1`.execute(system);
      return rows.length > 0;
    };
    const process = () => endEverywhere(control.opened.database, step);
    const faults = await Promise.all([process(), process()]);
    assert.ok(faults[0]! + faults[1]! > 10, `${faults} faults`);
    for (const { id } of balances) {
      const [, , ...expired] = await movementsOf(id);
      assert.deepEqual(
        expired.toSorted(),
        [
          ['expiry', -60],
          ['expiry', -7],
        ].toSorted(),
      );
      assert.deepEqual([(await balanceOf(id)).balanceMinor, await creditOf(id)], ['0', 40]);
    }
    assert.equal((await done(caller, 'GET', '/audit/integrity')).verified, true);
  });
});
