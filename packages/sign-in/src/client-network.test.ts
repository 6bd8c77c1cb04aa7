import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetwork } from './client-network.ts';

test('a client counts by its IPv4 address, or by the /64 network of its IPv6 address', () => {
  assert.equal(clientNetwork('192.0.2.7'), '192.0.2.7');
  assert.equal(clientNetwork('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(clientNetwork('::FFFF:c000:207'), '192.0.2.7');
  assert.equal(clientNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2');
  assert.equal(clientNetwork('2001:DB8:1:2::'), clientNetwork('2001:db8:1:2:ffff::1'));
  assert.equal(clientNetwork('fe80::1%eth0'), clientNetwork('fe80::2'));
  assert.notEqual(clientNetwork('2001:db8:1:2::1'), clientNetwork('2001:db8:1:3::1'));
});

test('a text that is no address counts as itself', () => {
  assert.equal(clientNetwork('unknown'), 'unknown');
  assert.equal(clientNetwork(''), '');
});
