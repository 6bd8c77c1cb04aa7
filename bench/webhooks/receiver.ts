/**
 * The receivers of the webhook benchmark, in a process of their own: a healthy one that answers 200 at once and notes
 * when each document's event arrived, and many dead ones, which accept connections and never answer.
 */
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';

/** Clock readings are of `process.hrtime`, which all processes of a machine share. */
export interface ReceiverReport {
  readonly healthyPort: number;
  readonly deadPort: number;
  readonly arrivals: readonly { readonly documentId: string; readonly atMs: number }[];
}

const deadAddresses = Array.from({ length: 1000 }, (_, n) => `127.0.${1 + Math.floor(n / 250)}.${1 + (n % 250)}`);

let arrivals: { documentId: string; atMs: number }[] = [];
const healthy = createServer((request, response) => {
  const atMs = Number(process.hrtime.bigint()) / 1e6;
  request.once('data', (chunk: Buffer) => {
    const documentId = /"document_id":"(\w+)"/.exec(chunk.subarray(0, 500).toString('latin1'))?.[1] ?? '';
    arrivals.push({ documentId, atMs });
  });
  request.on('end', () => response.end('ok')).resume();
});
await new Promise<void>((listening) => healthy.listen(0, '127.0.0.1', listening));
const healthyPort = (healthy.address() as AddressInfo).port;

const deadPort = healthyPort < 65_000 ? healthyPort + 1 : healthyPort - 1;
for (const address of deadAddresses) {
  const dead = createSocketServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((listening) => dead.listen(deadPort, address, 2048, listening));
}

process.on('message', () => {
  process.send?.({ healthyPort, deadPort, arrivals } satisfies ReceiverReport);
  arrivals = [];
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
