import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { startTestGateway, type TestGateway, testContent } from '../testing.ts';

const folder = new URL('ambiguous/', import.meta.url);

describe('an ambiguous request', () => {
  let target: Server;
  let gateway: TestGateway;
  const whole: string[] = [];

  before(async () => {
    target = createServer((request, response) => {
      request.on('end', () => {
        whole.push(`${request.method} ${request.url}`);
        response.end('passed');
      });
      request.resume();
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    gateway = await startTestGateway({
      deployments: [{ content: testContent('echo', { basePath: '/echo' }) }],
      targets: { backend: `http://127.0.0.1:${(target.address() as AddressInfo).port}` },
    });
  });
  after(async () => {
    await gateway.stop();
    target.close();
    target.closeAllConnections();
  });

  for (const file of readdirSync(folder).sort()) {
    const request = unescaped(readFileSync(new URL(file, folder), 'latin1'));
    const name = file.replace('.txt', '').replaceAll('-', ' ');
    for (const pieces of ['in one piece', 'byte by byte']) {
      test(`is rejected: ${name}, ${pieces}`, async () => {
        whole.length = 0;
        const answer = await send(gateway.port, request, pieces === 'in one piece' ? request.length : 1);
        assert.match(answer, /^HTTP\/1\.1 4\d\d /);
        assert.match(answer, /"status":false/);
        assert.deepEqual(whole, []);
        // One answer: nothing behind it was taken for another request.
        assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1);
      });
    }
  }

  test('is distinguished from a valid one', async () => {
    whole.length = 0;
    const answer = await send(
      gateway.port,
      'GET /echo/a%7eb HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n',
      7,
    );
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.deepEqual(whole, ['GET /a~b']);
  });
});

/** `\r`, `\n`, `\t`, `\\` and `\xHH` stand for bytes; line breaks of the file for nothing. */
function unescaped(text: string): string {
  return text
    .replaceAll('\n', '')
    .replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, code: string | undefined, letter: string) =>
      code === undefined
        ? ({ r: '\r', n: '\n', t: '\t', '\\': '\\' }[letter] ?? '')
        : String.fromCharCode(parseInt(code, 16)),
    );
}

/** All that is answered, until the connection is closed, or nothing has come for a while behind an answer. */
function send(port: number, text: string, pieceBytes: number): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    socket.setTimeout(60, () => {
      if (answer !== '') socket.destroy();
    });
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    const write = (at: number) => {
      if (at >= text.length || socket.destroyed || answer !== '') return;
      socket.write(text.slice(at, at + pieceBytes), 'latin1');
      setImmediate(() => write(at + pieceBytes));
    };
    socket.on('connect', () => write(0));
  });
}
