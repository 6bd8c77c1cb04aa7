import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressProblem } from './address.ts';
import { checkDestination } from './destination.ts';

const production = { allowLoopback: false };
const development = { allowLoopback: true };

const refused = [
  // scheme, credentials, shape
  'http://receiver.example/',
  'ftp://receiver.example/',
  'file:///etc/passwd',
  'gopher://receiver.example/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ws://receiver.example/',
  '//receiver.example/',
  'receiver.example',
  '',
  ' ',
  'https://',
  'https://?x',
  'https://:443/',
  'https://user@receiver.example/',
  'https://user:pass@receiver.example/',
  'https://:pass@receiver.example/',
  `https://receiver.example/${'x'.repeat(2048)}`,
  // loopback and unspecified, in every notation
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.255.255.254/',
  'https://0/',
  'https://0.0.0.0/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://0x7f.1/',
  'https://127.0.0.1./',
  'https://①②⑦.⓪.⓪.①/',
  'https://%31%32%37.0.0.1/',
  'https://127。0。0。1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:0:127.0.0.1]/',
  // private and shared ranges
  'https://10.0.0.1/',
  'https://10.255.255.255/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.0.1/',
  'https://0xc0a80001/',
  'https://100.64.0.1/',
  'https://100.127.255.255/',
  'https://100.100.100.200/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fec0::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:192.168.1.1]/',
  // link-local and cloud control services
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.170.2/',
  'https://2852039166/',
  'https://0xA9FEA9FE/',
  'https://0251.0376.0251.0376/',
  'https://[fe80::1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://192.0.0.192/',
  'https://168.63.129.16/',
  // NAT64, 6to4, Teredo and other tunnels into IPv4
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[64:ff9b:1::10.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://[2002:a9fe:a9fe::1]/',
  'https://[2001::1]/',
  // multicast, broadcast, reserved, documentation, benchmarking
  'https://224.0.0.1/',
  'https://239.255.255.255/',
  'https://255.255.255.255/',
  'https://240.0.0.1/',
  'https://192.0.2.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://198.18.0.1/',
  'https://192.88.99.1/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[100::1]/',
  'https://[5f00::1]/',
  'https://[4000::1]/',
  // names
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://app.localhost/',
  'https://intranet/',
  'https://redis/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://db.internal/',
  'https://db.internal./',
  'https://router.lan/',
  'https://nas.home.arpa/',
  'https://1.0.0.127.in-addr.arpa/',
  'https://x.onion/',
  'https://host.localdomain/',
  `https://${'a'.repeat(64)}.example/`,
  'https://a..example/',
  // ports
  'https://receiver.example:0/',
  'https://receiver.example:22/',
  'https://receiver.example:25/',
  'https://receiver.example:80/',
  'https://receiver.example:6000/',
  'https://receiver.example:6667/',
  'https://receiver.example:99999/',
];

const allowed = [
  'https://receiver.example/',
  'https://receiver.example',
  'https://receiver.example:443/hook',
  'https://receiver.example:8443/hook?a=b',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://[64:ff9b::8.8.8.8]/',
  'https://xn--bcher-kva.example/',
  'https://bücher.example/',
  'https://hooks_1.receiver.example/',
  'https://localhost.example.com/',
  'https://127.0.0.1.example.com/',
  'https://internal.example.com/',
];

test('rejects addresses in private networks, whatever their notation', () => {
  for (const address of refused) {
    assert.equal(checkDestination(address, production).ok, false, `${address} must be rejected`);
  }
});

test('public addresses over HTTPS are allowed', () => {
  for (const address of allowed) {
    assert.deepEqual([address, checkDestination(address, production).ok], [address, true]);
  }
});

test('a rejection explains the problem without repeating credentials', () => {
  const destination = checkDestination('https://user:hunter2@receiver.example/', production);
  assert.ok(!destination.ok && !destination.reason.includes('hunter2'));
});

test('development opens loopback over http and https, and nothing else', () => {
  const loopback =
    /^https:\/\/(127\.(?!0\.0\.1\.in)|localhost|LOCALHOST|app\.localhost|2130706433|0x7f|0177|01770|①|%31|127。|\[::1\]|\[0:0|\[::ffff:127|\[::ffff:7f|\[64:ff9b::127)/;
  for (const address of refused.filter((address) => !loopback.test(address))) {
    assert.equal(checkDestination(address, development).ok, false, `${address} must be rejected`);
  }
  for (const address of [
    'http://127.0.0.1:8080/',
    'http://localhost:3000/hook',
    'https://localhost:3000/',
    'http://[::1]:8080/',
    'http://127.1:9000/',
  ]) {
    assert.equal(checkDestination(address, development).ok, true, address);
  }
});

test('an address is normalised: no fragment, no default port', () => {
  const destination = checkDestination('https://Receiver.EXAMPLE:443/hook?q=1#part', production);
  assert.equal(destination.ok && destination.url.href, 'https://receiver.example/hook?q=1');
});

test('rejects addresses with a zone and texts that are not addresses when connecting', () => {
  for (const address of ['fe80::1%eth0', 'unknown', '', '::ffff:10.0.0.1', '64:ff9b::10.0.0.1']) {
    assert.notEqual(addressProblem(address, development), null, address);
  }
  assert.equal(addressProblem('93.184.215.14', production), null);
});

test('a policy that allows private networks allows their addresses and names, also over http', () => {
  const inside = { allowLoopback: true, allowPrivate: true };
  for (const url of [
    'http://collector:4318/v1/metrics',
    'http://10.0.0.5:8080/',
    'https://hooks.corp.internal/x',
    'http://[fd00::1]:8080/',
    'http://localhost:8080/',
  ]) {
    assert.equal(checkDestination(url, inside).ok, true, url);
  }
  for (const url of [
    'http://receiver.example/',
    'http://93.184.216.34/',
    'http://169.254.169.254/',
    'https://fd00.example:22/',
  ]) {
    assert.equal(checkDestination(url, inside).ok, false, url);
  }
});
