import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { connect as connectTls } from 'node:tls';
import type { SendErrorCode } from '@millrace/webhooks';
import { type Outbound, OutboundRefused, withoutBrackets } from '../../frame/outbound.ts';
import type { IntegrationSettings } from '../integrations/contract.ts';
import { type Outcome, outcomeOf } from '../integrations/outcome.ts';
import { framed } from './format.ts';

export type SiemSettings = Extract<IntegrationSettings, { kind: 'siem' }>;

class SyslogFailure extends Error {
  readonly code: SendErrorCode;

  constructor(code: SendErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Sends messages over one connection: syslog over TLS (RFC 5425), or over plain TCP to this machine and addresses that the
 * settings list. Syslog acknowledges nothing, so the messages count as delivered once the receiver has closed the connection
 * after the sender did, which RFC 5425 requires of it: by then it has read everything. Never throws.
 *
 * @param clientKey PEM of the client certificate's key; null if there is none
 * @param timeoutMs for everything, from the name's resolution to the receiver's end
 */
export async function sendSyslog(
  outbound: Outbound,
  settings: SiemSettings,
  clientKey: string | null,
  messages: readonly string[],
  timeoutMs: number,
): Promise<Outcome> {
  const at = new Date().toISOString();
  const started = performance.now();
  let error: Outcome['attempt']['error'] = null;
  try {
    await transfer(outbound, settings, clientKey, Buffer.concat(messages.map(framed)), timeoutMs);
  } catch (cause) {
    error = errorOf(cause);
  }
  const request = {
    target: `${settings.transport}://${settings.host}:${settings.port}`,
    headers: { messages: String(messages.length) },
    body: messages.slice(0, 20).join('\n'),
  };
  const latencyMs = Math.round(performance.now() - started);
  const attempt = { at, latencyMs, status: null, error, answer: '', answerBytes: 0 };
  return outcomeOf({ request, attempt }, clientKey === null ? [] : [clientKey]);
}

async function transfer(
  outbound: Outbound,
  settings: SiemSettings,
  clientKey: string | null,
  bytes: Buffer,
  timeoutMs: number,
): Promise<void> {
  const { host, port, transport, serverName, certificateAuthorities, clientCertificate } = settings;
  const deadline = AbortSignal.timeout(timeoutMs);
  const [address = ''] = await untilAborted(outbound.addressesOf(host), deadline, `${host} was not resolved in time.`);
  if (transport === 'tcp' && !outbound.mayBePlain(address)) {
    throw new OutboundRefused(`${host} isn’t at an address that may be reached without encryption.`);
  }
  const name = serverName ?? withoutBrackets(host);
  const socket: Socket =
    transport === 'tcp'
      ? connectSocket({ host: address, port })
      : connectTls({
          host: address,
          port,
          minVersion: 'TLSv1.2',
          // The certificate is for the name or, without one, for the address.
          ...(isIP(name) === 0 ? { servername: name } : {}),
          ...(certificateAuthorities === null ? {} : { ca: certificateAuthorities }),
          ...(clientCertificate === null || clientKey === null ? {} : { cert: clientCertificate, key: clientKey }),
        });
  const connected = transport === 'tcp' ? 'connect' : 'secureConnect';
  await new Promise<void>((resolve, reject) => {
    let phase: 'connecting' | 'sending' | 'ended' = 'connecting';
    const late = () => {
      const what = {
        connecting: 'No connection',
        sending: 'Not everything was taken',
        ended: 'The receiver’s end did not come',
      };
      reject(new SyslogFailure('timeout', `${what[phase]} within ${timeoutMs / 1_000} s.`));
    };
    deadline.addEventListener('abort', late);
    socket.on('error', (cause) => reject(failureOf(phase, cause)));
    socket.once(connected, () => {
      phase = 'sending';
      socket.write(bytes, () => {
        // What arrived in the meantime, such as the receiver's own end, comes first.
        setImmediate(() => {
          if (socket.readableEnded || socket.destroyed) return;
          phase = 'ended';
          socket.end();
        });
      });
    });
    socket.on('end', () => {
      if (phase === 'ended') resolve();
      else
        reject(
          new SyslogFailure('connection_closed', 'The receiver closed the connection before everything was sent.'),
        );
    });
    socket.on('close', () => {
      reject(new SyslogFailure('connection_closed', 'The connection was lost before the receiver had ended it.'));
    });
    // Whatever a receiver sends has no meaning, and is read so that its end is.
    socket.resume();
  }).finally(() => socket.destroy());
}

async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal, message: string): Promise<Result> {
  const late = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => late.reject(new SyslogFailure('timeout', message)), { once: true });
  return Promise.race([work, late.promise]);
}

function failureOf(phase: 'connecting' | 'sending' | 'ended', cause: Error): SyslogFailure {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const message = `${cause.message.slice(0, 300)}${code === '' ? '' : ` (${code})`}.`;
  if (code === 'ECONNREFUSED') return new SyslogFailure('connection_refused', 'The receiver refused the connection.');
  if (phase === 'connecting') {
    const isNetwork = /^E(?:HOST|NET|ADDR|PIPE|CONN|TIMEDOUT)/.test(code);
    return isNetwork
      ? new SyslogFailure('connection_failed', `No connection could be opened: ${message}`)
      : new SyslogFailure('tls', `The TLS handshake failed: ${message}`);
  }
  return new SyslogFailure('connection_closed', `The connection was lost: ${message}`);
}

function errorOf(cause: unknown): NonNullable<Outcome['attempt']['error']> {
  if (cause instanceof SyslogFailure) return { code: cause.code, message: cause.message };
  const message = cause instanceof Error ? cause.message : String(cause);
  return { code: cause instanceof OutboundRefused ? 'blocked_address' : 'dns', message };
}
