import { connect } from 'node:net';

/** A request whose caller reads nothing until it has sent everything. */
export interface WholeRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  /** In chunks of no stated length in all. */
  readonly chunked?: boolean;
}

/**
 * Sends a whole request over a plain connection, then reads the response's status line and body. Rejects if the
 * connection breaks before everything is sent.
 */
export async function sendThenRead(
  address: string,
  { method = 'POST', path, headers, bodyBytes, chunked = false }: WholeRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port, host } = new URL(address);
  const socket = connect(Number(port), hostname).pause();
  const broken = new Promise<never>((_resolve, reject) => socket.once('error', reject));
  const send = (bytes: string | Buffer) =>
    Promise.race([broken, new Promise<void>((sent) => socket.write(bytes, () => sent()))]);
  try {
    const framing = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bodyBytes) };
    const lines = Object.entries({ host, ...headers, ...framing }).map(([name, value]) => `${name}: ${value}\r\n`);
    await send(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    for (let left = bodyBytes; left > 0; left -= 65_536) {
      const piece = Buffer.alloc(Math.min(left, 65_536), 'a');
      await send(
        chunked ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]) : piece,
      );
    }
    if (chunked) await send('0\r\n\r\n');
    return await Promise.race([broken, readAnswer(socket)]);
  } finally {
    socket.destroy();
  }
}

async function readAnswer(socket: AsyncIterable<Buffer>): Promise<{ status: number; text: string }> {
  let received = '';
  for await (const chunk of socket) {
    received += chunk.toString('latin1');
    const [head = '', text] = received.split('\r\n\r\n', 2);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (text !== undefined && text.length >= length) return { status: Number(head.split(' ')[1]), text };
  }
  throw new Error(`the connection ended after ${JSON.stringify(received)}`);
}
