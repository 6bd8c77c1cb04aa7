import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startTestGateway, testContent, testTarget } from '../testing.ts';
import { createReach, type Reach } from './reach.ts';

const stops: (() => unknown)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

const listed = new BlockList();
listed.addAddress('169.254.169.254');
listed.addAddress('127.0.0.1');
const usual = createReach({ reachPrivate: true, reachAlso: new BlockList() });
const publicAlone = createReach({ reachPrivate: false, reachAlso: new BlockList() });
const exceptional = createReach({ reachPrivate: false, reachAlso: listed });

/** A target that counts what it was asked. */
async function startTarget() {
  const seen = { asked: 0 };
  const server = createServer((_, response) => {
    seen.asked++;
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

async function statusBehind(host: string, port: number, reach: Reach): Promise<readonly [number, string]> {
  const gateway = await startTestGateway({
    deployments: [{ content: testContent('a') }],
    targets: { backend: { ...testTarget('backend', 'http://a'), endpoints: [{ host, port, weight: 1 }] } },
    reach,
  });
  stops.push(() => gateway.stop());
  const answer = await fetch(`${gateway.url}/v1/a`);
  return [answer.status, await answer.text()];
}

describe('addresses that the gateway connects to', () => {
  it('are never link-local, cloud metadata services, multicast or unspecified', () => {
    for (const address of [
      '169.254.169.254',
      '169.254.0.1',
      '168.63.129.16',
      '100.100.100.200',
      '224.0.0.1',
      '255.255.255.255',
      '0.0.0.0',
      '::',
      'fe80::1',
      'ff02::1',
      'fd00:ec2::254',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '64:ff9b::a9fe:a9fe',
      '::ffff:0.0.0.0',
    ]) {
      assert.notEqual(usual.problem(address), null, address);
      assert.notEqual(usual.refusalOf(address), null, address);
    }
    for (const address of ['127.0.0.1', '::1', '10.0.0.1', '192.168.1.1', 'fd00::1', '198.51.100.1', '2001:db8::1']) {
      assert.equal(usual.problem(address), null, address);
    }
  });

  it('are only public ones if configured, plus listed ones', () => {
    for (const address of ['127.0.0.1', '::1', '10.0.0.1', '192.168.1.1', 'fd00::1', '::ffff:127.0.0.1']) {
      assert.notEqual(publicAlone.problem(address), null, address);
    }
    assert.equal(publicAlone.problem('1.1.1.1'), null);
    assert.equal(exceptional.problem('169.254.169.254'), null);
    assert.notEqual(exceptional.problem('169.254.169.253'), null);
  });

  it('are checked after resolving names and other notations', async () => {
    const lookUp = promisify(publicAlone.lookup);
    for (const host of ['localhost', '2130706433', '0x7f000001', '127.1']) {
      await assert.rejects(lookUp(host, { all: true }), { code: 'ADDRESS_REFUSED' }, host);
    }
    for (const host of ['2852039166', '0xa9fea9fe', '169.254.43518']) {
      await assert.rejects(promisify(usual.lookup)(host, {}), { code: 'ADDRESS_REFUSED' }, host);
    }
    assert.deepEqual(await promisify(usual.lookup)('127.0.0.1', { all: true }), [{ address: '127.0.0.1', family: 4 }]);
  });

  it('are checked before connecting to a target, by address and by name', async () => {
    const { seen, port } = await startTarget();
    for (const host of ['127.0.0.1', 'localhost', '2130706433']) {
      const [status, body] = await statusBehind(host, port, publicAlone);
      assert.equal(status, 503, host);
      assert.match(body, /no_target/);
    }
    for (const host of ['169.254.169.254', '[::ffff:169.254.169.254]'.slice(1, -1), '2852039166', '0.0.0.0']) {
      assert.equal((await statusBehind(host, port, usual))[0], 503, host);
    }
    assert.equal(seen.asked, 0);
    assert.equal((await statusBehind('127.0.0.1', port, usual))[0], 200);
    assert.equal((await statusBehind('127.0.0.1', port, exceptional))[0], 200);
    assert.equal(seen.asked, 2);
  });
});
