import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { describe, it } from 'node:test';
import { AddressRanges, parseAddress } from '../address.ts';
import { exchangeOf, policyOf } from '../testing.ts';
import { compileIpAllowList } from './run.ts';

function admits(configuration: { allow: string[]; deny?: string[]; clientAddress?: string }, address: string): boolean {
  const { onHead } = compileIpAllowList(policyOf(configuration));
  return onHead!(exchangeOf({}, { connectionAddress: address })) === null;
}

describe('IP allow list', () => {
  it('admits networks of both families, and never denied ones', () => {
    const configuration = {
      allow: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7'],
      deny: ['10.66.0.0/16', '2001:db8:6::1'],
    };
    for (const address of [
      '10.0.0.0',
      '10.255.255.255',
      '10.65.255.255',
      '192.0.2.7',
      '2001:db8::1',
      '2001:DB8:0:6::1',
    ]) {
      assert.ok(admits(configuration, address), address);
    }
    for (const address of [
      '9.255.255.255',
      '11.0.0.0',
      '10.66.0.0',
      '10.66.255.255',
      '192.0.2.8',
      '2001:db9::',
      '2001:db8:6::1',
    ]) {
      assert.ok(!admits(configuration, address), address);
    }
  });

  it('treats an IPv4-mapped IPv6 address as IPv4', () => {
    assert.ok(admits({ allow: ['10.0.0.0/8'] }, '::ffff:10.1.2.3'));
    assert.ok(admits({ allow: ['10.0.0.0/8'] }, '::FFFF:0a01:0203'));
    assert.ok(admits({ allow: ['10.0.0.0/8'] }, '0:0:0:0:0:ffff:10.1.2.3'));
    assert.ok(!admits({ allow: ['0.0.0.0/0'], deny: ['10.0.0.0/8'] }, '::ffff:10.1.2.3'));
    assert.ok(!admits({ allow: ['::/0'] }, '::ffff:10.1.2.3'), 'every IPv6 network holds no IPv4 address');
    assert.ok(!admits({ allow: ['10.0.0.0/8'] }, '::10.1.2.3'), 'the deprecated compatible form is IPv6');
    assert.ok(admits({ allow: ['::ffff:10.0.0.0/104'] }, '10.1.2.3'));
  });

  it('rejects an unparsable or ambiguous address', () => {
    for (const address of [
      '',
      'localhost',
      '10.1.2',
      '10.1.2.3.4',
      '010.1.2.3',
      '10.1.2.0x3',
      '10.1.2.256',
      ' 10.1.2.3',
      '10.1.2.3, 10.1.2.3',
      '10..1.2',
      '1::2::3',
      ':::',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '12345::',
      '::ffff:10.1.2',
      '::g',
      `${'1:'.repeat(5000)}1`,
    ]) {
      assert.ok(!admits({ allow: ['0.0.0.0/0', '::/0'] }, address), address);
    }
    assert.ok(admits({ allow: ['fe80::/10'] }, 'fe80::1%eth0'), 'the zone is no part of the address');
  });

  it('takes the address from the configured source', () => {
    const exchange = exchangeOf({}, { connectionAddress: '10.0.0.1', forwardedAddress: '192.0.2.1' });
    const decide = (clientAddress: string) =>
      compileIpAllowList(policyOf({ allow: ['10.0.0.0/8'], clientAddress })).onHead!(exchange);
    assert.equal(decide('connection'), null);
    assert.deepEqual(decide('forwarded'), { kind: 'refusal', error: 'address_refused' });
  });

  it('agrees with node:net on random ranges and addresses', () => {
    let seed = 42;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const ipv4 = () => `${10 + random(2)}.${random(4)}.${random(256)}.${random(256)}`;
    const ipv6 = () => `2001:db8:${random(4)}:${random(65_536).toString(16)}::${random(65_536).toString(16)}`;
    for (let round = 0; round < 20; round++) {
      const list = new BlockList();
      const texts: string[] = [];
      for (let index = 0; index < 50; index++) {
        const family = random(2) === 0 ? 'ipv4' : 'ipv6';
        const base = family === 'ipv4' ? ipv4() : ipv6();
        const prefix = family === 'ipv4' ? 14 + random(19) : 40 + random(89);
        list.addSubnet(base, prefix, family);
        texts.push(`${base}/${prefix}`);
      }
      const ranges = new AddressRanges(texts);
      for (let index = 0; index < 200; index++) {
        const family = random(2) === 0 ? 'ipv4' : 'ipv6';
        const address = family === 'ipv4' ? ipv4() : ipv6();
        assert.equal(ranges.has(parseAddress(address)!), list.check(address, family), `${address} in ${texts}`);
      }
    }
  });

  it('rejects an invalid range when it is loaded', () => {
    assert.throws(() => new AddressRanges(['10.0.0.0/33']), /neither an address nor a range/);
    assert.throws(() => new AddressRanges(['::ffff:10.0.0.0/8']), /neither an address nor a range/);
    assert.throws(() => compileIpAllowList(policyOf({ allow: ['everyone'] })));
  });
});
