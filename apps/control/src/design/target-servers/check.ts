import { request as requestHttps } from 'node:https';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { statusByHttp2 } from '@millrace/data-plane/targets/http2-status';
import { connectionProblems } from '@millrace/data-plane/targets/problems';
import { type Outbound, OutboundRefused, withoutBrackets } from '../../frame/outbound.ts';

/** Where to connect to. */
export interface Checked {
  readonly scheme: 'http' | 'https';
  /** Absent: HTTP/1.1, which targets that leave the choice to TLS speak too. */
  readonly protocol?: 'http1' | 'http2' | 'auto';
  /** A name or an address; of IPv6, in brackets. */
  readonly host: string;
  readonly port: number;
  /** Null: connecting is enough. */
  readonly healthPath: string | null;
  /** As PEM; null: the host's name, the public authorities, no client certificate. */
  readonly tls?: {
    readonly serverName: string | null;
    readonly certificateAuthorities: string | null;
    readonly clientCertificate: string | null;
    readonly clientKey: string | null;
  };
}

/** The result of a connection. */
export interface CheckResult {
  readonly reachable: boolean;
  readonly latencyMs: number | null;
  readonly tls: {
    readonly protocol: string;
    readonly validTo: string | null;
    readonly daysLeft: number | null;
    readonly authorized: boolean;
  } | null;
  readonly status: number | null;
  readonly problem: string | null;
}

const dayMs = 86_400_000;

/**
 * Connects to a target server, with TLS if its scheme is https, and requests the health path if there is one. It
 * connects only to this host and port: no proxy is used, no redirect followed, and only the headers of a response are
 * read. An untrusted certificate is reported, not rejected; a blocked address is reported too.
 *
 * @param timeLimitMs of the check as a whole
 */
export async function checkTarget(
  target: Checked,
  { addressesOf }: Pick<Outbound, 'addressesOf'>,
  timeLimitMs = 5_000,
): Promise<CheckResult> {
  const startMs = performance.now();
  const seen: { tls: CheckResult['tls']; connected: boolean } = { tls: null, connected: false };
  const connected = (socket: Socket): void => {
    seen.connected = true;
    seen.tls = socket instanceof TLSSocket ? describeTls(socket) : null;
  };
  try {
    const signal = AbortSignal.timeout(timeLimitMs);
    const lookup = lookupOf(await withinTime(addressesOf(target.host), signal));
    const status =
      target.healthPath === null
        ? await connectOnly(target, lookup, signal, connected)
        : await askHealth(target, target.healthPath, lookup, signal, connected);
    return {
      reachable: true,
      latencyMs: Math.round((performance.now() - startMs) * 10) / 10,
      tls: seen.tls,
      status,
      problem: problemOf(seen.tls, status),
    };
  } catch (error) {
    return {
      reachable: seen.connected,
      latencyMs: null,
      tls: seen.tls,
      status: null,
      problem: describeError(error, seen.connected, timeLimitMs),
    };
  }
}

/** Resolves to these addresses only, whatever DNS says by now. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    if (options.all) callback(null, answers);
    else callback(null, answers[0]!.address, answers[0]!.family);
  };
}

function withinTime<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  return Promise.race([value, promise]).finally(() => signal.removeEventListener('abort', abort));
}

function connectOnly(
  target: Checked,
  lookup: LookupFunction,
  signal: AbortSignal,
  connected: (socket: Socket) => void,
): Promise<null> {
  const { promise, resolve, reject } = Promise.withResolvers<null>();
  const socket = open(target, lookup, (opened) => {
    connected(opened);
    resolve(null);
  });
  socket.once('error', reject);
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  return promise.finally(() => {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  });
}

function open(target: Checked, lookup: LookupFunction, connected: (socket: Socket) => void): Socket {
  const where = { host: withoutBrackets(target.host), port: target.port, lookup };
  const secure = target.scheme === 'https';
  const socket = secure ? connectTls({ ...where, ...tlsOptions(target) }) : connectTcp(where);
  socket.once(secure ? 'secureConnect' : 'connect', () => connected(socket));
  return socket;
}

function askHealth(
  target: Checked,
  path: string,
  lookup: LookupFunction,
  signal: AbortSignal,
  connected: (socket: Socket) => void,
): Promise<number> {
  if (target.protocol === 'http2') {
    const socket = open(target, lookup, connected);
    return statusByHttp2(socket, { authority: `${target.host}:${target.port}`, scheme: target.scheme, path }, signal);
  }
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const secure = target.scheme === 'https';
  // Importing node:http would load fetch and a WebSocket client at every start, since it exports them too.
  const request = (secure ? requestHttps : process.getBuiltinModule('node:http').request)({
    host: withoutBrackets(target.host),
    port: target.port,
    lookup,
    path,
    method: 'GET',
    headers: { 'user-agent': 'Millrace health check', accept: '*/*', connection: 'close' },
    agent: false,
    maxHeaderSize: 16 * 1024,
    ...(secure ? tlsOptions(target) : {}),
  });
  request.once('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', () => connected(socket)));
  request.once('response', (response) => resolve(response.statusCode ?? 0));
  request.on('error', reject);
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  request.end();
  return promise.finally(() => {
    signal.removeEventListener('abort', abort);
    request.destroy();
  });
}

function tlsOptions(target: Checked) {
  const { certificateAuthorities, clientCertificate, clientKey } = target.tls ?? {};
  return {
    servername: serverName(target),
    ...(target.protocol === 'http2' ? { ALPNProtocols: ['h2'] } : {}),
    rejectUnauthorized: false,
    ...(certificateAuthorities ? { ca: certificateAuthorities } : {}),
    ...(clientCertificate && clientKey ? { cert: clientCertificate, key: clientKey } : {}),
  };
}

/** SNI doesn't allow addresses (RFC 6066, section 3). */
function serverName(target: Checked): string {
  if (target.tls?.serverName) return target.tls.serverName;
  return /^\[|^[\d.]+$/.test(target.host) ? '' : target.host;
}

function describeTls(socket: TLSSocket): CheckResult['tls'] {
  const validTo = Date.parse(socket.getPeerCertificate().valid_to ?? '');
  const known = !Number.isNaN(validTo);
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    validTo: known ? new Date(validTo).toISOString() : null,
    daysLeft: known ? Math.floor((validTo - Date.now()) / dayMs) : null,
    authorized: socket.authorized,
  };
}

function problemOf(tls: CheckResult['tls'], status: number | null): string | null {
  if (tls?.daysLeft != null && tls.daysLeft < 0) return 'Its certificate has expired.';
  if (tls?.authorized === false) return 'Its certificate is not trusted. Check that it is valid for this host.';
  if (status !== null && (status < 200 || status > 299)) return `Its health path returns ${status}.`;
  return null;
}

function describeError(error: unknown, connected: boolean, timeLimitMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    const within = `within ${timeLimitMs / 1_000} seconds`;
    return connected ? `It did not respond ${within}.` : `No connection ${within}.`;
  }
  if (error instanceof OutboundRefused) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const problem = connectionProblems.get(code);
  if (problem !== undefined) return problem;
  if (code.startsWith('HPE_')) return 'Its response is not HTTP.';
  if (code.startsWith('ERR_SSL_')) return 'It does not support TLS, or only outdated versions.';
  return connected ? 'Its response was invalid.' : 'The connection failed.';
}
