import { isIPv4, isIPv6 } from 'node:net';
import { cutBytes } from '../integrations/outcome.ts';

/** An audit entry as it is sent. */
export interface SentEntry {
  /** Counts up by one with each entry of the organization. */
  readonly sequence: number;
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly organizationId: string;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actorName: string;
  readonly operation: string;
  readonly entityType: string;
  readonly entityId: string | null;
  readonly category: string;
  readonly severity: 'low' | 'medium' | 'high';
  readonly outcome: 'done' | 'denied' | 'failed';
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
  readonly note: string;
  /** Field by field, without secrets. */
  readonly changes: unknown;
}

/** Facility "log audit" of RFC 5424. */
const facility = 13;
/** Severities of RFC 5424: warning, notice, informational. */
const syslogSeverities = { high: 4, medium: 5, low: 6 } as const;
/** Of 0 to 10, as CEF has it. */
const cefSeverities = { high: 8, medium: 5, low: 3 } as const;
/** The longest message, in bytes; longer ones leave out what changed. */
const mostBytes = 65_536;
/** The longest custom string and user agent of CEF. */
const mostCefBytes = 4_000;

/**
 * An entry as a syslog message (RFC 5424), with JSON or CEF as its text.
 *
 * @param host of the console
 */
export function syslogMessage(entry: SentEntry, format: 'json' | 'cef', host: string): string {
  const severity = entry.outcome === 'done' ? syslogSeverities[entry.severity] : syslogSeverities.high;
  const header = `<${facility * 8 + severity}>1 ${entry.at} ${printable(host, 255)} millrace - ${printable(entry.category, 32)} -`;
  return `${header} ${format === 'json' ? jsonText(entry) : cefText(entry)}`;
}

/** A message in its frame: the number of its bytes, a space, and the message (RFC 5425 and RFC 6587, octet counting). */
export function framed(message: string): Buffer {
  const bytes = Buffer.from(message);
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}

/** One line: JSON escapes line breaks, and the separators U+2028 and U+2029 are escaped here. */
function jsonText(entry: SentEntry): string {
  const full = oneJsonLine(entry);
  return Buffer.byteLength(full) <= mostBytes ? full : oneJsonLine({ ...entry, changes: null, changesOmitted: true });
}

function oneJsonLine(value: object): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Common Event Format, version 0 (ArcSight Common Event Format Implementation Standard). */
function cefText(entry: SentEntry): string {
  const changes = JSON.stringify(entry.changes);
  const fields: readonly (readonly [key: string, value: string | number | null])[] = [
    ['rt', Date.parse(entry.at)],
    ['externalId', entry.id],
    ['cn1Label', 'sequence'],
    ['cn1', entry.sequence],
    ['cat', entry.category],
    ['act', entry.operation],
    ['outcome', entry.outcome],
    ['suser', entry.actorName],
    ['suid', entry.actorId],
    ['src', isIPv4(entry.ip) ? entry.ip : null],
    ['c6a2Label', isIPv6(entry.ip) ? 'Source IPv6 Address' : null],
    ['c6a2', isIPv6(entry.ip) ? entry.ip : null],
    ['requestClientApplication', entry.userAgent],
    ['cs1Label', 'entityType'],
    ['cs1', entry.entityType],
    ['cs2Label', 'entityId'],
    ['cs2', entry.entityId],
    ['cs3Label', 'requestId'],
    ['cs3', entry.requestId],
    ['cs4Label', 'organizationId'],
    ['cs4', entry.organizationId],
    ['cs5Label', 'actorKind'],
    ['cs5', entry.actorKind],
    ['cs6Label', 'changes'],
    ['cs6', Buffer.byteLength(changes) <= mostCefBytes ? changes : '[]'],
    ['msg', entry.note],
  ];
  const extension = fields
    .filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => `${key}=${escapeExtension(cutBytes(String(value), mostCefBytes))}`)
    .join(' ');
  const header = ['CEF:0', 'Millrace', 'API management', '1', entry.operation, entry.operation].map((part, index) =>
    index === 0 ? part : escapeHeader(part),
  );
  return `${header.join('|')}|${cefSeverities[entry.severity]}|${extension}`;
}

function escapeHeader(text: string): string {
  return text.replaceAll(/[\\|]/g, '\\$&').replaceAll(/[\r\n\p{Cc}]+/gu, ' ');
}

function escapeExtension(text: string): string {
  return text
    .replaceAll(/[\\=]/g, '\\$&')
    .replaceAll('\r', '\\r')
    .replaceAll(/[\n\u2028\u2029]/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ');
}

/** A header field of RFC 5424: printable ASCII without spaces. */
function printable(text: string, most: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, most) || '-';
}
