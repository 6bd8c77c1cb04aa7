/**
 * The cases of h2spec (https://github.com/summerwind/h2spec), by the sections of RFC 9113 and 7541 that they are about, and
 * others beside them. `connection` and `stream` are kinds of errors, with their codes.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode, flag, frameType, initialWindowBytes, maxFrameBytes, preface, setting } from '../http2/frames.ts';
import { block, frame, number, RawPeer, request, requestFields, settings } from '../http2/testing.ts';
import { startTestGateway, type TestGateway, testContent } from '../testing.ts';

let gateway: TestGateway;
const target = createServer((asked, response) => {
  if (asked.url === '/slow') return;
  asked.resume();
  asked.on('end', () => response.end('0123456789'));
});

before(async () => {
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  gateway = await startTestGateway({
    deployments: [{ content: testContent('echo', { basePath: '/echo' }) }],
    targets: { backend: `http://127.0.0.1:${(target.address() as AddressInfo).port}` },
    gateway: { acceptsPriorKnowledge: true },
  });
});

after(async () => {
  await gateway.stop();
  target.close();
  target.closeAllConnections();
});

const { data, headers, priority, resetStream, goAway, windowUpdate, ping, pushPromise, continuation } = frameType;
const whole = flag.endHeaders | flag.endStream;
const open = request(1, '/echo/slow', { method: 'POST', ends: false });
const halfClosed = request(1, '/echo/slow');

/** A request with other fields than usual. */
function asking(fields: readonly (readonly [string, string])[], flags: number = whole, id = 1): Buffer {
  return frame(headers, flags, id, block(fields));
}

function withField(name: string, value: string): Buffer {
  return asking([...requestFields('/echo/a'), [name, value]]);
}

function without(name: string): Buffer {
  return asking(requestFields('/echo/a').filter(([each]) => each !== name));
}

