import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector gets it: OTLP's JSON, with its attributes by name. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined: the trace began with it. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** 2: of a server, 3: of a client, 5: of a consumer (https://opentelemetry.io/docs/specs/otlp/). */
  readonly kind: number;
  /** 2: failed. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A collector on loopback that takes traces as OTLP over HTTP, in JSON. */
export interface TestCollector {
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** Everything that it was sent. */
  readonly texts: readonly string[];
  stop(): void;
}

interface SentValue {
  readonly stringValue?: string;
  /** A whole number as text, or as a number. */
  readonly intValue?: number | string;
}

interface SentAttribute {
  readonly key: string;
  readonly value: SentValue;
}

interface SentTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly SentAttribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly kind: number;
        readonly status: { readonly code: number };
        readonly attributes: readonly SentAttribute[];
      }[];
    }[];
  }[];
}

export async function startTestCollector(): Promise<TestCollector> {
  const spans: ReceivedSpan[] = [];
  const texts: string[] = [];
  const server = createServer(async (incoming, response) => {
    let text = '';
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
    if (incoming.method !== 'POST' || incoming.url !== '/v1/traces') return response.writeHead(404).end();
    texts.push(text);
    for (const { resource, scopeSpans } of (JSON.parse(text) as SentTraces).resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        const { traceId, spanId, parentSpanId, name, kind, status, attributes } = span;
        const ids = { service, traceId, spanId, parentSpanId };
        spans.push({ ...ids, name, kind, status: status.code, attributes: valuesOf(attributes) });
      }
    }
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    texts,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function valuesOf(attributes: readonly SentAttribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)] as const),
  );
}
