import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { notify } from '../../identity/users/notify.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

interface Node {
  readonly id: string;
  readonly path: string | null;
  readonly children: readonly Node[];
}

describe('navigation, search and notifications', () => {
  let control: TestControl;
  let organizationId: string;
  let otherId: string;
  let administrator: TestCaller;
  let developer: TestCaller;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    otherId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    developer = await control.addUser(organizationId, ['developer']);
    for (const id of [organizationId, otherId]) {
      await control.opened.database.system
        .insertInto('environments')
        .values([
          { id: newId('env'), organization_id: id, name: 'test', display_name: 'Test_1', production: false },
          { id: newId('env'), organization_id: id, name: 'latest', display_name: 'Newest', production: false },
        ])
        .execute();
    }
  });
  after(() => control.stop());

  const pagesOf = async (caller: TestCaller) => {
    const { data } = await caller.call('GET', '/navigation');
    return data.nodes.flatMap((node: Node) => [node.id, ...node.children.map(({ id }) => `${node.id}/${id}`)]);
  };

  test('the tree has the pages that the caller can open, and no empty section', async () => {
    const root = await control.addUser(otherId, ['super_admin']);
    const all = await pagesOf(root);
    assert.ok(all.includes('administer/organizations') && all.includes('build/review-queue'));
    const administered = await pagesOf(administrator);
    assert.deepEqual(
      all.filter((page: string) => !administered.includes(page)),
      ['administer/organizations'],
    );
    const built = await pagesOf(developer);
    assert.ok(
      built.includes('build/proxies') && built.includes('run/deployments') && built.includes('consumers/products'),
    );
    assert.ok(!built.includes('administer/users') && !built.includes('administer/audit'));
    assert.deepEqual(await pagesOf(await control.addUser(organizationId, ['api_consumer'])), ['home']);
  });

  test('a search finds what the caller may read in their organization, exact names first', async () => {
    const found = await developer.call('GET', '/search?search=TEST');
    assert.deepEqual(
      found.data.results.map((result: { kind: string; title: string }) => [result.kind, result.title]),
      [
        ['environment', 'Test_1'],
        ['environment', 'Newest'],
      ],
    );
    assert.equal(found.data.total, 2);
    assert.equal(found.data.results[0].path, `/environments/${found.data.results[0].id}`);
    const second = await developer.call('GET', '/search?search=test&page=2&pageSize=1&kind=environment');
    assert.deepEqual([second.data.total, second.data.results[0].title], [2, 'Newest']);
    assert.equal((await developer.call('GET', '/search?search=t_1')).data.total, 1, 'no wildcard');
    assert.equal((await developer.call('GET', '/search?search=tes%25')).data.total, 0, 'no wildcard');
    assert.equal((await developer.call('GET', '/search?search=')).status, 400);

    const [userOfIt] = (await administrator.call('GET', `/search?search=${developer.userId}`)).data.results;
    assert.equal(userOfIt.id, developer.userId);
    assert.equal((await developer.call('GET', `/search?search=${developer.userId}`)).data.total, 0);
  });

  test('a search finds products, developers and apps', async () => {
    const product = await administrator.call('POST', '/products', { name: 'parcels', displayName: 'Parcels' });
    const person = { email: 'pat@parcels.example', name: 'Pat' };
    const owner = await administrator.call('POST', '/developers', person);
    const body = { developerId: owner.data.id, name: 'parcel-tracker', displayName: 'Parcel tracker' };
    const app = await administrator.call('POST', '/apps', body);
    const { results } = (await developer.call('GET', '/search?search=parcel&sort=title')).data;
    assert.deepEqual(
      results.map(({ kind, subtitle, path }: Record<string, string>) => [kind, subtitle, path]),
      [
        ['app', 'Pat', `/apps/${app.data.id}`],
        ['product', 'parcels', `/products/${product.data.id}`],
        ['developer', 'pat@parcels.example', `/developers/${owner.data.id}`],
      ],
    );
  });

  test('a notice reaches the organization’s users, who see and mark their own', async () => {
    const stranger = await control.addUser(otherId, ['developer']);
    const notice = { kind: 'lifecycle_comment', title: 'Orders waits', link: '/review-queue' };
    await tenantTransaction(control.opened.database, organizationId, async (transaction) => {
      const userIds = [developer.userId, administrator.userId, administrator.userId, stranger.userId];
      await notify(transaction, { ...notice, userIds }, new Date());
      await notify(transaction, { ...notice, title: 'Billing waits', userIds: [developer.userId] }, new Date());
      await notify(transaction, { ...notice, userIds: [] }, new Date());
    });
    const listed = await developer.call('GET', '/notifications?search=orders');
    assert.deepEqual([listed.data.total, listed.data.unread], [1, 2]);
    assert.equal((await stranger.call('GET', '/notifications')).data.total, 0);
    const [ownOfOther] = (await administrator.call('GET', '/notifications')).data.notifications;
    const ids = [listed.data.notifications[0].id, ownOfOther.id];
    const read = await developer.call('POST', '/notifications/read', { notificationIds: ids });
    assert.deepEqual([read.status, read.data], [200, { unread: 1 }]);
    assert.equal((await administrator.call('GET', '/notifications?unread=true')).data.total, 1);
    assert.equal(
      (await developer.call('GET', '/notifications?unread=true')).data.notifications[0].title,
      'Billing waits',
    );
    assert.deepEqual((await developer.call('POST', '/notifications/read', {})).data, { unread: 0 });
  });
});
