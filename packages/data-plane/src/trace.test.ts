import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createConnectionServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createMemoryCounters } from '@millrace/counters/memory';
import { createAnswerCache } from '@millrace/policies/answer-cache';
import type { RevisionContent } from '@millrace/revision/content';
import { createTestAuthority } from '@millrace/webhooks/testing';
import { createConsumerDirectory } from './consumers/directory.ts';
import { testCaller, testContent, testTarget } from './testing.ts';
import { type TraceRequest, traceRequest } from './trace.ts';

describe('a trace', () => {
  const target = createServer((request, response) =>
    response.setHeader('X-Inner', 'a').end(`${request.method} ${request.url}`),
  );
  const consumers = createConsumerDirectory();
  const counters = createMemoryCounters();
  before(async () => {
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    const changes = testCaller('shop', createHash('sha256').update('mrk_key').digest('hex'), ['prx_orders']);
    consumers.apply({ format: 1, organizationId: 'org_test', after: 0, upTo: 1, more: false, changes: [...changes] });
  });
  after(async () => {
    target.close();
    target.closeAllConnections();
    await counters.close();
  });

  const content = testContent('orders', {
    routes: [{ method: 'GET', pathPattern: '/{id}', targetPath: '/inner/{id}' }],
    policies: [
      { kind: 'verify-api-key', name: 'key', configuration: { location: 'query', name: 'key' } },
      {
        kind: 'transform-headers',
        name: 'out',
        flow: 'response',
        configuration: { remove: ['x-inner'] },
      },
    ],
  });

  function traced(
    request: Partial<TraceRequest['request']>,
    of: RevisionContent = content,
    more: Partial<TraceRequest> = {},
  ) {
    const { port } = target.address() as AddressInfo;
    return traceRequest({
      content: of,
      proxyId: 'prx_orders',
      organizationId: 'org_test',
      environment: { id: 'env_test', name: 'test', production: false },
      targetServers: { backend: testTarget('backend', `http://127.0.0.1:${port}`) },
      variables: {},
      secrets: new Map(),
      parts: {
        counters,
        consumers,
        answers: createAnswerCache(1_000_000),
        fetchJson: () => Promise.reject(new Error()),
      },
      addressesOf: (host) => Promise.resolve([host]),
      request: {
        method: 'GET',
        path: '/7?a=b',
        headers: [],
        body: null,
        key: null,
        clientAddress: '203.0.113.7',
        ...request,
      },
      ...more,
    });
  }

  test('connects to the given addresses, with the target’s name', async () => {
    const { port } = target.address() as AddressInfo;
    const asked: string[] = [];
    const through = (addresses: readonly string[]) =>
      traced({ key: 'mrk_key' }, content, {
        targetServers: { backend: testTarget('backend', `http://orders.invalid:${port}`) },
        addressesOf: async (host) => {
          asked.push(host);
          if (addresses.length === 0) throw new Error(`${host} is nobody's.`);
          return addresses;
        },
      });
    const named = once(target, 'request') as Promise<[{ readonly headers: { readonly host?: string } }]>;
    const well = await through(['127.0.0.1']);
    assert.equal((await named)[0].headers.host, `orders.invalid:${port}`);
    assert.deepEqual(
      [well.target?.status, well.target?.endpoint, asked],
      [200, `orders.invalid:${port}`, ['orders.invalid']],
    );
    const second = await through(['127.0.0.2', '127.0.0.1']);
    assert.equal(second.answer.status, 200, 'where the first cannot be connected to');
    const none = await through([]);
    assert.deepEqual(
      [none.target?.status, none.target?.problem, none.answer.status],
      [null, "orders.invalid is nobody's.", 503],
    );
  });

  test('reports the target’s problem as a sentence', async () => {
    const server = createConnectionServer((socket) => socket.on('error', () => {}).on('data', () => socket.destroy()));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const problem = async (url: string) =>
      (await traced({ key: 'mrk_key' }, content, { targetServers: { backend: testTarget('backend', url) } })).target
        ?.problem;
    try {
      assert.equal(
        await problem(`http://127.0.0.1:${port}`),
        'It closed the connection before its response was complete.',
      );
    } finally {
      server.close();
    }
    await once(server, 'close');
    assert.equal(await problem(`http://127.0.0.1:${port}`), 'Nothing listens there: the connection was refused.');
    assert.equal(
      await problem(`https://127.0.0.1:${(target.address() as AddressInfo).port}`),
      'It does not support TLS, or only outdated versions.',
    );
  });

  test('checks the certificate against the target’s name, whichever address it has', async () => {
    const authority = await createTestAuthority();
    const certificate = await authority.issue({ hosts: ['orders.invalid'] });
    const secure = createSecureServer(certificate, (_request, response) => response.end('well'));
    secure.listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const { port } = secure.address() as AddressInfo;
    const through = (host: string) =>
      traced({ key: 'mrk_key' }, content, {
        targetServers: {
          backend: {
            ...testTarget('backend', `https://${host}:${port}`),
            tls: { serverName: null, certificateAuthorities: authority.certificate, clientCertificate: null },
          },
        },
        addressesOf: () => Promise.resolve(['127.0.0.1']),
      });
    try {
      assert.equal((await through('orders.invalid')).answer.status, 200);
      const other = await through('others.invalid');
      assert.deepEqual(
        [other.answer.status, other.target?.problem],
        [503, 'Its certificate is for another host name.'],
      );
    } finally {
      secure.closeAllConnections();
      secure.close();
    }
  });

  test('shows every step, the target and the response', async () => {
    const { route, steps, target: asked, answer, durationUs } = await traced({ key: 'mrk_key' });
    assert.equal(route?.pathPattern, '/{id}');
    assert.deepEqual(
      steps.map(({ name, flow, decision, detail }) => ({ name, flow, decision, detail })),
      [
        { name: 'key', flow: 'request', decision: 'passed', detail: 'App shop, product shop.' },
        { name: 'out', flow: 'response', decision: 'transformed', detail: 'Removed: x-inner.' },
      ],
    );
    assert.equal(asked?.path, '/inner/7?a=b');
    assert.equal(asked?.status, 200);
    assert.equal(answer.status, 200);
    assert.equal(answer.body, 'GET /inner/7?a=b');
    assert(durationUs > 0 && asked.durationUs > 0);
  });

  test('shows no value of a secret variable, however it is written', async () => {
    const secret = 'ö"p n/sesame?';
    const forms = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
    ];
    const body = `${forms.join(' ')} ${'x'.repeat(65_536 - 100)} ${secret.repeat(20)}`;
    const telling = testContent('orders', {
      policies: [
        { kind: 'mock-response', configuration: { status: 200, body } },
        {
          kind: 'transform-headers',
          flow: 'response',
          configuration: { set: [{ name: 'x-inner', value: 'a {{variables.TOKEN}} b' }] },
        },
      ],
    });
    const answers = [
      await traced({}, telling, {
        variables: { TOKEN: 'sesame-1' },
        secrets: new Map([
          ['variable:TOKEN', 'sesame-1'],
          ['variable:OTHER', secret],
        ]),
      }),
      await traced({ path: '/7?a=sesame-1', key: 'mrk_key' }, content, {
        secrets: new Map([['variable:TOKEN', 'sesame-1']]),
      }),
    ];
    const shown = JSON.stringify(answers);
    for (const form of [...forms, 'sesame', 'ö', Buffer.from('ö').toString('latin1')]) {
      assert.ok(!shown.includes(form), form);
    }
    assert.equal(answers[1]?.target?.path, '/inner/7?a=[secret]');
    assert.equal(answers[1]?.answer.body, 'GET /inner/7?a=[secret]');
  });

  test('ends with the policy that rejects, and lists the skipped ones', async () => {
    const { steps, target: asked, answer } = await traced({ key: 'mrk_other' });
    assert.deepEqual(
      steps.map(({ name, decision }) => ({ name, decision })),
      [
        { name: 'key', decision: 'refused' },
        { name: 'out', decision: 'skipped' },
      ],
    );
    assert.equal(asked, null);
    assert.equal(answer.status, 401);
  });

  test('reports a missing route, or a configuration that can’t be loaded', async () => {
    assert.equal((await traced({ path: '/a/b' })).route, null);
    await assert.rejects(traced({}, testContent('orders', { routes: [{ targetServer: 'missing' }] })), {
      name: 'SnapshotError',
    });
  });

  test('has the caller’s address from the platform only', async () => {
    const listed = testContent('orders', {
      policies: [
        {
          kind: 'ip-allow-list',
          name: 'office',
          configuration: { allow: ['10.0.0.0/8'], clientAddress: 'forwarded' },
        },
      ],
    });
    const forged = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP'].map((name) => ({ name, value: '10.0.0.1' }));
    const { answer } = await traced({ clientAddress: '192.0.2.1', headers: forged }, listed);
    assert.equal(answer.status, 403);
    assert.equal((await traced({ clientAddress: '10.0.0.1' }, listed)).answer.status, 200);
  });
});
