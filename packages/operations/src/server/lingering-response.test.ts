import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { LingeringResponse } from './lingering-response.ts';
import { sendThenRead } from './testing.ts';

describe('a response sent before the request is complete', () => {
  let server: Server;
  let address: string;
  before(async () => {
    server = createServer({ ServerResponse: LingeringResponse }, (_request, response) => {
      response.writeHead(403, { 'content-length': 2 }).end('no');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  test('reaches who sends everything first, and the connection serves the next request', async () => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (text) => {
      received += text;
    });
    for (const _ of [1, 2]) {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab');
      while (!received.endsWith('no')) await once(socket, 'data');
      received = received.slice(0, -2);
      socket.write('cde');
    }
    socket.destroy();
    assert.equal(received.match(/HTTP\/1\.1 403/g)?.length, 2);
  });

  test('is sent immediately, and a caller that stops sending is disconnected', async () => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1').setEncoding('latin1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nab');
    const [text] = await once(socket, 'data');
    assert.match(text, /^HTTP\/1\.1 403.*no$/s);
    await once(socket, 'close');
  });

  test('is followed by no more than a bounded rest', async () => {
    const endless = sendThenRead(address, { path: '/', headers: {}, bodyBytes: 1024 ** 4 });
    await assert.rejects(endless, { syscall: 'write' });
  });
});
