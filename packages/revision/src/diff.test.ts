import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RevisionContent, type RevisionPolicy, type RevisionRoute } from './content.ts';
import { diffContent } from './diff.ts';

const route = (id: string, method: RevisionRoute['method'], pathPattern: string): RevisionRoute => ({
  id,
  method,
  pathPattern,
  targetServer: 'orders',
  targetPath: null,
  timeoutMs: 30_000,
  summary: '',
  description: '',
});

const policy = (id: string, kind: string, configuration: RevisionPolicy['configuration']): RevisionPolicy => ({
  id,
  flow: kind === 'data-masking' ? 'response' : 'request',
  kind,
  name: `${kind} policy`,
  enabled: true,
  routeIds: null,
  configuration,
});

const quota = (limit: number) => policy('p-quota', 'quota', { limit, window: { unit: 'day' } });

const base = RevisionContent.parse({
  proxy: {
    name: 'orders',
    displayName: 'Orders',
    description: '',
    basePath: '/v1/orders',
    protocol: 'rest',
    authScheme: 'api_key',
  },
  routes: [route('r1', 'GET', '/'), route('r2', 'GET', '/{id}'), route('r3', 'POST', '/')],
  policies: [policy('p-key', 'verify-api-key', {}), quota(100)],
  specification: { openapi: '3.1.0', info: { title: 'Orders', version: '1' }, paths: {} },
});

/** What differs after an edit: `kind area key`, with `!` where it is breaking. */
function changes(edit: (content: RevisionContent) => void) {
  const after = structuredClone(base);
  edit(after);
  return diffContent(base, after).changes.map(
    ({ area, kind, key, breaking }) => `${kind} ${area} ${key}${breaking ? ' !' : ''}`,
  );
}

