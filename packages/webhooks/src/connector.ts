import { X509Certificate } from 'node:crypto';
import { connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { addressProblem, type DestinationPolicy } from './address.ts';
import { isLoopbackHost } from './destination.ts';
import { SendFailure } from './failure.ts';
import type { Resolve } from './resolve.ts';

interface ConnectorOptions extends DestinationPolicy {
  readonly resolve: Resolve;
  /** For resolution, connection and TLS handshake together. */
  readonly timeoutMs: number;
  /** Aborted when no connection is wanted any more. */
  readonly closing: AbortSignal;
  readonly extraCertificates?: string;
}

/**
 * An undici connector that reaches only allowed addresses. It resolves the name itself, fails if any result is
 * forbidden, connects to exactly the checked addresses (so that changing a name's result between check and use gains
 * nothing), and checks the address that the socket has actually reached before sending a byte.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const secure = buildConnector({
    timeout: 0,
    rejectUnauthorized: true,
    ...(options.extraCertificates ? { secureContext: trusting(options.extraCertificates) } : {}),
  });
  return (target, callback) => {
    const progress = { socket: null as Socket | null, explain: SendFailure.connecting, done: false };
    const timer = setTimeout(
      () =>
        finish(new SendFailure('timeout', `No connection to ${target.hostname} within ${options.timeoutMs / 1000} s.`)),
      options.timeoutMs,
    );
    const abandon = () => finish(new SendFailure('connection_closed', 'The sender was closed.'));
    options.closing.addEventListener('abort', abandon);
    function finish(failure: SendFailure | null, connected?: Socket): void {
      if (progress.done) return;
      progress.done = true;
      clearTimeout(timer);
      options.closing.removeEventListener('abort', abandon);
      if (connected) {
        callback(null, connected);
      } else {
        progress.socket?.destroy();
        callback(failure!, null);
      }
    }

    allowedAddresses(target.hostname, options)
      .then((addresses) => {
        if (progress.done) return;
        const socket = openSocket(target, addresses);
        progress.socket = socket;
        // Stays for the socket's life: an error after the TLS layer took over must not go unheard.
        socket.on('error', (cause) => finish(progress.explain(cause)));
        socket.once('connect', () => {
          const problem = addressProblem(socket.remoteAddress ?? 'unknown', options);
          if (problem)
            return finish(new SendFailure('blocked_address', `The connected address is not allowed: ${problem}.`));
          if (target.protocol !== 'https:') return finish(null, socket);
          progress.explain = SendFailure.securing;
          secure({ ...target, httpSocket: socket }, (cause, secured) =>
            secured ? finish(null, secured) : finish(SendFailure.securing(cause)),
          );
        });
      })
      .catch((cause: unknown) => finish(SendFailure.from(cause)));
  };
}

/** Created once: loading all public certificates takes milliseconds. */
function trusting(extraCertificates: string): SecureContext {
  try {
    for (const certificate of certificatesOf(extraCertificates)) new X509Certificate(certificate);
  } catch (cause) {
    throw new Error('The extra certificates for webhooks are not PEM certificates.', { cause });
  }
  return createSecureContext({ ca: [...getCACertificates('default'), extraCertificates] });
}

function certificatesOf(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [text];
}

async function allowedAddresses(hostname: string, options: ConnectorOptions): Promise<readonly string[]> {
  const addresses = await resolveHost(hostname, options.resolve);
  for (const address of addresses) {
    const problem = addressProblem(address, options);
    if (problem)
      throw new SendFailure('blocked_address', `${hostname} resolves to an address that is not allowed: ${problem}.`);
  }
  return addresses;
}

async function resolveHost(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return [hostname];
  const name = hostname.replace(/\.$/, '');
  if (isLoopbackHost(name)) return ['127.0.0.1', '::1'];
  try {
    const addresses = await resolve(name);
    if (addresses.length === 0) throw new Error('The DNS response has no address.');
    return addresses;
  } catch (cause) {
    throw SendFailure.resolving(name, cause);
  }
}

function openSocket(target: buildConnector.Options, addresses: readonly string[]): Socket {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_hostname, options, callback) => {
    if (options.all) callback(null, answers);
    else callback(null, answers[0]!.address, answers[0]!.family);
  };
  const port = target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : Number(target.port);
  return connectSocket({ host: target.hostname, port, lookup, autoSelectFamily: true, noDelay: true });
}
