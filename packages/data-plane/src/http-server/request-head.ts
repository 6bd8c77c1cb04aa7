/** Checks the head of a request: how its body is framed, and whether another server could read it differently. */
import { fieldState, fieldStride } from '@millrace/policies/headers';
import { field, isText, lengthAt } from '../http/fields.ts';
import type { Parser } from '../http/parser.ts';

const space = 0x20;

/** How a body is delimited: a number of bytes, or chunks. Zero bytes where there is none. */
export type Framing = number | 'chunked';

export interface RequestHead {
  readonly framing: Framing;
  /** Lower case, without its port; null where the request names none. */
  readonly host: string | null;
  /** As received. */
  readonly authority: string | null;
  readonly keepsAlive: boolean;
  /** Sum of the lengths of all names and values. */
  readonly fieldBytes: number;
  /** Whether the caller waits for leave to send the body. */
  readonly expectsContinue: boolean;
  readonly expectsMore: boolean;
  /** Asks for a WebSocket. Other upgrades are left out of the request. */
  readonly upgrades: boolean;
}

/**
 * Reads what the gateway itself needs of a request's head, and withholds the fields that it does not pass on as they are:
 * those of one connection, those that frame the message, and those that only proxies in front of the gateway may send.
 *
 * @param parser whose head is whole, its `bytes` set
 * @param isTrusted whether a trusted proxy is at the other end
 * @returns null if the request must not be passed on: it is ambiguous, or neither HTTP/1.1 nor HTTP/1.0
 */
export function readRequestHead(parser: Parser, isTrusted: boolean): RequestHead | null {
  const { bytes, spans, codes, count, version } = parser;
  if (version !== 11 && version !== 10) return null;
  // llhttp takes several spaces around a target for one; others do not.
  if (bytes[parser.urlStart - 2] === space || bytes[parser.urlEnd + 1] === space) return null;
  let framing: Framing = 0;
  let hasFraming = false;
  let host: Host | null = null;
  let keepsAlive = version === 11;
  let fieldBytes = 0;
  let expectsContinue = false;
  let expectsMore = false;
  let upgrade: string | null = null;
  let connection: string | null = null;
  for (let index = 0; index < count; index++) {
    const at = index * fieldStride;
    const valueStart = spans[at + 2]!;
    const valueEnd = spans[at + 3]!;
    fieldBytes += spans[at + 1]! - spans[at]! + valueEnd - valueStart;
    switch (codes[index]) {
      case 0:
      case field.via:
        break;
      case field.host:
        if (host !== null) return null;
        host = readHost(bytes, valueStart, valueEnd);
        spans[at + 4] = fieldState.withheld;
        break;
      case field.contentLength: {
        const length = lengthAt(bytes, valueStart, valueEnd);
        if (hasFraming || length < 0) return null;
        hasFraming = true;
        framing = length;
        spans[at + 4] = fieldState.withheld;
        break;
      }
      case field.transferEncoding:
        if (hasFraming || version !== 11) return null;
        if (!isText(bytes, valueStart, valueEnd, 'chunked')) return null;
        hasFraming = true;
        framing = 'chunked';
        spans[at + 4] = fieldState.withheld;
        break;
      case field.connection: {
        spans[at + 4] = fieldState.withheld;
        // What HTTP/1.1 does anyway, and what most that say anything say.
        if (version === 11 && isText(bytes, valueStart, valueEnd, 'keep-alive')) break;
        const value = bytes.toString('latin1', valueStart, valueEnd).toLowerCase();
        connection = connection === null ? value : `${connection},${value}`;
        break;
      }
      case field.upgrade: {
        const value = bytes.toString('latin1', valueStart, valueEnd).toLowerCase();
        upgrade = upgrade === null ? value : `${upgrade},${value}`;
        spans[at + 4] = fieldState.withheld;
        break;
      }
      case field.expect:
        expectsContinue = isText(bytes, valueStart, valueEnd, '100-continue');
        expectsMore ||= !expectsContinue;
        spans[at + 4] = fieldState.withheld;
        break;
      case field.requestId:
      case field.forwarded:
      case field.forwardedFor:
        spans[at + 4] = isTrusted ? fieldState.withheld : fieldState.removed;
        break;
      case field.setByProxies:
        if (!isTrusted) spans[at + 4] = fieldState.removed;
        break;
      default:
        spans[at + 4] = fieldState.removed;
    }
  }
  if (host === null ? version === 11 : host.name === null) return null;
  let upgrades = false;
  if (connection !== null) {
    const tokens = connection.split(',').map((token) => token.trim());
    if (tokens.includes('close')) keepsAlive = false;
    else if (version === 10 && tokens.includes('keep-alive')) keepsAlive = true;
    upgrades = upgrade === 'websocket' && version === 11 && tokens.includes('upgrade');
    removeNamed(parser, tokens);
  }
  return {
    framing,
    host: host?.name ?? null,
    authority: host?.authority ?? null,
    keepsAlive,
    fieldBytes,
    expectsContinue: expectsContinue && version === 11 && framing !== 0,
    expectsMore,
    upgrades,
  };
}

/** A Host field. */
export interface Host {
  /** As received. */
  readonly authority: string;
  /** In lower case, without its port; null where there is none that could be a host. */
  readonly name: string | null;
}

let lastHost: Host = { authority: '', name: null };

/** Most requests name the same host: to compare its bytes costs less than to make a string of them. */
export function readHost(bytes: Buffer, start: number, end: number): Host {
  const known = lastHost.authority;
  if (end - start === known.length) {
    let index = 0;
    while (index < known.length && bytes[start + index] === known.charCodeAt(index)) index++;
    if (index === known.length) return lastHost;
  }
  const authority = bytes.toString('latin1', start, end);
  const match = /^((?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/.exec(authority);
  lastHost = { authority, name: match === null ? null : match[1]!.toLowerCase() };
  return lastHost;
}

/** Fields that a Connection field names belong to the connection. Those that frame or describe the request stay. */
function removeNamed({ bytes, spans, count }: Parser, tokens: readonly string[]): void {
  for (let at = 0; at < count * fieldStride; at += fieldStride) {
    if (spans[at + 4] !== fieldState.passes) continue;
    const length = spans[at + 1]! - spans[at]!;
    if (!tokens.some((token) => token.length === length)) continue;
    if (tokens.includes(bytes.toString('latin1', spans[at], spans[at + 1]).toLowerCase())) {
      spans[at + 4] = fieldState.removed;
    }
  }
}
