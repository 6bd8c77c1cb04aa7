import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { newSecret } from '@millrace/sign-in/secrets';
import { allPermissions } from '../../frame/permissions.ts';
import type { Actor } from '../../frame/persons.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { type Action, initialWorld, perform, predict } from './model.ts';
import { targets } from './rules.ts';

/** Somebody who calls, as the model knows them. */
interface Person extends Actor {
  readonly call: TestCaller['call'];
}

describe('lifecycle over HTTP', () => {
  let control: TestControl;
  let organizationId: string;
  let author: Person;
  let editor: Person;
  let approver: Person;
  let account: Person;
  let environmentId: string;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    const addPerson = async () => {
      const { userId, call } = await control.addUser(organizationId, ['organization_administrator']);
      return { id: userId, userIds: [userId], call };
    };
    [author, editor, approver] = [await addPerson(), await addPerson(), await addPerson()];
    account = await addAccount([author.id]);
    const environment = await author.call('POST', '/environments', {
      name: 'live',
      displayName: 'Live',
      production: true,
    });
    environmentId = environment.data.id;
    await author.call('POST', '/target-servers', { environmentId, name: 'orders', host: 'orders.example', port: 443 });
  });
  after(() => control.stop());

  const addAccount = async (owners: readonly string[]): Promise<Person> => {
    const { system } = control.opened.database;
    const id = newId('sva');
    const { secret, hash } = newSecret();
    await system
      .insertInto('service_accounts')
      .values({
        id,
        organization_id: organizationId,
        name: id,
        permissions: [...allPermissions],
        owner_ids: [...owners],
      })
      .execute();
    await system
      .insertInto('service_account_tokens')
      .values({
        id: newId('tok'),
        organization_id: organizationId,
        service_account_id: id,
        name: 'test',
        prefix: 'mlr',
        token_hash: hash,
      })
      .execute();
    const headers = { authorization: `Bearer ${secret}` };
    return { id, userIds: owners, call: (method, path, body) => control.call(method, path, body, headers) };
  };

  let made = 0;
  /** A proxy that governance lets pass. */
  const addProxy = async (maker = author) => {
    made += 1;
    const name = `orders-${made}`;
    const { data } = await maker.call('POST', '/proxies', { name, displayName: name, basePath: `/v1/${name}` });
    await maker.call('POST', `/proxies/${data.id}/routes`, {
      method: 'GET',
      pathPattern: '/{orderId}',
      targetServer: 'orders',
    });
    const attached = await maker.call('POST', `/proxies/${data.id}/policies`, { kind: 'verify-api-key' });
    assert.equal(attached.status, 201, JSON.stringify(attached.data));
    return data.id as string;
  };
  const request = (who: Person, proxyId: string, toStage: string, note = '') =>
    who.call('POST', `/proxies/${proxyId}/lifecycle/requests`, { toStage, note });
  const approve = (who: Person, requestId: string) => who.call('POST', `/lifecycle/requests/${requestId}/approve`, {});
  const lifecycle = async (proxyId: string) => (await author.call('GET', `/proxies/${proxyId}/lifecycle`)).data;
  const edit = (who: Person, proxyId: string) =>
    who.call('PATCH', `/proxies/${proxyId}`, { description: `Edit ${newId('edt')}` });

  test('a request is reviewed, approved by someone else, and published', async () => {
    const proxyId = await addProxy();
    const asked = await request(author, proxyId, 'approved', 'First release');
    assert.equal(asked.status, 201, JSON.stringify(asked.data));
    assert.deepEqual([asked.data.state, asked.data.revision, asked.data.fromStage], ['pending', 1, 'draft']);
    assert.equal((await lifecycle(proxyId)).stage, 'review');
    const path = `/lifecycle/requests/${asked.data.id}`;

    const own = await author.call('GET', path);
    assert.deepEqual(own.data.approval.allowed, false);
    assert.match(own.data.approval.reason, /someone else/);
    assert.equal(own.data.diff.changes[0].area, 'proxy');
    assert.ok(own.data.findings.some(({ code }: { code: string }) => code === 'REL-001'));
    assert.equal((await approve(author, asked.data.id)).status, 403);
    assert.equal((await approve(account, asked.data.id)).status, 403);

    const queue = await approver.call('GET', `/lifecycle/requests?approvable=true&proxyId=${proxyId}`);
    assert.deepEqual([queue.data.total, queue.data.requests[0].id], [1, asked.data.id]);
    assert.equal((await author.call('GET', `/lifecycle/requests?approvable=true&proxyId=${proxyId}`)).data.total, 0);
    assert.equal((await author.call('GET', `/lifecycle/requests?mine=true&proxyId=${proxyId}`)).data.total, 1);
    const noticed = await approver.call('GET', '/notifications?sort=-createdAt');
    assert.equal(noticed.data.notifications[0].link, `/review-queue/${asked.data.id}`);
    const mailed = await control.opened.database.system
      .selectFrom('outbox')
      .select('id')
      .where('organization_id', '=', organizationId)
      .execute();
    assert.ok(mailed.length >= 2);

    const done = await approver.call('POST', `${path}/approve`, { reason: 'Looks good' });
    assert.equal(done.status, 200, JSON.stringify(done.data));
    assert.deepEqual([done.data.state, done.data.decidedBy], ['approved', approver.id]);
    const now = await lifecycle(proxyId);
    assert.deepEqual([now.stage, now.approvedRevision, now.contentApproved], ['approved', 1, true]);
    assert.deepEqual(now.moves, [{ toStage: 'published', approvalRequired: false }]);
    const revision = await author.call('GET', `/proxies/${proxyId}/revisions/1`);
    assert.equal(revision.data.approvedBy, approver.id);

    assert.equal((await request(author, proxyId, 'published')).data.state, 'approved');
    const { history, total } = await lifecycle(proxyId);
    assert.deepEqual(
      [total, ...history.map(({ toStage }: { toStage: string }) => toStage)],
      [3, 'published', 'approved', 'review'],
    );
    const trail = await author.call('GET', `/proxies/${proxyId}/history?category=governance`);
    assert.ok(
      trail.data.entries.some(({ operation }: { operation: string }) => operation === 'approveLifecycleRequest'),
    );
  });

  test('a blocking finding stops the request with how to fix it, and stops the approval too', async () => {
    const proxyId = await addProxy();
    const { data: added } = await author.call('POST', `/proxies/${proxyId}/policies`, { kind: 'quota' });
    const policies = await author.call('GET', `/proxies/${proxyId}/policies?kind=verify-api-key`);
    const policyPath = `/proxies/${proxyId}/policies/${policies.data.policies[0].id}`;
    await author.call('PATCH', policyPath, { enabled: false });
    const stopped = await request(author, proxyId, 'approved');
    assert.equal(stopped.status, 409, JSON.stringify(added));
    assert.match(stopped.data.message, /SEC-001: Anybody can call GET/);
    assert.match(stopped.data.errors['SEC-001 route GET /{orderId}'], /Attach Verify API Key/);
    assert.equal((await lifecycle(proxyId)).stage, 'draft');
    const kept = await author.call('GET', `/proxies/${proxyId}/governance?blocking=true`);
    assert.deepEqual([kept.data.total, kept.data.current], [1, true]);

    await author.call('PATCH', policyPath, { enabled: true });
    const asked = await request(author, proxyId, 'approved');
    assert.equal(asked.status, 201);
    const target = await author.call('POST', '/target-servers', {
      environmentId: (await author.call('POST', '/environments', { name: 'dr', displayName: 'DR', production: true }))
        .data.id,
      name: 'orders',
      host: 'orders.example',
      port: 80,
      scheme: 'http',
    });
    const refused = await approve(approver, asked.data.id);
    assert.equal(refused.status, 409);
    assert.match(refused.data.message, /SEC-002/);
    assert.equal((await lifecycle(proxyId)).stage, 'review');
    const waived = await author.call('POST', '/governance/waivers', {
      proxyId,
      code: 'SEC-002',
      reason: 'The recovery site gets its certificate next week.',
      endsAt: new Date(Date.now() + 86_400_000).toISOString(),
    });
    assert.equal(waived.status, 201);
    assert.equal((await approve(approver, asked.data.id)).status, 200);
    const fixed = await author.call('PATCH', `/target-servers/${target.data.id}`, { scheme: 'https' });
    assert.equal(fixed.status, 200);
  });

  test('an edit after the approval voids it; a published proxy stays published, and its edits need approval again', async () => {
    const proxyId = await addProxy();
    const nextEdit = async () => (await author.call('GET', `/proxies/${proxyId}/overview`)).data.workingCopy.nextEdit;
    const first = await request(author, proxyId, 'approved');
    assert.deepEqual(await nextEdit(), { voidsApprovalOf: null, voidsRequest: true, cutsRevision: null });
    await edit(editor, proxyId);
    assert.deepEqual(await nextEdit(), { voidsApprovalOf: null, voidsRequest: false, cutsRevision: null });
    const voided = await author.call('GET', `/lifecycle/requests/${first.data.id}`);
    assert.deepEqual([voided.data.state, (await lifecycle(proxyId)).stage], ['void', 'draft']);
    assert.match((await approve(approver, first.data.id)).data.message, /is void.*request a move to approved/);

    const second = await request(author, proxyId, 'approved');
    // Whoever edited is an author too, without having requested anything.
    assert.equal((await approve(editor, second.data.id)).status, 403);
    assert.equal((await approve(approver, second.data.id)).status, 200);
    const { approvedRevision } = await lifecycle(proxyId);
    assert.deepEqual(await nextEdit(), { voidsApprovalOf: approvedRevision, voidsRequest: false, cutsRevision: null });
    await edit(author, proxyId);
    const fallen = await lifecycle(proxyId);
    assert.deepEqual([fallen.stage, fallen.approvedRevision, fallen.contentApproved], ['draft', null, false]);

    const third = await request(author, proxyId, 'approved');
    const { data: detail } = await author.call('GET', `/lifecycle/requests/${third.data.id}`);
    assert.deepEqual(
      detail.diff.changes.map(({ area, kind }: Record<string, string>) => [area, kind]),
      [['proxy', 'changed']],
    );
    await approve(approver, third.data.id);
    await request(author, proxyId, 'published');
    assert.equal((await request(author, proxyId, 'approved')).status, 409);
    await edit(author, proxyId);
    const edited = await lifecycle(proxyId);
    assert.deepEqual([edited.stage, edited.contentApproved], ['published', false]);
    const renewal = await request(author, proxyId, 'approved');
    assert.equal(renewal.status, 201, JSON.stringify(renewal.data));
    assert.equal((await approve(approver, renewal.data.id)).status, 200);
    const renewed = await lifecycle(proxyId);
    assert.deepEqual(
      [renewed.stage, renewed.contentApproved, renewed.approvedRevision],
      ['published', true, renewal.data.revision],
    );
  });

  test('neither a service account, a changed role nor another session makes an author an approver', async () => {
    const proxyId = await addProxy(account);
    const asked = await request(account, proxyId, 'approved');
    assert.deepEqual(asked.data.requestedBy, account.id);
    assert.equal((await approve(author, asked.data.id)).status, 403);
    const orphan = await addAccount([]);
    const refused = await approve(orphan, asked.data.id);
    assert.deepEqual([refused.status, /has no owner/.test(refused.data.message)], [403, true]);

    const developer = await control.addUser(organizationId, ['developer']);
    const ownProxy = await addProxy({ id: developer.userId, userIds: [developer.userId], call: developer.call });
    const own = await request(editor, ownProxy, 'approved');
    assert.equal((await developer.call('POST', `/lifecycle/requests/${own.data.id}/approve`, {})).status, 403);
    await control.opened.database.system
      .insertInto('user_roles')
      .values({ organization_id: organizationId, user_id: developer.userId, role_id: 'operations_engineer' })
      .execute();
    const promoted = await developer.call('POST', `/lifecycle/requests/${own.data.id}/approve`, {});
    assert.deepEqual([promoted.status, /wrote the content/.test(promoted.data.message)], [403, true]);
    const denied = await control.opened.database.system
      .selectFrom('audit_entries')
      .select('id')
      .where('operation', '=', 'approveLifecycleRequest')
      .where('outcome', '=', 'denied')
      .execute();
    assert.ok(denied.length >= 4);
    const accountOfApprover = await addAccount([approver.id]);
    assert.equal((await approve(accountOfApprover, own.data.id)).status, 200);
  });

  test('the organization decides which other moves need an approval', async () => {
    const settings = `/organizations/${organizationId}/settings`;
    const require = (requiredFor: readonly string[]) => author.call('PATCH', settings, { approval: { requiredFor } });
    const proxyId = await addProxy();
    await approve(approver, (await request(author, proxyId, 'approved')).data.id);
    await require(['approved', 'published']);
    const asked = await request(editor, proxyId, 'published');
    assert.deepEqual([asked.data.state, (await lifecycle(proxyId)).stage], ['pending', 'approved']);
    const stages = await author.call('GET', '/lifecycle/stages');
    const [move] = stages.data.stages[2].moves;
    assert.deepEqual([stages.data.total, move.toStage, move.approvalRequired], [6, 'published', true]);
    // The requester, and the author of what is published.
    for (const who of [editor, author]) assert.equal((await approve(who, asked.data.id)).status, 403);
    assert.equal((await approve(approver, asked.data.id)).status, 200);
    await require(['approved']);
    assert.equal((await lifecycle(proxyId)).stage, 'published');
  });

  test('a live proxy can’t be retired', async () => {
    const proxyId = await addProxy();
    await approve(approver, (await request(author, proxyId, 'approved')).data.id);
    await request(author, proxyId, 'published');
    const deployed = await approver.call('POST', '/deployments', { proxyId, environmentId, revision: 1 });
    assert.equal(deployed.status, 201, JSON.stringify(deployed.data));
    await request(author, proxyId, 'deprecated');
    const refused = await request(author, proxyId, 'retired');
    assert.deepEqual([refused.status, /is live in live\. Undeploy/.test(refused.data.message)], [409, true]);
    await approver.call('POST', `/deployments/${deployed.data.id}/undeploy`);
    assert.equal((await request(author, proxyId, 'retired')).status, 201);
    assert.match(
      (await request(author, proxyId, 'approved')).data.message,
      /There are no further moves from stage retired/,
    );
  });

  test('a request is discussed, rejected with a reason, and withdrawn only by its requester', async () => {
    const proxyId = await addProxy();
    const first = await request(author, proxyId, 'approved');
    const path = `/lifecycle/requests/${first.data.id}`;
    const auditor = await control.addUser(organizationId, ['auditor']);
    const said = await auditor.call('POST', `${path}/comments`, { text: 'Why no time-out?' });
    assert.equal(said.status, 201, JSON.stringify(said.data));
    await approver.call('POST', `${path}/comments`, { text: 'Indeed.' });
    const comments = await author.call('GET', `${path}/comments`);
    assert.deepEqual(
      comments.data.comments.map(({ text }: { text: string }) => text),
      ['Why no time-out?', 'Indeed.'],
    );
    const noticed = await auditor.call('GET', '/notifications');
    assert.equal(noticed.data.notifications[0].kind, 'lifecycle_comment');

    assert.equal((await approver.call('POST', `${path}/reject`, {})).status, 400);
    assert.equal((await auditor.call('POST', `${path}/reject`, { reason: 'No' })).status, 403);
    const rejected = await approver.call('POST', `${path}/reject`, { reason: 'Set the time-outs.' });
    assert.deepEqual([rejected.data.state, rejected.data.reason], ['rejected', 'Set the time-outs.']);
    assert.equal((await lifecycle(proxyId)).stage, 'draft');
    assert.equal((await approve(approver, first.data.id)).status, 409);

    const second = await request(author, proxyId, 'approved');
    assert.equal(second.data.revision, first.data.revision);
    const withdraw = (who: Person) => who.call('POST', `/lifecycle/requests/${second.data.id}/withdraw`);
    assert.equal((await withdraw(editor)).status, 403);
    assert.equal((await withdraw(author)).data.state, 'withdrawn');
    assert.equal((await lifecycle(proxyId)).stage, 'draft');
  });

  test('of two simultaneous approvals one counts; an approval and a simultaneous edit leave nothing wrongly approved', async () => {
    const proxyId = await addProxy();
    const { data } = await request(author, proxyId, 'approved');
    const other = await addAccount([approver.id]);
    const both = await Promise.all([approve(approver, data.id), approve(other, data.id)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    for (let round = 0; round < 3; round++) {
      const racing = await addProxy();
      const asked = await request(author, racing, 'approved');
      await Promise.all([approve(approver, asked.data.id), edit(author, racing)]);
      const { stage, contentApproved } = await lifecycle(racing);
      assert.deepEqual([stage, contentApproved], ['draft', false]);
    }
  });

  test('another organization sees and moves nothing', async () => {
    const proxyId = await addProxy();
    const { data } = await request(author, proxyId, 'approved');
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    for (const [method, path, body] of [
      ['GET', `/proxies/ID/lifecycle`],
      ['POST', `/proxies/ID/lifecycle/requests`, { toStage: 'approved' }],
      ['GET', '/lifecycle/requests/ID'],
      ['POST', '/lifecycle/requests/ID/approve', {}],
      ['POST', '/lifecycle/requests/ID/reject', { reason: 'x' }],
      ['POST', '/lifecycle/requests/ID/withdraw'],
      ['GET', '/lifecycle/requests/ID/comments'],
      ['POST', '/lifecycle/requests/ID/comments', { text: 'x' }],
    ] as const) {
      const own = path.startsWith('/proxies') ? proxyId : data.id;
      const foreign = await stranger.call(method, path.replace('ID', own), body);
      const unknown = await stranger.call(method, path.replace('ID', `${own.slice(0, 4)}unknown`), body);
      assert.deepEqual([foreign.status, foreign.data], [404, unknown.data], `${method} ${path}`);
    }
    assert.equal((await stranger.call('GET', '/lifecycle/requests')).data.total, 0);
  });

  test('sequences of actions behave as the model predicts', async () => {
    const people = [author, editor, approver, account];
    let seed = 20_260;
    const pick = <Item>(items: readonly Item[]): Item => {
      // Park and Miller's generator: the same sequences in every run.
      seed = (seed * 48_271) % 2_147_483_647;
      return items[seed % items.length]!;
    };
    for (let sequence = 0; sequence < 20; sequence++) {
      const proxyId = await addProxy();
      let world = { ...initialWorld(author.id), content: (await lifecycle(proxyId)).contentHash };
      let requestId = 'lcr_none';
      const trail: string[] = [];
      for (let length = 0; length < 6; length++) {
        const actor = pick(people);
        const possible = world.pending === null ? ['request', 'request', 'edit', 'reject'] : ['approve', 'approve'];
        const kind = pick([...possible, 'request', 'approve', 'reject', 'withdraw', 'edit'] as Action['kind'][]);
        const toStage = pick(world.approvedContent === null ? (['approved', ...targets] as const) : targets);
        const action: Action = kind === 'request' ? { kind, actor, toStage } : { kind, actor };
        trail.push(`${kind}${kind === 'request' ? ` ${toStage}` : ''} by ${people.indexOf(actor)}`);
        const expected =
          kind !== 'request' && kind !== 'edit' && requestId === 'lcr_none'
            ? 'not_found'
            : predict(world, action, { requiredFor: ['approved'], serving: false });
        const path = `/lifecycle/requests/${requestId}`;
        const answered =
          kind === 'request'
            ? await request(actor, proxyId, toStage)
            : kind === 'edit'
              ? await edit(actor, proxyId)
              : await actor.call(
                  'POST',
                  `${path}/${kind}`,
                  kind === 'withdraw' ? undefined : { reason: 'The model says so.' },
                );
        const statuses = { done: [200, 201], conflict: [409], forbidden: [403], not_found: [404] };
        const context = `${trail.join(', ')}: ${answered.status} ${JSON.stringify(answered.data)}`;
        assert.ok(statuses[expected].includes(answered.status), `${context}, not ${expected}`);
        const now = await lifecycle(proxyId);
        if (expected === 'done') {
          if (kind === 'request') requestId = answered.data.id;
          world = perform(world, action, now.contentHash, { requiredFor: ['approved'], serving: false });
        }
        assert.deepEqual(
          [now.stage, now.contentHash, now.contentApproved, now.pendingRequest?.toStage ?? null],
          [world.stage, world.content, world.content === world.approvedContent, world.pending?.toStage ?? null],
          context,
        );
      }
    }
  });
});
