import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Agent, request as ask } from 'undici';
import { startTestGateway, type TestGateway, testContent } from '../testing.ts';
import { randomOf } from '../testing-random.ts';

const hopByHop = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'content-length', 'te', 'upgrade']);

/** A gateway as one would write it with node:http and undici. */
function plainGateway(target: string, agent: Agent): Server {
  return createServer(async (incoming, response) => {
    try {
      const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !hopByHop.has(name)));
      const hasBody =
        incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined;
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const answer = await ask(`${target}${incoming.url!.slice('/echo'.length)}`, {
        method: incoming.method as 'GET',
        headers,
        body: hasBody ? Buffer.concat(chunks) : null,
        dispatcher: agent,
      });
      for (const [name, value] of Object.entries(answer.headers)) {
        if (value !== undefined && (!hopByHop.has(name) || name === 'content-length')) response.setHeader(name, value);
      }
      response.writeHead(answer.statusCode);
      response.end(incoming.method === 'HEAD' ? undefined : Buffer.from(await answer.body.arrayBuffer()));
    } catch {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    }
  });
}

/** Whole numbers below another one, the same for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  const next = randomOf(seed);
  return (below) => Math.floor(next() * below);
}

describe('compared with a gateway of node:http and undici', () => {
  const agent = new Agent();
  const seen: string[] = [];
  const target = createServer(async (incoming: IncomingMessage, response) => {
    let body = '';
    try {
      for await (const chunk of incoming.setEncoding('latin1')) body += chunk;
    } catch {
      // A request that was cut was not asked.
      return;
    }
    const { method, url, headers } = incoming;
    seen.push(`${method} ${url} ${headers['x-a'] ?? ''} ${body}`);
    const [, kind, size = '0'] = /^\/(\w+)\/(\d+)/.exec(url!) ?? [];
    response.statusCode = kind === 'status' ? Number(size) : 200;
    if (kind === 'length') response.setHeader('Content-Length', Number(size));
    for (let left = Number(size); kind !== 'status' && left > 0; left -= 1_000) {
      if (method !== 'HEAD') response.write('y'.repeat(Math.min(left, 1_000)));
    }
    response.end();
  });
  let plain: Server;
  let gateway: TestGateway;

  before(async () => {
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
    plain = plainGateway(url, agent).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    gateway = await startTestGateway({
      deployments: [{ content: testContent('echo', { basePath: '/echo' }) }],
      targets: { backend: url },
    });
  });
  after(async () => {
    await gateway.stop();
    await agent.close();
    for (const server of [plain, target]) {
      server.close();
      server.closeAllConnections();
    }
  });

  /**
   * What came of a request: status and body of the answer, and what the target was asked.
   *
   * @param quietMs so long nothing has to come before a connection that is not closed counts as answered
   */
  async function outcome(port: number, pieces: readonly string[], quietMs: number) {
    seen.length = 0;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let text = '';
    socket.setEncoding('latin1').on('data', (data) => {
      text += data;
    });
    socket.on('error', () => {});
    socket.setTimeout(quietMs, () => socket.destroy());
    const closed = once(socket, 'close');
    for (const piece of pieces) {
      socket.write(piece, 'latin1');
      await new Promise(setImmediate);
    }
    await closed;
    const end = text.indexOf('\r\n\r\n');
    const head = text.slice(0, end);
    const body = text.slice(end + 4);
    return {
      status: Number(head.slice(9, 12)),
      bodyBytes: (/transfer-encoding: chunked/i.test(head) ? unchunked(body) : body).length,
      seen: seen.map((asked) => asked.replace(/b{20,}/, ({ length }) => `${length} b`)),
    };
  }

  function unchunked(text: string): string {
    const line = text.indexOf('\r\n');
    const size = Number.parseInt(text.slice(0, line), 16);
    return size > 0 ? text.slice(line + 2, line + 2 + size) + unchunked(text.slice(line + 4 + size)) : '';
  }

  function randomRequest(random: (below: number) => number): string {
    const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
    const method = pick(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']);
    const path = pick([
      '/status/204',
      '/status/304',
      '/status/404',
      '/length/0',
      '/length/5',
      '/length/20000',
      '/chunks/3',
      '/chunks/5000',
      '/chunks/70000',
    ]);
    const body = 'b'.repeat(pick([0, 1, 10, 1_000, 20_000, 90_000]));
    const fields = ['Host: gateway', 'Connection: close', `X-A: ${'v'.repeat(random(50))}`];
    let framed = '';
    if (body !== '' || random(3) === 0) {
      if (random(2) === 0) {
        fields.push(`Content-Length: ${body.length}`);
        framed = body;
      } else {
        fields.push('Transfer-Encoding: chunked');
        for (let at = 0; at < body.length; ) {
          const size = 1 + random(30_000);
          const chunk = body.slice(at, at + size);
          framed += `${chunk.length.toString(16)}${pick(['', ';a=b'])}\r\n${chunk}\r\n`;
          at += size;
        }
        framed += `0\r\n${pick(['', 'X-Trailer: t\r\n'])}\r\n`;
      }
    }
    fields.sort(() => random(3) - 1);
    return `${method} /echo${path}${pick(['', '?a=b&c'])} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${framed}`;
  }

  function split(text: string, random: (below: number) => number): string[] {
    const pieces: string[] = [];
    for (let at = 0; at < text.length; ) {
      const size = random(4) === 0 ? text.length : 1 + random(Math.max(2, text.length / 4));
      pieces.push(text.slice(at, at + size));
      at += size;
    }
    return pieces;
  }

  test('requests of all kinds, split anywhere, have the same result', async () => {
    const random = randomFrom(4_711);
    for (let round = 0; round < 120; round++) {
      const text = randomRequest(random);
      const pieces = split(text, random);
      const [ours, theirs] = [
        await outcome(gateway.port, pieces, 10_000),
        await outcome((plain.address() as AddressInfo).port, pieces, 10_000),
      ];
      assert.deepEqual(ours, theirs, `round ${round}: ${JSON.stringify(text.slice(0, 300))}`);
    }
  });

  test('nothing passes that node:http rejects, and what passes is equal', async () => {
    const random = randomFrom(815);
    const bytes = [
      '\0',
      '\r',
      '\n',
      ' ',
      '\t',
      ':',
      ';',
      ',',
      '+',
      '-',
      '0',
      '9',
      'a',
      'Z',
      '%',
      '/',
      '.',
      '\x0b',
      '\x7f',
      '\xff',
    ];
    let passed = 0;
    for (let round = 0; round < 80; round++) {
      let text = randomRequest(random).slice(0, 3_000);
      for (let change = 0; change <= random(2); change++) {
        const at = random(Math.min(text.length, 200));
        text = text.slice(0, at) + bytes[random(bytes.length)]! + text.slice(at + random(2));
      }
      const ours = await outcome(gateway.port, [text], 150);
      if (ours.seen.length === 0) continue;
      passed++;
      const theirs = await outcome((plain.address() as AddressInfo).port, [text], 1_000);
      assert.deepEqual(ours.seen, theirs.seen, JSON.stringify(text.slice(0, 300)));
    }
    assert(passed > 8, `${passed} passed`);
  });
});
