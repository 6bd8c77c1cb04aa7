import { type PolicyConfiguration, parseConfiguration } from '@millrace/policies';
import type { Policy } from './flows.ts';

/** What a policy of each kind does with its settings, in words. */
const summaries: {
  readonly [Kind in SummarizedKind]: (configuration: PolicyConfiguration<Kind>) => readonly string[];
} = {
  'ip-allow-list': ({ allow, deny, clientAddress }) => [
    `Admits ${list(allow, 'network')}`,
    deny.length > 0 ? `but not ${list(deny, 'network')}` : '',
    clientAddress === 'forwarded' ? 'by X-Forwarded-For' : '',
  ],
  cors: ({ allowedOrigins, allowedMethods, allowCredentials }) => [
    allowedOrigins.includes('*') ? 'Any origin' : list(allowedOrigins, 'origin'),
    allowedMethods.join(', '),
    allowCredentials ? 'with credentials' : '',
  ],
  'verify-api-key': ({ location, name, removeFromRequest }) => [
    `Key in the ${location === 'header' ? 'header' : 'query parameter'} ${name}`,
    removeFromRequest ? '' : 'forwarded to the target',
  ],
  'verify-jwt': ({ issuer, audience, header, requiredClaims }) => [
    `Tokens of ${issuer || 'no issuer yet'}`,
    audience.length > 0 ? `for ${list(audience, 'audience')}` : '',
    header === 'authorization' ? '' : `in the header ${header}`,
    requiredClaims.length > 0
      ? `with ${list(
          requiredClaims.map(({ claim }) => claim),
          'claim',
        )}`
      : '',
  ],
  quota: ({ limit, window, per, identifierHeader, mode, failOpen }) => [
    `${number(limit)} per ${window.count === 1 ? window.unit : `${window.count} ${window.unit}s`} per ${pers[per]}`,
    identifierHeader === null ? '' : `by ${identifierHeader}`,
    mode,
    failOpen ? 'fails open' : '',
  ],
  'spike-arrest': ({ ratePerSecond, ratePerMinute, burst, per, identifierHeader, mode, failOpen }) => [
    `${ratePerSecond === null ? `${number(ratePerMinute ?? 0)} per minute` : `${number(ratePerSecond)} per second`} per ${pers[per]}`,
    burst > 1 ? `bursts of ${number(burst)}` : 'no bursts',
    identifierHeader === null ? '' : `by ${identifierHeader}`,
    mode,
    failOpen ? 'fails open' : '',
  ],
  'request-size-limit': ({ maxBodyBytes, maxHeaderBytes, maxUrlBytes }) => [
    `Bodies up to ${bytes(maxBodyBytes)}`,
    `headers up to ${bytes(maxHeaderBytes)}`,
    `URLs up to ${bytes(maxUrlBytes)}`,
  ],
  'request-validation': ({ parameters, body, action, refuseUnknownQuery, failOpen }) => [
    `${action === 'refuse' ? 'Rejects' : 'Reports'} invalid ${[parameters ? 'parameters' : '', body ? 'bodies' : ''].filter(Boolean).join(' and ') || 'media types'}`,
    refuseUnknownQuery ? 'and unknown query parameters' : '',
    failOpen ? 'fails open' : '',
  ],
  'transform-headers': ({ remove, rename, set, append }) => [
    remove.length > 0 ? `Removes ${list(remove, 'header')}` : '',
    rename.length > 0
      ? `renames ${list(
          rename.map(({ from, to }) => `${from} to ${to}`),
          'header',
        )}`
      : '',
    set.length > 0
      ? `sets ${list(
          set.map(({ name, value }) => `${name}: ${value}`),
          'header',
        )}`
      : '',
    append.length > 0
      ? `appends ${list(
          append.map(({ name, value }) => `${name}: ${value}`),
          'header',
        )}`
      : '',
  ],
  'response-cache': ({ ttlSeconds, methods, varyByCaller, statuses }) => [
    `${methods.join(', ')} for ${duration(ttlSeconds)}`,
    `status ${statuses.join(', ')}`,
    varyByCaller ? 'separately per caller' : 'shared by all callers',
  ],
  'mock-response': ({ status, contentType, body, delayMs, headers }) => [
    `Answers ${status} ${contentType}`,
    `${number(body.length)} characters`,
    headers.length > 0
      ? `with ${list(
          headers.map(({ name, value }) => `${name}: ${value}`),
          'header',
        )}`
      : '',
    delayMs > 0 ? `after ${number(delayMs)} ms` : '',
  ],
  'data-masking': ({ rules, failOpen }) => [
    `Masks ${list(
      rules.map(({ jsonPath, detector, replacement }) => `${jsonPath ?? detector} (${replacement})`),
      'value',
    )}`,
    failOpen ? 'fails open' : '',
  ],
};

type SummarizedKind =
  | 'ip-allow-list'
  | 'cors'
  | 'verify-api-key'
  | 'verify-jwt'
  | 'quota'
  | 'spike-arrest'
  | 'request-size-limit'
  | 'request-validation'
  | 'transform-headers'
  | 'response-cache'
  | 'mock-response'
  | 'data-masking';

const pers = { app: 'app', product: 'product', route: 'route', key: 'key', ip: 'IP address' } as const;

/** What a policy does, such as `1,000 per hour per app, strict`; null if the console doesn’t know its kind. */
export function policySummary({ kind, configuration }: Pick<Policy, 'kind' | 'configuration'>): string | null {
  if (!isSummarized(kind)) return null;
  // Defaults are filled in.
  const parsed = parseConfiguration(kind, configuration);
  if (!parsed.ok) return 'Not fully configured';
  const summarize = summaries[kind] as (value: unknown) => readonly string[];
  const text = summarize(parsed.value)
    .filter((part) => part !== '')
    .join(', ')
    .replaceAll(', but ', ' but ')
    .replaceAll(', and ', ' and ');
  return text === '' ? 'Changes nothing' : `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

function isSummarized(kind: string): kind is SummarizedKind {
  return kind in summaries;
}

/** The first three, and how many more there are. */
function list(items: readonly string[], noun: string): string {
  const named = items.slice(0, 3).map((item) => (item.length > 60 ? `${item.slice(0, 60)}…` : item));
  const more = items.length - named.length;
  if (items.length === 0) return `no ${noun}`;
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function bytes(value: number): string {
  for (const [unit, size] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (value >= size) return `${Number((value / size).toFixed(1))} ${unit}`;
  }
  return `${value} bytes`;
}

function duration(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
