import type { HeaderList } from '../header-list.ts';

/** Known of the answer otherwise, or never sent to a target: these are of the connection, or the gateway's own. */
const ownFields = [
  'connection',
  'content-length',
  'expect',
  'forwarded',
  'host',
  'upgrade',
  'via',
  'x-forwarded-for',
  'x-real-ip',
  'x-request-id',
];

/** Conditions and wishes that the cache itself meets, as RFC 9111 and RFC 9110, sections 13 and 14, say. */
const cacheFields = ['cache-control', 'if-modified-since', 'if-none-match', 'if-range', 'pragma', 'range'];

/** Tell who calls, or which call it is, in a way that differs from one ordinary client or call to the next. */
const clientFields = [
  'b3',
  'baggage',
  'referer',
  'request-id',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'sentry-trace',
  'traceparent',
  'tracestate',
  'uber-trace-id',
  'user-agent',
  'x-amzn-trace-id',
  'x-b3-flags',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-spanid',
  'x-b3-traceid',
  'x-cloud-trace-context',
  'x-correlation-id',
  'x-datadog-parent-id',
  'x-datadog-sampling-priority',
  'x-datadog-trace-id',
];

/** Content negotiation and callers: whether answers differ by these is what the policy's other settings say. */
const configuredFields = ['accept', 'accept-encoding', 'accept-language', 'authorization', 'cookie', 'x-api-key'];

/**
 * What of a request's fields is part of the key of its answer: all that a target may answer by, known or not, such as
 * `Origin`, `X-Original-URL` or `X-HTTP-Method-Override`. A field is left out only where it is known to do no harm.
 */
export function keyedFields(configuration: {
  readonly varyByCaller: boolean;
  readonly ignoredHeaders: readonly string[];
}): (headers: HeaderList) => string {
  const { varyByCaller, ignoredHeaders } = configuration;
  const unkeyed = new Set([...ownFields, ...cacheFields, ...clientFields, ...configuredFields, ...ignoredHeaders]);
  // A header with the caller's key distinguishes callers, whose entries are separate anyway.
  if (varyByCaller) unkeyed.delete('x-api-key');
  return ({ fields }) => {
    const keyed: (readonly [name: string, value: string])[] = [];
    for (let index = 0; index < fields.length; index += 2) {
      const name = fields[index]!.toLowerCase();
      if (!unkeyed.has(name)) keyed.push([name, fields[index + 1]!]);
    }
    if (keyed.length === 0) return '';
    // Clients send the same fields in another order; those of one name stay in theirs, which may mean something.
    return JSON.stringify(keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  };
}
