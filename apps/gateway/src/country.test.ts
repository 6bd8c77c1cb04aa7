import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '@millrace/eventually';
import { type CountryRequest, openCountries } from './country.ts';

describe('the country of a caller', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-country-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'country.mmdb');
  const requestOf = (address: string, header: string | null = null, isTrusted = true): CountryRequest => ({
    forwardedAddress: address,
    connection: { isTrusted },
    request: { headers: { get: (name) => (name === 'cf-ipcountry' ? header : null) } },
  });
  /** Written as a whole, as those who bring new ones do. */
  const replace = (bytes: Buffer) => {
    writeFileSync(`${path}.new`, bytes);
    renameSync(`${path}.new`, path);
  };

  test('is what a trusted proxy reports, if it is a country code', async () => {
    const countries = await openCountries({ header: 'cf-ipcountry', file: null });
    assert.equal(countries.of(requestOf('203.0.113.7', 'de')), 'DE');
    assert.equal(countries.of(requestOf('203.0.113.7', 'DE', false)), 'ZZ');
    for (const wrong of [null, '', 'XX', 'T1', 'DEU', 'D', 'É ', '<b', 'DE, FR']) {
      assert.equal(countries.of(requestOf('203.0.113.7', wrong)), 'ZZ', String(wrong));
    }
    countries.stop();
  });

  test('is looked up by address in the file, which may change', async () => {
    replace(mmdbOf({ '203.0.113.0/24': 'DE', '198.51.100.0/25': 'FR', '10.0.0.0/8': 'toolong' }));
    const errors: unknown[] = [];
    const countries = await openCountries({
      header: 'cf-ipcountry',
      file: path,
      checkMs: 5,
      onError: (error) => errors.push(error),
    });
    const of = (address: string, header: string | null = null) => countries.of(requestOf(address, header));
    for (let round = 0; round < 2; round += 1) {
      assert.equal(of('203.0.113.7'), 'DE');
      assert.equal(of('198.51.100.1'), 'FR');
      assert.equal(of('198.51.100.200'), 'ZZ');
      assert.equal(of('10.1.2.3'), 'ZZ');
      assert.equal(of('not an address'), 'ZZ');
      assert.equal(of('2001:db8::1'), 'ZZ');
      assert.equal(of('203.0.113.7', 'CH'), 'CH');
    }
    for (let index = 0; index < 30_000; index += 1) of(`203.0.${index >> 8}.${index & 255}`);
    assert.equal(of('203.0.113.7'), 'DE');
    replace(mmdbOf({ '203.0.113.0/24': 'AT' }));
    await eventually('the changed file to count', () => of('203.0.113.7') === 'AT');
    replace(Buffer.from('not a database'));
    await eventually('the error', () => errors.length > 0);
    assert.equal(of('203.0.113.7'), 'AT');
    rmSync(path);
    await setTimeout(20);
    assert.equal(of('203.0.113.7'), 'AT');
    countries.stop();
  });
});

/**
 * A database of countries of IPv4 networks (https://maxmind.github.io/MaxMind-DB/): a tree of records of 32 bits, 16 zero
 * bytes, data, and metadata behind its mark.
 */
function mmdbOf(countries: Readonly<Record<string, string>>): Buffer {
  const nodes: [number | Buffer | null, number | Buffer | null][] = [[null, null]];
  for (const [network, country] of Object.entries(countries)) {
    const [address = '', prefix] = network.split('/');
    const bits = address
      .split('.')
      .map((byte) => Number(byte).toString(2).padStart(8, '0'))
      .join('')
      .slice(0, Number(prefix));
    let node = 0;
    for (const [index, bit] of [...bits].entries()) {
      const side = bit === '1' ? 1 : 0;
      if (index === bits.length - 1) {
        nodes[node]![side] = encode({ country: { iso_code: country } });
      } else {
        if (typeof nodes[node]![side] !== 'number') nodes[node]![side] = nodes.push([null, null]) - 1;
        node = Number(nodes[node]![side]);
      }
    }
  }
  const data: Buffer[] = [];
  let dataBytes = 0;
  const tree = Buffer.alloc(nodes.length * 8);
  for (const [index, sides] of nodes.entries()) {
    for (const [side, value] of sides.entries()) {
      let record = nodes.length;
      if (typeof value === 'number') record = value;
      else if (value !== null) {
        record = nodes.length + 16 + dataBytes;
        data.push(value);
        dataBytes += value.length;
      }
      tree.writeUInt32BE(record, index * 8 + side * 4);
    }
  }
  const metadata = encode({
    node_count: nodes.length,
    record_size: 32,
    ip_version: 4,
    database_type: 'Test',
    languages: [],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
    description: {},
  });
  return Buffer.concat([tree, Buffer.alloc(16), ...data, Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), metadata]);
}

type Value = string | number | readonly Value[] | { readonly [name: string]: Value };

/** Fields: the type in the upper three bits of the first byte, the size in the lower five; arrays have an extended type. */
function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(5);
    bytes.writeUInt8((6 << 5) | 4);
    bytes.writeUInt32BE(value, 1);
    return bytes;
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 11 - 7]), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([Buffer.from([(7 << 5) | entries.length]), ...entries.flatMap((entry) => entry.map(encode))]);
}