/** The cases that reject what was sent, by what they send. */
const rejected: readonly (readonly [section: string, what: string, frames: readonly Buffer[], expected: string])[] = [
  ['4.2', 'a DATA frame above the limit', [open, frame(data, 0, 1, Buffer.alloc(maxFrameBytes + 1))], 'connection 6'],
  [
    '4.2',
    'a HEADERS frame above the limit',
    [frame(headers, whole, 1, Buffer.alloc(maxFrameBytes + 1))],
    'connection 6',
  ],
  ['4.3', 'a block that can’t be decoded', [frame(headers, whole, 1, [0x80])], 'connection 9'],
  [
    '4.3',
    'a PRIORITY frame within a head',
    [frame(headers, 0, 1, block(requestFields('/'))), frame(priority, 0, 1, '\0\0\0\0\0')],
    'connection 1',
  ],
  [
    '4.3',
    'another stream’s HEADERS within a head',
    [frame(headers, 0, 1, block(requestFields('/'))), request(3, '/')],
    'connection 1',
  ],
  ['5.1', 'DATA of an idle stream', [frame(data, 1, 1, 'a')], 'connection 1'],
  ['5.1', 'RST_STREAM of an idle stream', [frame(resetStream, 0, 1, number(8))], 'connection 1'],
  ['5.1', 'WINDOW_UPDATE of an idle stream', [frame(windowUpdate, 0, 1, number(100))], 'connection 1'],
  ['5.1', 'CONTINUATION of an idle stream', [frame(continuation, 4, 1, block(requestFields('/')))], 'connection 1'],
  ['5.1', 'DATA behind the end of the request', [halfClosed, frame(data, 1, 1, 'a')], 'stream 5'],
  ['5.1', 'HEADERS behind the end of the request', [halfClosed, request(1, '/echo/slow')], 'stream 5'],
  [
    '5.1',
    'CONTINUATION behind the end of the request',
    [halfClosed, frame(continuation, 4, 1, block([['a', 'b']]))],
    'connection 1',
  ],
  ['5.1', 'DATA behind RST_STREAM', [open, frame(resetStream, 0, 1, number(8)), frame(data, 1, 1, 'a')], 'stream 5'],
  ['5.1', 'HEADERS behind RST_STREAM', [open, frame(resetStream, 0, 1, number(8)), request(1, '/')], 'connection 5'],
  [
    '5.1',
    'CONTINUATION behind RST_STREAM',
    [open, frame(resetStream, 0, 1, number(8)), frame(continuation, 4, 1)],
    'connection 1',
  ],
  ['5.1.1', 'an even stream', [request(2, '/echo/a')], 'connection 1'],
  ['5.1.1', 'a stream below the one before', [request(5, '/echo/slow'), request(3, '/echo/slow')], 'connection 1'],
  [
    '5.3.1',
    'a request that depends on itself',
    [
      frame(
        headers,
        whole | flag.priority,
        1,
        Buffer.concat([number(1), Buffer.from([255]), block(requestFields('/'))]),
      ),
    ],
    'connection 1',
  ],
  [
    '5.3.1',
    'a PRIORITY frame that depends on itself',
    [frame(priority, 0, 1, Buffer.concat([number(1), Buffer.from([255])]))],
    'connection 1',
  ],
  [
    '5.5',
    'an unknown frame within a head',
    [frame(headers, 1, 1, block(requestFields('/'))), frame(0x16, 0, 0, 'a')],
    'connection 1',
  ],
  ['6.1', 'DATA of stream 0', [frame(data, 0, 0, 'a')], 'connection 1'],
  ['6.1', 'padding that is longer than its DATA', [open, frame(data, flag.padded, 1, [6, 1, 2, 3])], 'connection 1'],
  [
    '6.2',
    'a HEADERS frame without END_HEADERS before DATA',
    [frame(headers, 0, 1, block(requestFields('/'))), frame(data, 1, 1, 'a')],
    'connection 1',
  ],
  ['6.2', 'HEADERS of stream 0', [frame(headers, whole, 0, block(requestFields('/')))], 'connection 1'],
  [
    '6.2',
    'padding that is longer than its HEADERS',
    [frame(headers, whole | flag.padded, 1, [8, 1, 2])],
    'connection 1',
  ],
  ['6.3', 'PRIORITY of stream 0', [frame(priority, 0, 0, '\0\0\0\0\0')], 'connection 1'],
  ['6.3', 'PRIORITY with another length', [frame(priority, 0, 1, '\0\0\0\0')], 'connection 6'],
  ['6.4', 'RST_STREAM of stream 0', [frame(resetStream, 0, 0, number(8))], 'connection 1'],
  ['6.4', 'RST_STREAM with another length', [open, frame(resetStream, 0, 1, '\0\0\0')], 'connection 6'],
  [
    '6.5',
    'an acknowledgement of settings with a payload',
    [frame(frameType.settings, flag.ack, 0, '\0')],
    'connection 6',
  ],
  ['6.5', 'SETTINGS of a stream', [frame(frameType.settings, 0, 1)], 'connection 1'],
  ['6.5', 'SETTINGS with another length', [frame(frameType.settings, 0, 0, '\0\0\0')], 'connection 6'],
  ['6.5.2', 'ENABLE_PUSH above 1', [settings([setting.enablePush, 2])], 'connection 1'],
  [
    '6.5.2',
    'INITIAL_WINDOW_SIZE above the limit',
    [settings([setting.initialWindowSize, 0x8000_0000])],
    'connection 3',
  ],
  ['6.5.2', 'MAX_FRAME_SIZE below the limit', [settings([setting.maxFrameSize, maxFrameBytes - 1])], 'connection 1'],
  ['6.5.2', 'MAX_FRAME_SIZE above the limit', [settings([setting.maxFrameSize, 0x100_0000])], 'connection 1'],
  ['6.6', 'PUSH_PROMISE of a client', [frame(pushPromise, 4, 1, '\0\0\0\x02')], 'connection 1'],
  ['6.7', 'PING of a stream', [frame(ping, 0, 1, '12345678')], 'connection 1'],
  ['6.7', 'PING with another length', [frame(ping, 0, 0, '123456')], 'connection 6'],
  ['6.8', 'GOAWAY of a stream', [frame(goAway, 0, 1, '\0\0\0\0\0\0\0\0')], 'connection 1'],
  ['6.9', 'a window of the connection that opens by 0', [frame(windowUpdate, 0, 0, number(0))], 'connection 1'],
  ['6.9', 'a window of a stream that opens by 0', [open, frame(windowUpdate, 0, 1, number(0))], 'stream 1'],
  ['6.9', 'WINDOW_UPDATE with another length', [frame(windowUpdate, 0, 0, '\0\0\0')], 'connection 6'],
  [
    '6.9.1',
    'a window of the connection above the limit',
    [frame(windowUpdate, 0, 0, number(0x7fff_ffff))],
    'connection 3',
  ],
  ['6.9.1', 'a window of a stream above the limit', [open, frame(windowUpdate, 0, 1, number(0x7fff_ffff))], 'stream 3'],
  [
    '6.9.2',
    'settings that open a window above the limit',
    [open, frame(windowUpdate, 0, 1, number(0x7fff_0000)), settings([setting.initialWindowSize, 0x7fff_ffff])],
    'connection 3',
  ],
  [
    '6.10',
    'CONTINUATION of stream 0',
    [frame(headers, 0, 1, block(requestFields('/'))), frame(continuation, 4, 0)],
    'connection 1',
  ],
  ['6.10', 'CONTINUATION behind a whole head', [open, frame(continuation, 4, 1, block([['a', 'b']]))], 'connection 1'],
  ['6.10', 'CONTINUATION behind DATA', [open, frame(data, 0, 1, 'a'), frame(continuation, 4, 1)], 'connection 1'],
  [
    '8.1',
    'a second HEADERS frame that doesn’t end the request',
    [open, frame(headers, flag.endHeaders, 1, block([['a', 'b']]))],
    'stream 1',
  ],
  ['8.2.1', 'a name in upper case', [withField('X-Test', 'a')], 'stream 1'],
  ['8.2.1', 'an empty name', [withField('', 'a')], 'stream 1'],
  ['8.2.1', 'a name with a space', [withField('x test', 'a')], 'stream 1'],
  ['8.2.1', 'a name with a colon', [withField('x:test', 'a')], 'stream 1'],
  ['8.2.1', 'a name beyond ASCII', [withField('x-té', 'a')], 'stream 1'],
  ['8.2.1', 'a value with a line feed', [withField('x-test', 'a\nb: c')], 'stream 1'],
  ['8.2.1', 'a value with a carriage return', [withField('x-test', 'a\rb')], 'stream 1'],
  ['8.2.1', 'a value with NUL', [withField('x-test', 'a\0')], 'stream 1'],
  ['8.2.1', 'a value that begins with a space', [withField('x-test', ' a')], 'stream 1'],
  ['8.2.1', 'a value that ends with a tab', [withField('x-test', 'a\t')], 'stream 1'],
  ['8.2.2', 'Connection', [withField('connection', 'keep-alive')], 'stream 1'],
  ['8.2.2', 'Keep-Alive', [withField('keep-alive', 'timeout=5')], 'stream 1'],
  ['8.2.2', 'Proxy-Connection', [withField('proxy-connection', 'keep-alive')], 'stream 1'],
  ['8.2.2', 'Transfer-Encoding', [withField('transfer-encoding', 'chunked')], 'stream 1'],
  ['8.2.2', 'Upgrade', [withField('upgrade', 'websocket')], 'stream 1'],
  ['8.2.2', 'TE other than trailers', [withField('te', 'trailers, deflate')], 'stream 1'],
  ['8.3', 'a pseudo-header field behind others', [asking([['a', 'b'], ...requestFields('/')])], 'stream 1'],
  [
    '8.3',
    'a pseudo-header field among trailers',
    [open, frame(headers, whole, 1, block([[':path', '/']]))],
    'stream 1',
  ],
  ['8.3', 'an unknown pseudo-header field', [asking([...requestFields('/'), [':test', 'a']])], 'stream 1'],
  ['8.3', 'a pseudo-header field of responses', [asking([...requestFields('/'), [':status', '200']])], 'stream 1'],
  ['8.3.1', 'an empty path', [asking(requestFields(''))], 'stream 1'],
  ['8.3.1', 'no method', [without(':method')], 'stream 1'],
  ['8.3.1', 'no scheme', [without(':scheme')], 'stream 1'],
  ['8.3.1', 'no path', [without(':path')], 'stream 1'],
  ['8.3.1', 'two methods', [asking([...requestFields('/'), [':method', 'GET']])], 'stream 1'],
  ['8.3.1', 'two schemes', [asking([...requestFields('/'), [':scheme', 'http']])], 'stream 1'],
  ['8.3.1', 'two paths', [asking([...requestFields('/'), [':path', '/']])], 'stream 1'],
  ['8.3.1', 'two authorities', [asking([...requestFields('/'), [':authority', 'a']])], 'stream 1'],
  [
    '8.1.1',
    'a length that is longer than the body',
    [asking([...requestFields('/echo/a', 'POST'), ['content-length', '2']], flag.endHeaders), frame(data, 1, 1, 'a')],
    'stream 1',
  ],
  [
    '8.1.1',
    'a length that is shorter than the body',
    [
      asking([...requestFields('/echo/a', 'POST'), ['content-length', '1']], flag.endHeaders),
      frame(data, 0, 1, 'a'),
      frame(data, 1, 1, 'b'),
    ],
    'stream 1',
  ],
  [
    '8.1.1',
    'a length without a body',
    [asking([...requestFields('/echo/a', 'POST'), ['content-length', '1']])],
    'stream 1',
  ],
  [
    '8.1.1',
    'two lengths',
    [asking([...requestFields('/echo/a'), ['content-length', '0'], ['content-length', '0']])],
    'stream 1',
  ],
  ['8.1.1', 'a length that is no number', [withField('content-length', '+0')], 'stream 1'],
  ['8.5', 'CONNECT with a path', [asking(requestFields('/', 'CONNECT'))], 'stream 1'],
  [
    'RFC 8441',
    'an extended CONNECT',
    [asking([...requestFields('/', 'CONNECT'), [':protocol', 'websocket']])],
    'stream 1',
  ],
  [
    'HPACK 2.3.3',
    'an index beyond the table',
    [frame(headers, whole, 1, Buffer.concat([block(requestFields('/')), Buffer.from([0xbe])]))],
    'connection 9',
  ],
  [
    'HPACK 4.2',
    'a table size behind fields',
    [frame(headers, whole, 1, Buffer.concat([block(requestFields('/')), Buffer.from([0x20])]))],
    'connection 9',
  ],
  [
    'HPACK 5.2',
    'Huffman padding of eight bits',
    [frame(headers, whole, 1, [0x00, 0x82, 0x1f, 0xff, 0x01, 0x61])],
    'connection 9',
  ],
  [
    'HPACK 5.2',
    'Huffman padding with zeros',
    [frame(headers, whole, 1, [0x00, 0x81, 0x18, 0x01, 0x61])],
    'connection 9',
  ],
  [
    'HPACK 5.2',
    'the code of the end of a text',
    [frame(headers, whole, 1, [0x00, 0x84, 0xff, 0xff, 0xff, 0xff, 0x01, 0x61])],
    'connection 9',
  ],
  ['HPACK 6.1', 'index 0', [frame(headers, whole, 1, [0x80])], 'connection 9'],
  ['HPACK 6.3', 'a table above the limit', [frame(headers, whole, 1, [0x3f, 0xe2, 0x1f])], 'connection 9'],
];

