import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as ask, createServer, type IncomingMessage, type RequestOptions } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { CounterStore } from '@millrace/counters';
import { startTestGateway, type TestGateway, testContent } from '../testing.ts';

/** Counts when it pleases: bodies wait for it, and more of them comes meanwhile. */
const slowCounters: CounterStore = {
  quota: (key) => ({
    key,
    async count() {
      await wait(Math.random() * 20);
      return { admitted: true, remaining: 1, retryAfterMs: 0 };
    },
  }),
  rate: () => assert.fail('not part of this test'),
  overAdmissionBound: () => 0,
};

const quota = { limit: 1_000_000, window: { unit: 'day' } };
const sizes = [0, 10, 1_000, 15_900, 16_384, 17_000, 60_000, 65_536, 300_000];

/** Bytes that nobody else has. */
function bytesOf(name: string, size: number): string {
  return `${name}.`.repeat(Math.ceil(size / (name.length + 1))).slice(0, size);
}

describe('memory shared by all connections', () => {
  // Answers with the body of the request and as many bytes of its own; slow to read, so that much waits to be sent.
  const target = createServer(async (incoming, response) => {
    const [, name, size] = /^\/(\w+)\/(\d+)/.exec(incoming.url!)!;
    await wait(Number(size) % 7);
    const body = await textOf(incoming);
    const answer = `${body}|${bytesOf(name!, Number(size))}`;
    if (name!.endsWith('c')) response.write(answer.slice(0, 5));
    else response.setHeader('Content-Length', answer.length);
    response.end(name!.endsWith('c') ? answer.slice(5) : answer);
  });
  target.on('upgrade', (incoming: IncomingMessage, socket: Socket) => {
    const [, name, size] = /^\/(\w+)\/(\d+)/.exec(incoming.url!)!;
    socket.on('error', () => {});
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${bytesOf(name!, Number(size))}`,
    );
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 60 });
  let gateway: TestGateway;

  before(async () => {
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    gateway = await startTestGateway({
      deployments: [
        { content: testContent('echo', { basePath: '/echo' }) },
        { content: testContent('late', { basePath: '/late', policies: [{ kind: 'quota', configuration: quota }] }) },
      ],
      counters: slowCounters,
      targets: { backend: `http://127.0.0.1:${(target.address() as AddressInfo).port}` },
    });
  });
  after(async () => {
    agent.destroy();
    await gateway.stop();
    target.close();
    target.closeAllConnections();
  });

  async function textOf(incoming: IncomingMessage): Promise<string> {
    let text = '';
    for await (const chunk of incoming.setEncoding('latin1')) text += chunk;
    return text;
  }

  function options(path: string, method: string, basePath = '/echo'): RequestOptions {
    return { host: '127.0.0.1', port: gateway.port, path: basePath + path, method, agent };
  }

  async function call(basePath: string, name: string, method: string, sent: number, received: number): Promise<void> {
    const body = method === 'GET' ? '' : bytesOf(`${name}s`, sent);
    const request = ask(options(`/${name}/${received}`, method, basePath));
    if (sent > 0 && received % 7 === 0) {
      request.write(body.slice(0, 7));
      await wait(3);
      request.end(body.slice(7));
    } else {
      request.end(body);
    }
    const [incoming] = (await once(request, 'response')) as [IncomingMessage];
    // A caller that is slow to read as well.
    await wait(sent % 5);
    const answer = await textOf(incoming);
    assert(answer === `${body}|${bytesOf(name, received)}`, `${method} ${name}: ${sent} and ${received} bytes`);
  }

  async function upgrade(name: string, size: number): Promise<void> {
    const request = ask({
      ...options(`/${name}/${size}`, 'GET'),
      agent: false,
      headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
    });
    request.end();
    const [, socket, head] = (await once(request, 'upgrade')) as [IncomingMessage, Socket, Buffer];
    let text = head.toString('latin1');
    await wait(size % 5);
    for await (const chunk of socket.setEncoding('latin1')) text += chunk;
    assert(text === bytesOf(name, size), `${name}: ${size} bytes of a tunnel`);
  }

  /**
   * Asks for many answers at once, and reads none before more wait than the system takes. For multiples of 7 the target
   * does not wait.
   */
  async function callInRow(name: string, size: number): Promise<void> {
    const socket = connect({ host: '127.0.0.1', port: gateway.port });
    const count = Math.ceil(12_000_000 / size);
    const requests = Array.from({ length: count }, (_, index) => {
      const end = index === count - 1 ? 'Connection: close\r\n' : '';
      return `GET /echo/${name}x${index}/${size} HTTP/1.1\r\nHost: a\r\n${end}\r\n`;
    });
    socket.write(requests.join(''));
    await wait(1_000);
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) text += chunk;
    let at = 0;
    for (let index = 0; index < count; index++) {
      at = text.indexOf('\r\n\r\n', at) + 4;
      const answer = `|${bytesOf(`${name}x${index}`, size)}`;
      assert(text.startsWith(answer, at), `answer ${index} of ${size} bytes`);
      at += answer.length;
    }
    assert.equal(at, text.length);
  }

  test('keeps responses for callers who don’t read while others are served', async () => {
    await Promise.all([14_000, 42_000, 60_200, 14_000].map((size, index) => callInRow(`r${index}`, size)));
  });

  test('keeps each connection’s bytes apart, however many and slow they are', async () => {
    const calls: Promise<void>[] = [];
    let number = 0;
    for (const method of ['POST', 'PUT', 'GET']) {
      for (const sent of sizes) {
        for (const received of sizes) {
          number++;
          const basePath = number % 2 === 0 ? '/late' : '/echo';
          calls.push(call(basePath, `n${number}${number % 3 === 0 ? 'c' : ''}`, method, sent, received));
          if (number % 5 === 0) calls.push(upgrade(`u${number}`, received));
        }
      }
    }
    await Promise.all(calls);
    assert.equal(number, 243);
  });
});
