import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { HpackDecoder } from './hpack.ts';
import { RawPeer, request } from './testing.ts';

/** Decodes blocks one after another, as one connection does. */
function decoded(blocks: readonly string[], maxBytes = 16_384) {
  const decoder = new HpackDecoder();
  return blocks.map((block) => {
    const bytes = Buffer.alloc(20_000);
    const fields: string[] = [];
    const sink = {
      bytes,
      field(nameStart: number, nameEnd: number, start: number, end: number) {
        fields.push(`${bytes.toString('latin1', nameStart, nameEnd)}: ${bytes.toString('latin1', start, end)}`);
      },
    };
    const from = Buffer.from(block.replaceAll(' ', ''), 'hex');
    const end = decoder.decode(from, 0, from.length, sink, 0, maxBytes);
    return end === -2 ? 'bomb' : end < 0 ? 'invalid' : decoder.isTooLong ? 'too long' : fields;
  });
}

const get = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'];
const getSecure = [':method: GET', ':scheme: https', ':path: /index.html', ':authority: www.example.com'];

test('decodes the requests of RFC 7541, with and without Huffman codes', () => {
  const expected = [get, [...get, 'cache-control: no-cache'], [...getSecure, 'custom-key: custom-value']];
  assert.deepEqual(
    decoded([
      '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '8286 84be 5808 6e6f 2d63 6163 6865',
      '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
    ]),
    expected,
  );
  assert.deepEqual(
    decoded([
      '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
      '8286 84be 5886 a8eb 1064 9cbf',
      '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
    ]),
    expected,
  );
});

test('decodes the responses of RFC 7541, whose table has room for few of the fields', () => {
  const blocks = decoded([
    `3fe1 01${'4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3'}`,
    '4883 640e ffc1 c0bf',
    '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07',
  ]);
  const date = 'date: Mon, 21 Oct 2013 20:13:21 GMT';
  const rest = ['cache-control: private', date, 'location: https://www.example.com'];
  assert.deepEqual(blocks.slice(0, 2), [
    [':status: 302', ...rest],
    [':status: 307', ...rest],
  ]);
  assert.equal(blocks[2]!.at(-1), 'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1');
});

test('rejects blocks that are invalid', () => {
  for (const [reason, block] of [
    ['index 0', '80'],
    ['an index beyond the table', 'be'],
    ['an index of a name beyond the table', '7f 00 01 61'],
    ['an integer of too many bytes', 'ff ff ff ff ff ff ff 01'],
    ['an integer that ends early', 'ff'],
    ['a text that ends early', '40 0a 63 75'],
    ['a missing value', '40 01 61'],
    ['the code of the end of the text', '40 84 ff ff ff ff 01 61'],
    ['padding of eight bits', '40 82 1f ff 01 61'],
    ['padding with zeros', '40 81 18 01 61'],
    ['a table larger than agreed', '3f e2 1f'],
    ['a new table size behind a field', '82 20'],
  ] as const) {
    assert.deepEqual(decoded([block]), ['invalid'], reason);
  }
});

test('keeps the table of a head that is too long', () => {
  const value = '61'.repeat(100);
  const [first, second] = decoded([`40 01 78 64 ${value} 40 01 79 64 ${value}`, 'be bf'], 150);
  assert.equal(first, 'too long');
  assert.equal(second, 'too long');
  const [, third] = decoded([`40 01 78 64 ${value} 40 01 79 64 ${value}`, 'be'], 150);
  assert.deepEqual(third, [`y: ${'a'.repeat(100)}`]);
});

test('a bomb of indexed fields is rejected in a moment', () => {
  const large = `40 01 78 7f 81 1e ${'61'.repeat(4_000)}`;
  const bomb = 'be'.repeat(16_000);
  const before = process.cpuUsage();
  const rounds = 50;
  for (let round = 0; round < rounds; round++) assert.deepEqual(decoded([large, bomb])[1], 'bomb');
  // Of the processor, whatever else it does: written out, the 64 MB of a bomb take longer.
  const { user, system } = process.cpuUsage(before);
  const eachMs = (user + system) / 1_000 / rounds;
  assert.ok(eachMs < 10, `${eachMs} ms`);
});

test('decodes what nghttp2 encodes, for every byte that a value may have', async () => {
  const server = createServer();
  const value = Array.from({ length: 256 }, (_, byte) => byte)
    .filter((byte) => byte >= 0x21 && byte !== 0x7f)
    .map((byte) => String.fromCharCode(byte))
    .join('');
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'x-all': value, 'x-rare': 'aeiost0123'.repeat(30) }, { endStream: true });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const peer = await RawPeer.open((server.address() as AddressInfo).port);
  for (const id of [1, 3, 5]) {
    peer.send(request(id, '/'));
    const head = await peer.frame((got) => got.type === 1 && got.id === id);
    assert.deepEqual(head?.fields.slice(0, 2), [':status', '200']);
    assert.equal(head?.fields[head.fields.indexOf('x-all') + 1], value);
    assert.equal(head?.fields[head.fields.indexOf('x-rare') + 1], 'aeiost0123'.repeat(30));
  }
  peer.socket.destroy();
  server.close();
});