describe('diff of two contents', () => {
  it('is empty for equal ones, whatever the order of keys and routes, and with defaults spelled out', () => {
    assert.deepEqual(diffContent(base, structuredClone(base)), { changes: [], breaking: false });
    assert.deepEqual(
      changes((content) => content.routes.reverse()),
      [],
    );
    assert.deepEqual(
      changes((content) => {
        content.policies[0]!.configuration = { removeFromRequest: true, location: 'header', name: 'x-api-key' };
      }),
      [],
    );
  });

  it('of a first content names everything and breaks nothing', () => {
    const { changes, breaking } = diffContent(null, base);
    assert.equal(breaking, false);
    assert.deepEqual(
      changes.map(({ area }) => area),
      ['proxy', 'route', 'route', 'route', 'target', 'policy', 'policy', 'specification'],
    );
    const fieldsOf = (key: string) =>
      Object.fromEntries(
        (changes.find((change) => change.key === key)?.fields ?? []).map(({ path, before, after }) => {
          assert.equal(before, null);
          return [path, after];
        }),
      );
    assert.deepEqual(fieldsOf('GET /{id}'), {
      method: 'GET',
      pathPattern: '/{id}',
      timeoutMs: 30_000,
      summary: '',
      description: '',
      targetServer: 'orders',
    });
    assert.equal(fieldsOf('orders').basePath, '/v1/orders');
    const quotaFields = fieldsOf('request/quota: quota policy');
    assert.deepEqual([quotaFields['configuration.limit'], quotaFields['configuration.window.unit']], [100, 'day']);
    assert.equal(fieldsOf('OpenAPI document').title, 'Orders');
  });

  it('matches routes by identifier, then by method and path', () => {
    assert.deepEqual(
      changes((content) => {
        content.routes[0]!.id = 'other';
        content.routes[1]!.summary = 'One order';
      }),
      ['changed route GET /{id}'],
    );
  });

  it('reports which route changes break callers', () => {
    const one = (edit: (route: RevisionRoute, content: RevisionContent) => void) =>
      changes((content) => edit(content.routes[1]!, content));
    assert.deepEqual(
      one((route) => (route.pathPattern = '/{orderId}')),
      ['changed route GET /{orderId}'],
      'the name of a parameter is not part of a call',
    );
    assert.deepEqual(
      one((route) => (route.pathPattern = '/orders/{id}')),
      ['changed route GET /orders/{id} !'],
    );
    assert.deepEqual(
      one((route) => (route.method = 'PUT')),
      ['changed route PUT /{id} !'],
    );
    assert.deepEqual(
      one((route) => (route.method = 'ANY')),
      ['changed route ANY /{id}'],
    );
    assert.deepEqual(
      one((_, content) => content.routes.splice(1, 1)),
      ['removed route GET /{id} !'],
    );
    assert.deepEqual(
      one((_, content) => content.routes.splice(1, 1, route('r9', 'ANY', '/*'))),
      ['removed route GET /{id}', 'added route ANY /*'],
    );
  });

  it('keeps targets apart from routes, and notes a shorter wait', () => {
    const after = structuredClone(base);
    after.routes[0]!.targetServer = 'orders-new';
    after.routes[0]!.timeoutMs = 1_000;
    const { changes, breaking } = diffContent(base, after);
    assert.equal(breaking, false);
    assert.deepEqual(
      changes.map(({ area, fields }) => [area, ...fields]),
      [
        ['route', { path: 'timeoutMs', before: 30_000, after: 1_000 }],
        ['target', { path: 'targetServer', before: 'orders', after: 'orders-new' }],
      ],
    );
    assert.match(changes[0]!.reason, /504/);
  });

  it('calls another base path breaking, another text not', () => {
    assert.deepEqual(
      changes(({ proxy }) => (proxy.basePath = '/v2/orders')),
      ['changed proxy orders !'],
    );
    assert.deepEqual(
      changes(({ proxy }) => (proxy.displayName = 'All orders')),
      ['changed proxy orders'],
    );
  });

  it('rates policy changes by what they mean to callers', () => {
    const put = (changed: RevisionPolicy) => changes((content) => (content.policies[1] = changed));
    assert.deepEqual(put(quota(99)), ['changed policy request/quota: quota policy !']);
    assert.deepEqual(put(quota(101)), ['changed policy request/quota: quota policy']);
    assert.deepEqual(put({ ...quota(100), enabled: false }), ['changed policy request/quota: quota policy']);
    assert.deepEqual(put({ ...quota(100), name: 'Daily' }), ['changed policy request/quota: Daily']);
    assert.deepEqual(
      changes((content) => content.policies.push(policy('p9', 'verify-jwt', {}))),
      ['added policy request/verify-jwt: verify-jwt policy !'],
    );
    assert.deepEqual(
      changes((content) => content.policies.splice(0, 1)),
      ['removed policy request/verify-api-key: verify-api-key policy'],
    );
  });

  it('sees a policy reach further, by the routes themselves and not by their identifiers', () => {
    const narrow = structuredClone(base);
    narrow.policies[1]!.routeIds = ['r2'];
    assert.equal(diffContent(narrow, base).breaking, true);
    assert.equal(diffContent(base, narrow).breaking, false);
    const renamed = structuredClone(narrow);
    renamed.routes[1]!.id = 'r22';
    renamed.policies[1]!.routeIds = ['r22'];
    assert.deepEqual(diffContent(narrow, renamed).changes, []);
  });

  it('shows another order of policies as one change', () => {
    const two = structuredClone(base);
    two.policies.push({ ...quota(5_000), id: 'p-month', name: 'Monthly' });
    const swapped = structuredClone(two);
    swapped.policies.splice(1, 2, two.policies[2]!, two.policies[1]!);
    const { changes } = diffContent(two, swapped);
    assert.deepEqual(
      changes.map(({ key, fields }) => ({ key, fields })),
      [
        {
          key: 'request flow',
          fields: [
            {
              path: 'order',
              before: ['verify-api-key policy', 'quota policy', 'Monthly'],
              after: ['verify-api-key policy', 'Monthly', 'quota policy'],
            },
          ],
        },
      ],
    );
  });

  it('redacts secrets and still shows that they changed', () => {
    const headers = (value: string) => {
      const content = structuredClone(base);
      content.policies.push(policy('p-headers', 'transform-headers', { set: [{ name: 'authorization', value }] }));
      return content;
    };
    const text = JSON.stringify(diffContent(headers('Bearer one'), headers('Bearer two')));
    assert.match(text, /configuration\.set/);
    assert.doesNotMatch(text, /Bearer/);
  });

  it('asks for the meaning of a specification, or says that it differs', () => {
    const edit = (content: RevisionContent) =>
      (content.specification = { ...content.specification, paths: { '/': {} } });
    assert.deepEqual(changes(edit), ['changed specification OpenAPI document']);
    const after = structuredClone(base);
    edit(after);
    const { changes: found, breaking } = diffContent(base, after, () => [
      { path: '/paths/~1', operation: 'GET /', kind: 'removed', breaking: true, text: 'GET / is gone.' },
    ]);
    assert.equal(breaking, true);
    assert.deepEqual(found, [
      { area: 'specification', kind: 'removed', key: 'GET /', fields: [], breaking: true, reason: 'GET / is gone.' },
    ]);
    assert.deepEqual(
      changes((content) => (content.specification = null)),
      ['removed specification OpenAPI document'],
    );
  });
});
