import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks that remembers how often each event arrived. */
export interface Receiver {
  readonly url: string;
  /** By document, and there by the event's time. */
  readonly arrivals: ReadonlyMap<string, ReadonlyMap<string, number>>;
  stop(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, Map<string, number>>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const { timestamp, data } = JSON.parse(text) as { timestamp: string; data: { document_id: string } };
    const events = arrivals.get(data.document_id) ?? new Map<string, number>();
    events.set(timestamp, (events.get(timestamp) ?? 0) + 1);
    arrivals.set(data.document_id, events);
    response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
