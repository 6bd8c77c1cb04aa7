import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { startDns } from '@millrace/sign-in/dns-testing';
import { sql } from 'kysely';
import { done } from '../../consumers/products/testing.ts';
import { createAuditChain } from '../../frame/audit.ts';
import { startTestControl, type TestControl } from '../../testing.ts';
import { openPortal, type TestPortal } from '../settings/testing.ts';
import { recheckDomains } from './rechecker.ts';

describe('portal domains', () => {
  const records = new Map<string, string>();
  let dns: Awaited<ReturnType<typeof startDns>>;
  let control: TestControl;
  let portal: TestPortal;
  before(async () => {
    dns = await startDns(records);
    control = await startTestControl({ MILLRACE_CONTROL_DNS_SERVERS: dns.address });
  });
  after(async () => {
    await control.stop();
    dns.socket.close();
  });
  beforeEach(async () => {
    portal = await openPortal(control);
  });

  const add = (hostName: string, { administrator } = portal) =>
    done(administrator, 'POST', '/portal-domains', { hostName });
  const verify = (id: string, { administrator } = portal) => administrator.call('POST', `/portal-domains/${id}/verify`);
  /** Adds a domain with its record, and verifies it. */
  const verified = async (hostName: string) => {
    const domain = await add(hostName);
    records.set(domain.recordName, domain.recordValue);
    return done(portal.administrator, 'POST', `/portal-domains/${domain.id}/verify`);
  };

  /** A call at a host name, which resolves to nothing here. */
  const callAt = (hostName: string, path: string, method = 'GET', headers: Readonly<Record<string, string>> = {}) =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(control.baseUrl);
      const sent = request({ hostname, port, path, method, headers: { host: hostName, ...headers } }, (response) => {
        let text = '';
        response.on('data', (piece) => (text += piece));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on('error', reject);
      sent.end();
    });

  test('a domain is verified by its TXT record alone', async () => {
    const domain = await add('Developers.One.Example');
    assert.deepEqual([domain.hostName, domain.state], ['developers.one.example', 'pending']);
    assert.equal(domain.recordName, '_millrace.developers.one.example');
    const absent = await verify(domain.id);
    assert.deepEqual([absent.data.state, absent.data.verifiedAt], ['pending', null]);
    assert.match(absent.data.problem, /has no TXT record/);
    records.set(domain.recordName, 'millrace-verification=other');
    assert.match((await verify(domain.id)).data.problem, /has another value/);
    records.set(domain.recordName, domain.recordValue);
    const { data } = await verify(domain.id);
    assert.deepEqual([data.state, data.primary, data.problem], ['verified', true, null]);
  });

  test('the portal answers at a verified domain, and links use it', async () => {
    const domain = await add('developers.two.example');
    assert.equal((await callAt('developers.two.example', '/api/portal')).status, 404);
    records.set(domain.recordName, domain.recordValue);
    await verify(domain.id);
    const { text } = await eventually('the portal at the domain', async () => {
      const answer = await callAt('developers.two.example:443', '/api/portal');
      return answer.status === 200 && answer;
    });
    assert.deepEqual(
      [JSON.parse(text).data.organization, JSON.parse(text).data.url],
      [portal.name, 'https://developers.two.example'],
    );
    assert.equal((await callAt('other.two.example', '/api/portal')).status, 404);
    await done(portal.administrator, 'DELETE', `/portal-domains/${domain.id}`);
    await eventually(
      'the domain to lead nowhere',
      async () => (await callAt('developers.two.example', '/api/portal')).status === 404,
    );
  });

  test('pages at a verified domain may write to the portal, other sites’ may not', async () => {
    await verified('developers.three.example');
    const write = (origin: string) =>
      callAt('developers.three.example', '/api/portal/session', 'DELETE', { origin, 'sec-fetch-site': 'same-origin' });
    assert.equal((await write('https://developers.three.example')).status, 401);
    for (const origin of ['http://developers.three.example', 'https://evil.example', 'null']) {
      assert.equal((await write(origin)).status, 403, origin);
    }
  });

  test('at a name of this machine the portal is reached without TLS', async () => {
    await verified('portal.localhost');
    const { port } = new URL(control.baseUrl);
    const headers = { origin: `http://portal.localhost:${port}`, 'sec-fetch-site': 'same-origin' };
    const { status } = await callAt(`portal.localhost:${port}`, '/api/portal/session', 'DELETE', headers);
    assert.equal(status, 401);
    assert.equal((await portal.visit('')).data.url, `http://portal.localhost:${port}`);
  });

  test('another organization can’t verify a domain that one has', async () => {
    await verified('developers.four.example');
    const other = await openPortal(control);
    const { id, recordName, recordValue } = await add('developers.four.example', other);
    records.set(recordName, recordValue);
    const { status, data } = await verify(id, other);
    assert.equal(status, 409);
    assert.match(data.message, /Another developer portal/);
  });

  test('one domain is primary, of those that are verified', async () => {
    const first = await verified('one.five.example');
    const second = await verified('two.five.example');
    const pending = await add('three.five.example');
    assert.deepEqual([first.primary, second.primary], [true, false]);
    const choose = (id: string, primary = true) =>
      portal.administrator.call('PATCH', `/portal-domains/${id}`, { primary });
    assert.equal((await choose(pending.id)).status, 409);
    assert.equal((await choose(second.id)).status, 200);
    const { domains } = await done(portal.administrator, 'GET', '/portal-domains?state=verified');
    assert.deepEqual(
      domains.map(({ hostName, primary }: { hostName: string; primary: boolean }) => [hostName, primary]),
      [
        ['one.five.example', false],
        ['two.five.example', true],
      ],
    );
    await choose(second.id, false);
    assert.equal((await portal.visit('')).data.url, `${control.baseUrl}/portal/${portal.name}`);
  });

  test('a verified domain whose record is gone is reported, and lost after a week', async () => {
    const { organizationId, administrator } = portal;
    const { id, recordName, recordValue } = await verified('developers.five.example');
    const { database } = control.opened;
    const parts = {
      database,
      chain: createAuditChain(control.encryptionKey),
      subscribers: [],
      dnsServers: [dns.address],
    };
    const check = async (setBackDays: number) => {
      await sql`update portal_domains set checked_at = checked_at - ${setBackDays} * interval '1 day',
        missing_since = missing_since - ${setBackDays} * interval '1 day'
        where organization_id = ${organizationId}`.execute(database.system);
      await recheckDomains({ ...parts, onError: (error) => assert.fail(String(error)) });
      return done(administrator, 'GET', `/portal-domains/${id}`);
    };
    const notices = async () => {
      const { notifications, total } = await done(administrator, 'GET', '/notifications?kind=portal_domain');
      for (const { link } of notifications) assert.equal(link, '/developer-portal/domains');
      return total;
    };

    const before = await done(administrator, 'GET', `/portal-domains/${id}`);
    assert.deepEqual(await check(0), before, 'checked a moment ago');
    assert.deepEqual([(await check(1)).state, (await check(1)).missingSince], ['verified', null]);
    records.delete(recordName);
    const missing = await check(1);
    assert.deepEqual([missing.state, missing.primary, missing.missingSince], ['verified', true, missing.checkedAt]);
    assert.match(missing.problem, /has no TXT record/);
    assert.deepEqual([(await check(3)).state, await notices()], ['verified', 1]);
    records.set(recordName, recordValue);
    assert.deepEqual([(await check(3)).missingSince, (await check(8)).state], [null, 'verified']);
    records.set(recordName, 'millrace-verification=other');
    assert.equal((await check(1)).state, 'verified');
    const lost = await check(7);
    assert.deepEqual([lost.state, lost.primary, lost.verifiedAt], ['pending', false, null]);
    assert.deepEqual([(await check(7)).state, await notices()], ['pending', 3]);
    const other = await openPortal(control);
    const taken = await add('developers.five.example', other);
    records.set(recordName, taken.recordValue);
    assert.equal((await verify(taken.id, other)).data.state, 'verified');
  });

  test('a domain stays verified while the DNS servers do not answer', async () => {
    const { id } = await verified('developers.six.example');
    const { database } = control.opened;
    const chain = createAuditChain(control.encryptionKey);
    await sql`update portal_domains set checked_at = now() - interval '30 days' where id = ${id}`.execute(
      database.system,
    );
    const onError = (error: unknown) => assert.fail(String(error));
    await recheckDomains({ database, chain, subscribers: [], dnsServers: ['127.0.0.1:9'], onError });
    const { state, missingSince, problem } = await done(portal.administrator, 'GET', `/portal-domains/${id}`);
    assert.deepEqual([state, missingSince], ['verified', null]);
    assert.match(problem, /didn’t answer/);
  });

  test('whatever is no host name is rejected', async () => {
    for (const hostName of [
      'example',
      '127.0.0.1',
      'a_b.example',
      '-a.example',
      'https://a.example',
      'a.example:80',
      '*.a.example',
      '',
    ]) {
      const { status } = await portal.administrator.call('POST', '/portal-domains', { hostName });
      assert.equal(status, 400, hostName);
    }
    await add('twice.example');
    const again = await portal.administrator.call('POST', '/portal-domains', { hostName: 'twice.example' });
    assert.deepEqual(Object.keys(again.data.errors), ['hostName']);
  });
});
