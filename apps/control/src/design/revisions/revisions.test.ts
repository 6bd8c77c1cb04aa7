import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addEnvironment, serve } from '../proxies/testing.ts';

describe('revisions', () => {
  let control: TestControl;
  let developer: TestCaller;
  let colleague: TestCaller;
  let organizationId: string;
  let environmentId: string;
  let proxyId: string;
  let path: string;
  let proxies = 0;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    developer = await control.addUser(organizationId, ['developer']);
    colleague = await control.addUser(organizationId, ['developer']);
    environmentId = await addEnvironment(control, organizationId);
  });
  beforeEach(async () => {
    const name = `proxy-${++proxies}`;
    const body = { name, displayName: name, basePath: `/v1/${name}`, authScheme: 'api_key' };
    proxyId = (await developer.call('POST', '/proxies', body)).data.id;
    path = `/proxies/${proxyId}/revisions`;
  });
  after(() => control.stop());

  const ok = async (answer: ReturnType<TestCaller['call']>) => {
    const { status, data } = await answer;
    assert.ok(status < 300, JSON.stringify(data));
    return data;
  };
  const addRoute = (pathPattern: string, method = 'GET') =>
    ok(developer.call('POST', `/proxies/${proxyId}/routes`, { method, pathPattern, targetServer: 'orders' }));
  const cut = (note = '') => ok(developer.call('POST', path, { note }));
  const proxy = () => ok(developer.call('GET', `/proxies/${proxyId}`));
  const diff = (revision: number, against: string) =>
    ok(developer.call('GET', `${path}/${revision}/diff?against=${against}`));
  const numbers = async () =>
    (await ok(developer.call('GET', `${path}?sort=revision`))).revisions.map(
      ({ revision }: { revision: number }) => revision,
    );
  const serveRevision = (revision: number, environment = environmentId) =>
    serve(control, { organizationId, environmentId: environment, proxyId, revision });

  test('a revision is a copy of the working copy with its authors', async () => {
    const route = await addRoute('/{id}');
    const policy = await ok(developer.call('POST', `/proxies/${proxyId}/policies`, { kind: 'verify-api-key' }));
    const first = await ok(colleague.call('POST', path, { note: 'First' }));
    assert.deepEqual(
      [first.revision, first.state, first.note, first.createdBy],
      [1, 'undeployed', 'First', colleague.userId],
    );
    assert.deepEqual(first.authorIds, [developer.userId]);
    assert.equal(first.contentHash, (await proxy()).contentHash);

    await ok(colleague.call('PATCH', `/proxies/${proxyId}/routes/${route.id}`, { timeoutMs: 1_000 }));
    const { content, ...shown } = await ok(developer.call('GET', `${path}/1`));
    assert.deepEqual(shown, first);
    assert.deepEqual([content.routes[0].timeoutMs, content.policies[0].id], [null, policy.id]);
    const second = await cut('Second');
    assert.deepEqual(second.authorIds, [developer.userId, colleague.userId].sort());
    const listed = await ok(developer.call('GET', `${path}?search=first`));
    assert.deepEqual(listed, { revisions: [first], total: 1 });
    assert.equal((await ok(developer.call('GET', `${path}?state=deployed`))).total, 0);
  });

  test('a revision that was never deployed can be deleted, and its number is not reused', async () => {
    await cut();
    await cut();
    await ok(developer.call('DELETE', `${path}/2`));
    assert.equal((await developer.call('GET', `${path}/2`)).status, 404);
    assert.equal((await cut()).revision, 3);
    await serveRevision(1);
    const refused = await developer.call('DELETE', `${path}/1`);
    assert.equal(refused.status, 409);
    assert.match(refused.data.message, /deployed/);
    assert.equal((await developer.call('GET', `${path}/99999999999`)).status, 400);
    assert.equal((await developer.call('GET', `${path}/zero`)).status, 400);
  });

  test('concurrently cut revisions have different numbers', async () => {
    const all = await Promise.all([cut(), cut(), cut(), cut()]);
    assert.deepEqual(all.map(({ revision }) => revision).sort(), [1, 2, 3, 4]);
  });

  test('the database never changes a revision’s content; once deployed, only its approval', async () => {
    await addRoute('/');
    await cut();
    await cut();
    await serveRevision(2);
    const { system } = control.opened.database;
    const change = (set: string, revision: number) =>
      sql`update revisions set ${sql.raw(set)} where proxy_id = ${proxyId} and revision = ${revision}`.execute(system);
    for (const [revision, set] of [
      [1, `content = '{}'`],
      [1, `content_hash = 'other'`],
      [2, `content = jsonb_set(content, '{routes}', '[]')`],
      [2, `content_hash = 'other'`],
      [2, `note = 'other'`],
      [2, `revision = 7`],
      [2, `first_deployed_at = null`],
      [2, `author_ids = '{}'`],
    ] as const) {
      await assert.rejects(change(set, revision), { code: '23001' }, set);
    }
    await assert.rejects(sql`delete from revisions where proxy_id = ${proxyId} and revision = 2`.execute(system), {
      code: '23001',
    });
    await change(`note = 'other'`, 1);
    await change(`approved_by = 'usr_x', approved_at = now()`, 2);
    const refused = await developer.call('DELETE', `${path}/2`);
    assert.equal(refused.status, 409);
  });

  test('two revisions, the working copy and an environment are compared by their effect on callers', async () => {
    const route = await addRoute('/{id}');
    await cut();
    assert.deepEqual(await diff(1, 'working-copy'), {
      before: 'revision 1',
      after: 'working copy',
      changes: [],
      breaking: false,
    });
    await ok(developer.call('DELETE', `/proxies/${proxyId}/routes/${route.id}`));
    await addRoute('/new');
    const edited = await diff(1, 'working-copy');
    assert.equal(edited.breaking, true);
    assert.deepEqual(edited.changes.map(({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`).sort(), [
      'added GET /new',
      'removed GET /{id}',
    ]);
    await cut();
    assert.deepEqual((await diff(2, '1')).changes, edited.changes);
    const nowhere = await diff(2, 'test');
    assert.equal(nowhere.breaking, false);
    await serveRevision(1);
    const there = await diff(2, 'test');
    assert.deepEqual([there.before, there.after, there.changes], ['test (revision 1)', 'revision 2', edited.changes]);
    for (const against of ['9', 'unknown', 'Not A Name']) {
      const refused = await developer.call('GET', `${path}/1/diff?against=${encodeURIComponent(against)}`);
      assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, ['against']]);
    }
  });

  test('a specification is part of what is compared and restored', async () => {
    const { system } = control.opened.database;
    await addRoute('/');
    const document = (summary: string, responses: object) => ({
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1.0.0' },
      paths: { '/': { get: { summary, responses } } },
    });
    const specificationId = newId('spc');
    await system
      .insertInto('specifications')
      .values({
        id: specificationId,
        organization_id: organizationId,
        proxy_id: proxyId,
        title: 'Orders',
        api_version: '1.0.0',
        source: 'uploaded',
        document: JSON.stringify(document('List', { 200: { description: 'All' }, 404: { description: 'None' } })),
      })
      .execute();
    await cut();
    await system
      .updateTable('specifications')
      .set({ document: JSON.stringify(document('List', { 404: { description: 'None' } })) })
      .where('id', '=', specificationId)
      .execute();
    const changed = await diff(1, 'working-copy');
    assert.ok(changed.changes.every(({ area }: { area: string }) => area === 'specification'));
    assert.equal(changed.breaking, true);

    await ok(developer.call('POST', `${path}/1/restore`));
    assert.deepEqual((await diff(1, 'working-copy')).changes, []);
    const restored = await system.selectFrom('specifications').selectAll().where('proxy_id', '=', proxyId).execute();
    assert.deepEqual([restored.length, restored[0]?.id, restored[0]?.version], [1, specificationId, 2]);
  });

  test('restoring gives the working copy the revision’s content, hash and authors', async () => {
    const kept = await addRoute('/kept');
    const policy = await ok(
      developer.call('POST', `/proxies/${proxyId}/policies`, { kind: 'verify-api-key', routeIds: [kept.id] }),
    );
    const first = await cut();
    await ok(developer.call('DELETE', `/proxies/${proxyId}/policies/${policy.id}`));
    await ok(developer.call('DELETE', `/proxies/${proxyId}/routes/${kept.id}`));
    await addRoute('/other');
    await ok(developer.call('PATCH', `/proxies/${proxyId}`, { name: `renamed-${proxies}`, tags: ['stays'] }));
    const before = await proxy();

    const answered = await ok(colleague.call('POST', `${path}/1/restore`));
    assert.deepEqual(answered, first);
    const restored = await proxy();
    assert.deepEqual(
      [restored.contentHash, restored.name, restored.tags],
      [first.contentHash, `proxy-${proxies}`, ['stays']],
    );
    assert.equal(restored.version, before.version + 1);
    const route = await ok(developer.call('GET', `/proxies/${proxyId}/routes/${kept.id}`));
    assert.ok(route.version > 1, 'an ETag from before does not pass for the restored route');
    const second = await cut();
    assert.deepEqual(second.authorIds, [developer.userId, colleague.userId].sort());
    const { entries } = await ok(developer.call('GET', `/proxies/${proxyId}/history?operation=restoreRevision`));
    assert.match(entries[0].note, /Revision 1/);

    const name = { name: `taken-${proxies}`, displayName: 'Taken', basePath: `/v1/taken-${proxies}` };
    await ok(
      developer.call('PATCH', `/proxies/${proxyId}`, { name: `away-${proxies}`, basePath: `/v1/away-${proxies}` }),
    );
    await ok(developer.call('POST', '/proxies', { ...name, name: `proxy-${proxies}` }));
    assert.equal((await developer.call('POST', `${path}/1/restore`)).status, 409);
    await control.opened.database.system.deleteFrom('target_servers').execute();
    const refused = await developer.call('POST', `${path}/1/restore`);
    assert.deepEqual([refused.status, /orders/.test(refused.data.message)], [409, true]);
    await addEnvironment(control, organizationId, { name: `again-${proxies}` });
  });

  test('lists where a revision is or was live', async () => {
    await cut();
    const id = await serveRevision(1);
    const listed = await ok(developer.call('GET', `${path}/1/deployments`));
    assert.deepEqual([listed.total, listed.deployments[0].id], [1, id]);
    assert.equal((await ok(developer.call('GET', `${path}/1/deployments?serving=false`))).total, 0);
    await cut();
    assert.equal((await ok(developer.call('GET', `${path}/2/deployments`))).total, 0);
  });

  test('an edit of a deployed proxy cuts a revision, which later edits replace until it is used', async () => {
    const route = await addRoute('/{id}');
    await cut();
    await addRoute('/before');
    assert.deepEqual(await numbers(), [1], 'nothing is cut of a proxy that serves nowhere');
    await ok(developer.call('POST', `${path}/1/restore`));
    await serveRevision(1);
    const served = await ok(developer.call('GET', `${path}/1`));

    const edit = (timeoutMs: number | null) =>
      ok(developer.call('PATCH', `/proxies/${proxyId}/routes/${route.id}`, { timeoutMs }));
    await edit(1_000);
    const second = await ok(developer.call('GET', `${path}/2`));
    assert.deepEqual([second.automatic, second.content.routes[0].timeoutMs], [true, 1_000]);
    await edit(2_000);
    assert.deepEqual(await numbers(), [1, 2]);
    assert.equal((await ok(developer.call('GET', `${path}/2`))).content.routes[0].timeoutMs, 2_000);
    await edit(null);
    assert.deepEqual(await numbers(), [1], 'the working copy is what serves again');
    await edit(3_000);
    await serveRevision(2, await addEnvironment(control, organizationId, { name: `second-${proxies}` }));
    await edit(4_000);
    assert.deepEqual(await numbers(), [1, 2, 3]);
    const kept = await cut('On purpose');
    assert.deepEqual([kept.revision, kept.automatic], [4, false]);
    await edit(5_000);
    assert.deepEqual(await numbers(), [1, 2, 3, 4, 5]);
    assert.deepEqual(await ok(developer.call('GET', `${path}/1`)), served, 'what serves stays as it is');
    assert.equal((await proxy()).contentHash, (await ok(developer.call('GET', `${path}/5`))).contentHash);
  });

  test('an edit voids the approval of other content and a pending request for it', async () => {
    const { system } = control.opened.database;
    const route = await addRoute('/{id}');
    const { contentHash } = await cut();
    const set = (values: object) => system.updateTable('proxies').set(values).where('id', '=', proxyId).execute();
    await set({ stage: 'approved', approved_hash: contentHash, approved_revision: 1 });
    await ok(developer.call('PATCH', `/proxies/${proxyId}`, { tags: ['no content'] }));
    assert.deepEqual([(await proxy()).stage, (await proxy()).approvedRevision], ['approved', 1]);
    await ok(developer.call('PATCH', `/proxies/${proxyId}/routes/${route.id}`, { summary: 'Show one' }));
    assert.deepEqual([(await proxy()).stage, (await proxy()).approvedRevision], ['draft', null]);
    const [move] = await system.selectFrom('lifecycle_moves').selectAll().where('proxy_id', '=', proxyId).execute();
    assert.deepEqual([move?.from_stage, move?.to_stage, move?.moved_by], ['approved', 'draft', developer.userId]);

    const { contentHash: reviewed } = await cut();
    const requestId = newId('lcr');
    await system
      .insertInto('lifecycle_requests')
      .values({
        id: requestId,
        organization_id: organizationId,
        proxy_id: proxyId,
        from_stage: 'draft',
        to_stage: 'review',
        revision: 2,
        content_hash: reviewed,
        requested_by: developer.userId,
        requested_by_name: 'Developer',
        author_ids: [developer.userId],
        findings: '[]',
        diff: JSON.stringify({ changes: [], breaking: false }),
      })
      .execute();
    await set({ stage: 'review' });
    assert.equal((await developer.call('DELETE', `${path}/2`)).status, 409, 'what is under review stays');
    await ok(developer.call('DELETE', `/proxies/${proxyId}/routes/${route.id}`));
    assert.equal((await proxy()).stage, 'draft');
    const request = await system
      .selectFrom('lifecycle_requests')
      .selectAll()
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    assert.deepEqual([request.state, request.version], ['void', 2]);
  });
});
