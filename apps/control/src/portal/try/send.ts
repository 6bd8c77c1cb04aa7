import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { currentTraceparent } from '@millrace/traces/context';
import { type Outbound, OutboundRefused, withoutBrackets } from '../../frame/outbound.ts';
import type { SentBody } from './rules.ts';

/** A request to a gateway node. */
export interface GatewayRequest {
  /** Where the node is, such as `http://10.0.0.7:4300`; its path is ignored. */
  readonly address: string;
  /** Of the environment; null: the node answers to any. */
  readonly hostName: string | null;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: SentBody | null;
}

/** What came back. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Of the body: a little more than is shown, so that a key at its end is found. */
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

export const mostAnswerBytes = 1_048_576;
const marginBytes = 256;
const longestMs = 30_000;

/**
 * Sends a request to a gateway node, whose address is looked up once and checked against the settings. Redirects are
 * answers. The whole exchange may take 30 seconds.
 *
 * @throws Error with the reason why there is no answer
 */
export async function sendToGateway(
  { addressesOf }: Pick<Outbound, 'addressesOf'>,
  { address, hostName, method, path, headers, body }: GatewayRequest,
  timeoutMs = longestMs,
): Promise<GatewayAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const url = new URL(address);
  const isTls = url.protocol === 'https:';
  const name = withoutBrackets(url.hostname);
  const [host] = await addressesOf(name);
  if (host === undefined) throw new OutboundRefused(`${name} has no address.`);
  const named = hostName ?? name;
  const traceparent = currentTraceparent();
  const isTraced = headers.some((header) => header.name.toLowerCase() === 'traceparent');
  const fields = [
    ['Host', hostName ?? url.host],
    ...headers.map((header) => [header.name, header.value] as const),
    ...(traceparent === null || isTraced ? [] : [['Traceparent', traceparent] as const]),
    ['Accept-Encoding', 'identity'],
    ['Connection', 'close'],
    ...(body === null ? [] : [['Content-Type', body.mediaType] as const]),
    ...(body === null && (method === 'GET' || method === 'HEAD')
      ? []
      : [['Content-Length', String(body?.bytes.length ?? 0)] as const]),
  ].flat();
  return new Promise((resolve, reject) => {
    const sent = (isTls ? requestHttps : requestHttp)({
      host,
      port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
      method,
      path,
      headers: fields,
      agent: false,
      signal,
      maxHeaderSize: 65_536,
      ...(isTls ? { servername: named } : {}),
    });
    let isAnswered = false;
    sent.on('error', (error) => {
      // What came of an answer is shown.
      if (!isAnswered) reject(signal.aborted ? new Error(timedOut(timeoutMs), { cause: error }) : error);
    });
    sent.on('response', (answer) => {
      isAnswered = true;
      readAnswer(answer, resolve);
    });
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new Error('The gateway switched to another protocol.'));
    });
    sent.end(body?.bytes);
  });
}

function readAnswer(answer: IncomingMessage, resolve: (answer: GatewayAnswer) => void): void {
  const kept: Buffer[] = [];
  let size = 0;
  let isWhole = true;
  answer.on('data', (chunk: Buffer) => {
    kept.push(chunk);
    size += chunk.length;
    if (size <= mostAnswerBytes + marginBytes) return;
    isWhole = false;
    answer.destroy();
  });
  // A response that is cut off is shown as far as it came.
  answer.on('error', () => {
    isWhole = false;
  });
  answer.on('close', () => {
    const raw = answer.rawHeaders;
    resolve({
      status: answer.statusCode ?? 0,
      headers: raw.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: raw[index + 1] ?? '' }] : [])),
      bytes: Buffer.concat(kept),
      isWhole: isWhole && answer.complete,
    });
  });
}

function timedOut(timeoutMs: number): string {
  return `No response within ${timeoutMs / 1_000} seconds.`;
}

/** Why a gateway gave no answer, for who tried: nothing of the network behind it. */
export function problemOf(error: unknown): string {
  if (error instanceof OutboundRefused) return 'The gateway’s address can’t be reached from here.';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code))
    return 'The gateway can’t be reached.';
  if (/^(?:ECONNRESET|EPIPE)$/.test(code)) return 'The gateway closed the connection.';
  if (/CERT|TLS|SSL/.test(code)) return 'The gateway’s certificate isn’t valid.';
  if (/^HPE_/.test(code)) return 'The gateway’s response isn’t valid HTTP.';
  return error instanceof Error && error.message.startsWith('No response within')
    ? error.message
    : 'The request failed.';
}
