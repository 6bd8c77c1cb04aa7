import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { test } from 'node:test';
import { createOutbound } from './outbound.ts';

const metadata = [
  '169.254.169.254',
  '169.254.170.2',
  'fe80::1',
  'fe80::1%lo',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '0.0.0.0',
];
const own = ['127.0.0.1', '::1', '10.0.0.1', '192.168.1.1', '172.16.0.1', 'fc00::1', '100.64.0.1', '::ffff:10.0.0.1'];

const reaching = (reachPrivate: boolean, ...also: readonly string[]) => {
  const reachAlso = new BlockList();
  for (const address of also) reachAlso.addAddress(address, address.includes(':') ? 'ipv6' : 'ipv4');
  return createOutbound({ reachPrivate, reachAlso });
};

test('private addresses are reachable if the settings allow it, metadata services if they are listed', async () => {
  for (const address of own) {
    assert.deepEqual(await reaching(true).addressesOf(address), [address]);
    await assert.rejects(reaching(false).addressesOf(address), { name: 'OutboundRefused' }, address);
  }
  for (const address of metadata) {
    await assert.rejects(reaching(true).addressesOf(address), { name: 'OutboundRefused' }, address);
    await assert.rejects(reaching(false).addressesOf(address), { name: 'OutboundRefused' }, address);
  }
  const named = reaching(false, '169.254.169.254', 'fd00:ec2::254', '10.0.0.1');
  for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', '10.0.0.1']) {
    assert.deepEqual(await named.addressesOf(address), [address]);
  }
  await assert.rejects(named.addressesOf('10.0.0.2'), { name: 'OutboundRefused' });
  assert.deepEqual(await reaching(false).addressesOf('[2606:4700::1111]'), ['2606:4700::1111']);
});

test('a name is checked by all addresses that it resolves to', async () => {
  assert.ok((await reaching(true).addressesOf('localhost')).includes('127.0.0.1'));
  await assert.rejects(
    reaching(false).addressesOf('localhost'),
    /^OutboundRefused: localhost can’t be connected to from/,
  );
  await assert.rejects(reaching(true).addressesOf('no-such-name.invalid'), { code: 'ENOTFOUND' });
});

test('a document is fetched from allowed addresses, without redirects', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/keys') response.end('{"keys":[]}');
    else if (request.url === '/long') response.end(JSON.stringify('x'.repeat(300_000)));
    else response.writeHead(302, { location: '/keys' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `http://${host}:${port}`;
      assert.deepEqual(await reaching(true).fetchJson(`${url}/keys`), { keys: [] });
      await assert.rejects(reaching(true).fetchJson(`${url}/moved`), /returned 302/);
      await assert.rejects(reaching(true).fetchJson(`${url}/long`), /longer than/);
      await assert.rejects(reaching(false).fetchJson(`${url}/keys`), /not allowed/);
    }
    for (const host of ['169.254.169.254', '[fe80::1]']) {
      await assert.rejects(reaching(true).fetchJson(`http://${host}/keys`), /not allowed/);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
