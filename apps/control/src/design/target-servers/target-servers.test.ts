import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, BlockList, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { createTestAuthority } from '@millrace/webhooks/testing';
import { createOutbound } from '../../frame/outbound.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { type Checked, checkTarget } from './check.ts';

function listOf(network: string): BlockList {
  const list = new BlockList();
  const [address = '', prefix] = network.split('/');
  list.addSubnet(address, Number(prefix), 'ipv4');
  return list;
}

const outbound = createOutbound({ reachPrivate: true, reachAlso: new BlockList() });

describe('target servers', () => {
  let control: TestControl;
  let developer: TestCaller;
  let organizationId: string;
  let environmentId: string;
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    developer = await control.addUser(organizationId, ['developer']);
    environmentId = await addEnvironment('test');
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
    await control.stop();
  });

  async function addEnvironment(name: string): Promise<string> {
    const id = newId('env');
    await control.opened.database.system
      .insertInto('environments')
      .values({ id, organization_id: organizationId, name, display_name: name, production: false })
      .execute();
    return id;
  }

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function register(fields: object): Promise<string> {
    const body = {
      environmentId,
      name: `target-${newId('tgt').slice(-8)}`,
      host: 'orders.example',
      port: 443,
      ...fields,
    };
    const created = await developer.call('POST', '/target-servers', body);
    assert.equal(created.status, 201, JSON.stringify(created.data));
    return created.data.id;
  }

  async function addRoute(targetServer: string): Promise<void> {
    const proxyId = newId('prx');
    await control.opened.database.system
      .insertInto('proxies')
      .values({
        id: proxyId,
        organization_id: organizationId,
        name: `proxy-${proxyId.slice(-8)}`,
        display_name: 'Proxy',
        base_path: `/v1/${proxyId.slice(-8)}`,
        protocol: 'rest',
        auth_scheme: 'none',
        content_hash: '',
        created_by: developer.userId,
      })
      .execute();
    await control.opened.database.system
      .insertInto('routes')
      .values({
        id: newId('rte'),
        organization_id: organizationId,
        proxy_id: proxyId,
        position: 1,
        method: 'GET',
        path_pattern: '/',
        target_server: targetServer,
      })
      .execute();
  }

  test('a target server is registered, shown and listed, and leaves one audit row', async () => {
    const body = { environmentId, name: 'orders', host: 'orders.example', port: 443 };
    const created = await developer.call('POST', '/target-servers', body);
    assert.equal(created.status, 201, JSON.stringify(created.data));
    assert.deepEqual([created.data.scheme, created.data.version], ['https', 1]);
    const shown = await developer.call('GET', `/target-servers/${created.data.id}`);
    assert.deepEqual(shown.data, created.data);
    assert.equal(shown.headers.get('etag'), '"v1"');
    const listed = await developer.call('GET', '/target-servers?search=ORDERS');
    assert.deepEqual([listed.data.total, listed.data.targetServers.length], [1, 1]);
    const rows = await control.opened.database.system.selectFrom('audit_entries').selectAll().execute();
    assert.equal(rows.length, 1);
    assert.equal(rows[0]?.operation, 'createTargetServer');

    const again = await developer.call('POST', '/target-servers', body);
    assert.equal(again.status, 400);
    assert.deepEqual(Object.keys(again.data.errors), ['name']);
    assert.equal((await developer.call('GET', '/target-servers?colour=red')).status, 400);
  });

  test('a name is unique per environment, and an unknown environment is a field error', async () => {
    const other = await addEnvironment('other');
    const body = { name: 'twice', host: 'twice.example', port: 443 };
    assert.equal((await developer.call('POST', '/target-servers', { ...body, environmentId })).status, 201);
    assert.equal((await developer.call('POST', '/target-servers', { ...body, environmentId: other })).status, 201);
    const nowhere = await developer.call('POST', '/target-servers', { ...body, environmentId: newId('env') });
    assert.deepEqual([nowhere.status, Object.keys(nowhere.data.errors)], [400, ['environmentId']]);
  });

  test('a change is checked against If-Match, and omitted fields stay', async () => {
    const id = await register({ description: 'before', healthPath: '/health' });
    const stale = await developer.call('PATCH', `/target-servers/${id}`, { port: 8443 }, { 'if-match': '"v7"' });
    assert.equal(stale.status, 412);
    const changed = await developer.call('PATCH', `/target-servers/${id}`, { port: 8443 }, { 'if-match': '"v1"' });
    assert.deepEqual(
      [changed.status, changed.data.port, changed.data.description, changed.data.healthPath, changed.data.version],
      [200, 8443, 'before', '/health', 2],
    );
    assert.equal((await developer.call('PATCH', `/target-servers/${id}`, { healthPath: null })).data.healthPath, null);
  });

  test('a target server in use can’t be deleted or renamed, and its references list the routes', async () => {
    const id = await register({ name: 'named' });
    await addRoute('named');
    const references = await developer.call('GET', `/target-servers/${id}/references`);
    assert.deepEqual([references.data.total, references.data.routes[0].pathPattern], [1, '/']);
    const deleted = await developer.call('DELETE', `/target-servers/${id}`);
    assert.equal(deleted.status, 409);
    assert.match(deleted.data.message, /route GET \/ of proxy-/);
    assert.equal((await developer.call('PATCH', `/target-servers/${id}`, { name: 'renamed' })).status, 409);
    assert.equal((await developer.call('PATCH', `/target-servers/${id}`, { name: 'named', port: 1 })).status, 200);

    const free = await register({});
    assert.equal((await developer.call('DELETE', `/target-servers/${free}`)).status, 200);
    assert.equal((await developer.call('GET', `/target-servers/${free}`)).status, 404);
  });

  test('it is disabled and enabled once each', async () => {
    const id = await register({});
    const disabled = await developer.call('POST', `/target-servers/${id}/disable`);
    assert.deepEqual([disabled.status, disabled.data.enabled], [200, false]);
    const again = await developer.call('POST', `/target-servers/${id}/disable`);
    assert.deepEqual([again.status, again.data.message], [409, 'It is disabled. It can be enabled.']);
    assert.equal((await developer.call('POST', `/target-servers/${id}/enable`)).data.enabled, true);
  });

  test('a check connects, requests the health path and follows no redirect', async () => {
    const asked: string[] = [];
    const port = await listen(
      createServer((request, response) => {
        asked.push(request.url ?? '');
        if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' });
        else if (request.url === '/ill') response.writeHead(503);
        response.end('x'.repeat(100_000));
      }),
    );
    const check = async (healthPath: string | null) => {
      const id = await register({ scheme: 'http', host: '127.0.0.1', port, healthPath });
      return (await developer.call('POST', `/target-servers/${id}/check`)).data;
    };
    const well = await check('/well');
    assert.deepEqual([well.reachable, well.status, well.problem, well.tls], [true, 200, null, null]);
    assert.ok(well.latencyMs > 0);
    assert.match((await check('/ill')).problem, /503/);
    assert.deepEqual([(await check('/moved')).status, asked.includes('/elsewhere')], [302, false]);
    assert.deepEqual([(await check(null)).reachable, (await check(null)).status], [true, null]);
  });

  test('a check reports the problem: nothing listens, no TLS, not HTTP', async () => {
    const check = async (fields: object) => {
      const id = await register({ host: '127.0.0.1', ...fields });
      return (await developer.call('POST', `/target-servers/${id}/check`)).data;
    };
    const closed = createTcpServer();
    const closedPort = await listen(closed);
    closed.close();
    const refused = await check({ scheme: 'http', port: closedPort });
    assert.deepEqual([refused.reachable, refused.latencyMs], [false, null]);
    assert.match(refused.problem, /refused/);

    const port = await listen(createTcpServer((socket) => socket.end('220 mail.example ready\r\n')));
    const noTls = await check({ scheme: 'https', port });
    assert.deepEqual([noTls.reachable, noTls.tls], [false, null]);
    assert.notEqual(noTls.problem, null);
    const noHttp = await check({ scheme: 'http', port, healthPath: '/' });
    assert.match(noHttp.problem, /not HTTP/);
  });

  test('a check reports the certificate, including an untrusted or expired one', async () => {
    const authority = await createTestAuthority();
    const check = (checked: Checked) => checkTarget(checked, outbound);
    for (const expired of [false, true]) {
      const certificate = await authority.issue({ hosts: ['localhost'], addresses: ['127.0.0.1'], expired });
      const port = await listen(createSecureServer(certificate, (_request, response) => response.end()));
      for (const healthPath of ['/', null]) {
        const result = await check({ scheme: 'https', host: 'localhost', port, healthPath });
        assert.deepEqual(
          [result.reachable, result.tls?.protocol, result.tls?.authorized, result.tls?.daysLeft, result.status],
          [true, 'TLSv1.3', false, expired ? -2 : 0, healthPath === null ? null : 200],
        );
        assert.match(result.problem ?? '', expired ? /expired/ : /not trusted/);
      }
    }
  });

  test('a target server speaks HTTP/1.1 unless another protocol is set, and is checked by it', async () => {
    const id = await register({});
    const shown = async () => (await developer.call('GET', `/target-servers/${id}`)).data.protocol;
    assert.equal(await shown(), 'http1');
    assert.equal((await developer.call('PATCH', `/target-servers/${id}`, { protocol: 'auto' })).status, 200);
    assert.equal(await shown(), 'auto');
    assert.equal((await developer.call('PATCH', `/target-servers/${id}`, { protocol: 'http3' })).status, 400);

    const server = createHttp2Server((request, response) => {
      response.statusCode = request.url === '/health' && request.httpVersion === '2.0' ? 200 : 500;
      response.end();
    });
    const target = { scheme: 'http', host: '127.0.0.1', port: await listen(server), healthPath: '/health' } as const;
    const byHttp2 = await checkTarget({ ...target, protocol: 'http2' }, outbound);
    assert.deepEqual([byHttp2.reachable, byHttp2.status, byHttp2.problem], [true, 200, null]);
    assert.notEqual((await checkTarget(target, outbound)).problem, null);
  });

  test('addresses that can’t be a tenant’s server are rejected', async () => {
    const id = await register({});
    for (const host of [
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
      '[::ffff:169.254.169.254]',
      '[fe80::1]',
      '0.0.0.0',
    ]) {
      const created = await developer.call('POST', '/target-servers', {
        environmentId,
        name: 'clouds',
        host,
        port: 80,
      });
      assert.deepEqual([created.status, Object.keys(created.data.errors)], [400, ['host']], host);
      const changed = await developer.call('PATCH', `/target-servers/${id}`, { host });
      assert.deepEqual([changed.status, Object.keys(changed.data.errors)], [400, ['host']], host);
      const endpoints = [{ host, port: 80 }];
      const shared = await developer.call('PATCH', `/target-servers/${id}`, { endpoints });
      assert.deepEqual([shared.status, Object.keys(shared.data.errors)], [400, ['endpoints.0.host']], host);
    }
    for (const host of ['10.0.0.5', '127.0.0.1', '[fd00::5]', '8.8.8.8']) await register({ host });
    const reached = createOutbound({ reachPrivate: true, reachAlso: listOf('169.254.1.0/24') });
    assert.deepEqual([reached.targetProblem('169.254.1.7'), reached.targetProblem('metadata.example')], [null, null]);
  });

  test('additional endpoints share its calls, each listed once', async () => {
    const endpoints = [{ host: 'b.example', port: 443, weight: 3 }];
    const id = await register({ host: 'a.example', weight: 2, endpoints });
    const path = `/target-servers/${id}`;
    const shown = (await developer.call('GET', path)).data;
    assert.deepEqual([shown.weight, shown.endpoints], [2, endpoints]);
    for (const [fields, field] of [
      [{ endpoints: [{ host: 'A.example', port: 443 }] }, 'endpoints.0'],
      [{ host: 'b.example' }, 'endpoints.0'],
      [{ endpoints: [{ host: 'c.example', port: 443, weight: 0 }] }, 'endpoints.0.weight'],
      [{ endpoints: [{ host: 'http://c.example', port: 443 }] }, 'endpoints.0.host'],
    ] as const) {
      const refused = await developer.call('PATCH', path, fields);
      assert.deepEqual([refused.status, Object.keys(refused.data.errors)], [400, [field]], JSON.stringify(fields));
    }
    assert.deepEqual((await developer.call('PATCH', path, { description: 'x' })).data.endpoints, endpoints);
    assert.deepEqual((await developer.call('PATCH', path, { endpoints: [] })).data.endpoints, []);
  });

  test('a client certificate needs its key, which is never returned and stays until replaced', async () => {
    const authority = await createTestAuthority();
    const { cert, key } = await authority.issue({ hosts: ['localhost'], addresses: ['127.0.0.1'] });
    const other = await authority.issue({ hosts: ['client.example'] });
    const mtls = createSecureServer(
      { cert, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: true },
      (_request, response) => response.end(),
    );
    const tls = { certificateAuthorities: authority.certificate, clientCertificate: other.cert, clientKey: other.key };
    const id = await register({ host: '127.0.0.1', port: await listen(mtls), healthPath: '/', tls });
    const path = `/target-servers/${id}`;
    const checked = await developer.call('POST', `${path}/check`);
    assert.deepEqual([checked.data.status, checked.data.tls.authorized, checked.data.problem], [200, true, null]);

    const { clientKey: _, ...known } = tls;
    const shown = await developer.call('GET', path);
    assert.deepEqual(shown.data.tls, { serverName: null, ...known, hasClientKey: true });
    const kept = await developer.call('PATCH', path, { tls: { ...known, serverName: 'localhost' } });
    assert.equal(kept.data.tls.hasClientKey, true);
    assert.equal((await developer.call('POST', `${path}/check`)).data.status, 200);

    for (const [fields, field] of [
      [{ ...known, clientCertificate: cert }, 'tls.clientKey'],
      [{ ...tls, clientKey: key }, 'tls.clientKey'],
      [{ ...tls, clientKey: 'nonsense' }, 'tls.clientKey'],
      [{ ...tls, clientCertificate: 'nonsense' }, 'tls.clientCertificate'],
      [{ clientKey: key }, 'tls.clientCertificate'],
      [{ certificateAuthorities: cert.replaceAll('M', 'N') }, 'tls.certificateAuthorities'],
    ] as const) {
      const refused = await developer.call('PATCH', path, { tls: fields });
      assert.deepEqual(
        [refused.status, Object.keys(refused.data.errors)],
        [400, [field]],
        JSON.stringify(refused.data),
      );
    }
    const removed = await developer.call('PATCH', path, { tls: {} });
    assert.deepEqual(removed.data.tls, {
      serverName: null,
      certificateAuthorities: null,
      clientCertificate: null,
      hasClientKey: false,
    });

    const { system } = control.opened.database;
    const stored = await system.selectFrom('target_servers').selectAll().execute();
    const trail = await system.selectFrom('audit_entries').selectAll().execute();
    const everything = JSON.stringify([stored, trail, shown.data]) + control.logLines.join('');
    assert.ok(!everything.includes(other.key.split('\n')[1]!));
  });

  test('a check ends at its time limit', async () => {
    const port = await listen(createTcpServer());
    const target = { scheme: 'http', host: '127.0.0.1', port, healthPath: '/' } as const;
    const result = await checkTarget(target, outbound, 200);
    assert.deepEqual([result.reachable, result.problem], [true, 'It did not respond within 0.2 seconds.']);
    assert.equal((await checkTarget({ ...target, healthPath: null }, outbound)).problem, null);
    const { problem } = await checkTarget(target, { addressesOf: () => new Promise(() => {}) }, 50);
    assert.equal(problem, 'No connection within 0.05 seconds.');
  });

  test('a check connects to the address that was checked, and never to a metadata service', async () => {
    const asked: (string | undefined)[] = [];
    const port = await listen(
      createServer((request, response) => {
        asked.push(request.headers.host);
        response.end();
      }),
    );
    const target = { scheme: 'http', host: 'orders.invalid', port, healthPath: '/' } as const;
    const found = { addressesOf: () => Promise.resolve(['127.0.0.1']) };
    assert.equal((await checkTarget(target, found)).status, 200);
    assert.deepEqual(asked, [`orders.invalid:${port}`]);
    for (const host of ['169.254.169.254', '[fd00:ec2::254]']) {
      const checked = await checkTarget({ scheme: 'http', host, port: 80, healthPath: null }, outbound);
      assert.equal(checked.reachable, false);
      assert.match(checked.problem!, /can’t be connected to from here: /);
    }
  });

  test('another organization’s target server is not found, by any operation', async () => {
    const id = await register({});
    const stranger = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { port: 1 }],
      ['DELETE', '', undefined],
      ['POST', '/enable', undefined],
      ['POST', '/check', undefined],
      ['GET', '/references', undefined],
    ] as const) {
      assert.equal(
        (await stranger.call(method, `/target-servers/${id}${path}`, body)).status,
        404,
        `${method} ${path}`,
      );
    }
  });
});