describe('HTTP/2 of callers', () => {
  for (const [section, what, frames, expected] of rejected) {
    test(`${section} rejects ${what}`, async () => {
      const peer = await RawPeer.open(gateway.port);
      peer.send(...frames);
      assert.equal(await peer.rejection(), expected);
      peer.socket.destroy();
    });
  }

  /** Those that are accepted, by the frames before and after those of a request on stream 1. */
  const accepted: readonly (readonly [section: string, what: string, frames: readonly Buffer[]])[] = [
    ['4.1', 'a frame of an unknown type', [frame(0xff, 0, 0, 'ab'), request(1, '/echo/a')]],
    ['4.1', 'flags that are not defined', [frame(ping, 0xfe, 0, '12345678'), request(1, '/echo/a')]],
    ['4.1', 'the reserved bit of a stream', [frame(headers, whole, 0x8000_0001, block(requestFields('/echo/a')))]],
    ['5.1', 'PRIORITY of an idle stream', [frame(priority, 0, 3, '\0\0\0\0\0'), request(1, '/echo/a')]],
    [
      '5.1',
      'WINDOW_UPDATE and RST_STREAM of a closed stream',
      [
        open,
        frame(resetStream, 0, 1, number(8)),
        frame(windowUpdate, 0, 1, number(1)),
        frame(resetStream, 0, 1, number(8)),
        request(3, '/echo/a'),
      ],
    ],
    [
      '5.5',
      'an unknown frame between those of a request',
      [request(1, '/echo/a', { method: 'POST', ends: false }), frame(0x16, 0, 1, 'a'), frame(data, 1, 1, 'a')],
    ],
    [
      '6.1',
      'DATA with padding',
      [request(1, '/echo/a', { method: 'POST', ends: false }), frame(data, 1 | flag.padded, 1, [2, 65, 0, 0])],
    ],
    [
      '6.2',
      'HEADERS with padding and a priority',
      [
        frame(
          headers,
          whole | flag.padded | flag.priority,
          1,
          Buffer.concat([
            Buffer.from([3]),
            number(0),
            Buffer.from([16]),
            block(requestFields('/echo/a')),
            Buffer.alloc(3),
          ]),
        ),
      ],
    ],
    ['6.5.2', 'an unknown setting', [settings([0xff, 1]), request(1, '/echo/a')]],
    [
      '6.5.3',
      'settings with several values of one name',
      [
        settings([setting.initialWindowSize, 1], [setting.initialWindowSize, initialWindowBytes]),
        request(1, '/echo/a'),
      ],
    ],
    [
      '6.10',
      'a head in several CONTINUATION frames',
      [
        frame(headers, flag.endStream, 1, block(requestFields('/echo/a').slice(0, 2))),
        frame(continuation, 0, 1, block([requestFields('/echo/a')[2]!])),
        frame(continuation, 4, 1, block([[':authority', 'a']])),
      ],
    ],
    [
      '8.1',
      'trailers',
      [
        request(1, '/echo/a', { method: 'POST', ends: false }),
        frame(data, 0, 1, 'a'),
        frame(headers, whole, 1, block([['x-test', 'a']])),
      ],
    ],
    ['8.2.2', 'TE with trailers', [withField('te', 'trailers')]],
    ['8.3.1', 'Host instead of an authority', [asking([...requestFields('/echo/a').slice(0, 3), ['host', 'a']])]],
    ['8.3.1', 'Host that is the authority', [withField('host', 'A')]],
  ];
  for (const [section, what, frames] of accepted) {
    test(`${section} accepts ${what}`, async () => {
      const peer = await RawPeer.open(gateway.port);
      peer.send(...frames);
      assert.equal(
        await peer.status(frames.some((each) => each.readUInt32BE(5) === 3 && each[3] === headers) ? 3 : 1),
        200,
      );
      assert.deepEqual(
        peer.frames.filter(({ type }) => type === goAway),
        [],
      );
      peer.socket.destroy();
    });
  }

  test('3.4 acknowledges settings, and begins with its own', async () => {
    const peer = await RawPeer.open(gateway.port);
    const acknowledged = await peer.frame(({ type, flags }) => type === frameType.settings && flags === flag.ack);
    assert.notEqual(acknowledged, null);
    assert.equal(peer.frames[0]!.type, frameType.settings);
    peer.socket.destroy();
  });

  test('3.4 rejects a connection that begins with anything but settings', async () => {
    const peer = await RawPeer.open(gateway.port, request(1, '/echo/a'));
    assert.equal(await peer.rejection(), `connection ${errorCode.protocolError}`);
  });

  test('3.4 takes a beginning that comes byte by byte, and HTTP/1.1 on the same port', async () => {
    const peer = await RawPeer.open(gateway.port);
    peer.socket.destroy();

    const slow = new RawPeer(connect({ port: gateway.port, host: '127.0.0.1', noDelay: true }), {
      acknowledges: false,
    });
    for (const byte of Buffer.concat([preface, settings(), request(1, '/echo/a')])) {
      slow.send(Buffer.from([byte]));
      await wait(1);
    }
    assert.equal(await slow.status(1), 200);
    slow.socket.destroy();
    for (const method of ['PRI', 'PROPFIND', 'PUT', 'POST']) {
      const socket = connect({ port: gateway.port, host: '127.0.0.1', noDelay: true });
      socket.write(method.slice(0, 2));
      await wait(5);
      socket.write(`${method.slice(2)} /echo/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      let answer = '';
      for await (const piece of socket) answer += piece;
      const status = { PRI: 400, PROPFIND: 405 }[method] ?? 200;
      assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer);
    }
  });

  test('5.1.2 refuses streams beyond the limit, and serves the others', async () => {
    const peer = await RawPeer.open(gateway.port);
    const many = Array.from({ length: 129 }, (_, index) => request(2 * index + 1, '/echo/slow'));
    peer.send(...many);
    assert.equal(await peer.rejection(), `stream ${errorCode.refusedStream}`);
    assert.equal(peer.frames.find(({ type }) => type === resetStream)?.id, 257);
    peer.send(frame(resetStream, 0, 1, number(8)), request(259, '/echo/a'));
    assert.equal(await peer.status(259), 200);
    peer.socket.destroy();
  });

  test('6.7 answers PING with its bytes', async () => {
    const peer = await RawPeer.open(gateway.port);
    peer.send(frame(ping, 0, 0, '12345678'));
    const pong = await peer.frame(({ type, flags }) => type === ping && flags === flag.ack);
    assert.equal(pong?.payload.toString(), '12345678');
    peer.socket.destroy();
  });

  test('6.9 sends no more than the windows allow, whichever way they open', async () => {
    const peer = await RawPeer.open(gateway.port, settings([setting.initialWindowSize, 0]));
    peer.send(request(1, '/echo/a'));
    assert.equal(await peer.status(1), 200);
    const sent = () =>
      peer.frames.filter(({ type }) => type === data).map(({ payload, flags }) => `${payload} ${flags & 1}`);
    assert.deepEqual(sent(), []);
    peer.send(frame(windowUpdate, 0, 1, number(1)));
    await peer.frame(({ type }) => type === data);
    peer.send(settings([setting.initialWindowSize, 2]));
    await peer.frame(({ type, payload }) => type === data && payload.toString() === '12');
    // Now the window is negative.
    peer.send(settings([setting.initialWindowSize, 0]), frame(windowUpdate, 0, 1, number(2)));
    peer.send(frame(ping, 0, 0, '12345678'));
    await peer.frame(({ type, flags }) => type === ping && flags === flag.ack);
    assert.deepEqual(sent(), ['0 0', '12 0']);
    peer.send(frame(windowUpdate, 0, 1, number(100)));
    await peer.frame(({ type, flags }) => type === data && (flags & 1) === 1);
    const bytes = sent().map((text) => text.slice(0, -2));
    assert.equal(bytes.join(''), '0123456789');
    peer.socket.destroy();
  });

  test('8.3 rejects ambiguous requests like those of HTTP/1.1', async () => {
    const cases: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
      ['a path with dots', requestFields('/echo/../a')],
      ['a path with an escaped slash', requestFields('/echo/%2f')],
      ['a path with two slashes', requestFields('/echo//a')],
      ['an asterisk', requestFields('*', 'OPTIONS')],
      ['an absolute form', requestFields('http://a/echo/a')],
      ['a fragment', requestFields('/echo/a#b')],
      ['a method in lower case', requestFields('/echo/a', 'get')],
      ['another scheme', [...requestFields('/echo/a').filter(([name]) => name !== ':scheme'), [':scheme', 'ftp']]],
      ['no authority', requestFields('/echo/a').slice(0, 3)],
      ['a user in the authority', [...requestFields('/echo/a').slice(0, 3), [':authority', 'u@a']]],
      ['another Host than the authority', [...requestFields('/echo/a'), ['host', 'b']]],
      [
        'CONNECT',
        [
          [':method', 'CONNECT'],
          [':authority', 'a'],
        ],
      ],
    ];
    for (const [what, fields] of cases) {
      const peer = await RawPeer.open(gateway.port);
      const sorted = [...fields].sort(([one], [other]) => Number(other.startsWith(':')) - Number(one.startsWith(':')));
      peer.send(asking(sorted));
      assert.equal(await peer.status(1), 400, what);
      peer.socket.destroy();
    }
  });

  test('10.5.1 rejects heads that are too long with 431 or 414, and keeps the connection', async () => {
    const peer = await RawPeer.open(gateway.port);
    const long: (readonly [string, string])[] = Array.from({ length: 12 }, (_, index) => [
      `x-${index}`,
      'a'.repeat(1_500),
    ]);
    const bytes = block([...requestFields('/echo/a'), ...long]);
    peer.send(
      frame(headers, flag.endStream, 1, bytes.subarray(0, 16_000)),
      frame(continuation, 4, 1, bytes.subarray(16_000)),
    );
    assert.equal(await peer.status(1), 431);
    const many: (readonly [string, string])[] = Array.from({ length: 130 }, (_, index) => [`x-${index}`, 'a']);
    peer.send(asking([...requestFields('/echo/a'), ...many], whole, 3));
    assert.equal(await peer.status(3), 431);
    peer.send(request(5, `/echo/${'a'.repeat(9_000)}`));
    assert.equal(await peer.status(5), 414);
    peer.send(request(7, '/echo/a'));
    assert.equal(await peer.status(7), 200);
    peer.socket.destroy();
  });
});
