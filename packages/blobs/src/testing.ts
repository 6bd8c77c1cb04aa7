import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small object server that implements the S3 protocol and rejects requests that are not properly signed. */
export interface ObjectServer {
  readonly endpoint: string;
  /** By `/bucket/key`. */
  readonly objects: Map<string, Buffer>;
  /** What the server was asked to encrypt objects by, and with which key, by `/bucket/key`. */
  readonly encryptions: Map<string, readonly [string | undefined, string | undefined]>;
  /** How many of the next requests get 503 `SlowDown`, as from S3 under load. */
  busyAnswers: number;
  /** How many of the next objects break off in the middle. */
  truncatedAnswers: number;
  /** How far its clock is ahead. Like S3, it refuses requests that were signed more than 15 minutes before or after. */
  clockAheadMs: number;
  close(): Promise<void>;
}

export interface ObjectServerCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials, which every request names. */
  readonly sessionToken?: string;
}

export interface ObjectServerOptions {
  /** The only region that requests may be signed for; by default any. */
  readonly region?: string;
  /** The only style of requests: with the bucket in the path, or as a name before this one. */
  readonly virtualHost?: string;
}

const longestSkewMs = 15 * 60_000;

/** Serves PUT, GET and DELETE of objects and whether a prefix has any, on an ephemeral loopback port. */
export async function startObjectServer(
  credentials: ObjectServerCredentials,
  { region, virtualHost }: ObjectServerOptions = {},
): Promise<ObjectServer> {
  const objects = new Map<string, Buffer>();
  const encryptions: ObjectServer['encryptions'] = new Map();
  const state = { busyAnswers: 0, truncatedAnswers: 0, clockAheadMs: 0 };

  /** The bucket and the key; null where the request is of the other style. */
  function pathOf(request: IncomingMessage, url: URL): string | null {
    const path = decodeURIComponent(url.pathname);
    const [host = ''] = (request.headers.host ?? '').split(':');
    if (virtualHost === undefined) return path;
    return host.endsWith(`.${virtualHost}`) ? `/${host.slice(0, -virtualHost.length - 1)}${path}` : null;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (state.busyAnswers > 0) {
      state.busyAnswers--;
      return fail(response, 503, 'SlowDown');
    }
    const now = new Date(Date.now() + state.clockAheadMs);
    response.setHeader('date', now.toUTCString());
    if (!isSigned(request, body, credentials, region)) return fail(response, 403, 'SignatureDoesNotMatch');
    if (Math.abs(signedAtMs(request) - now.getTime()) > longestSkewMs)
      return fail(response, 403, 'RequestTimeTooSkewed');
    const url = new URL(request.url ?? '', 'http://server');
    const path = pathOf(request, url);
    if (path === null) return fail(response, 404, 'NoSuchBucket');
    const stored = objects.get(path);
    if (request.method === 'PUT') {
      objects.set(path, body);
      const asked = (name: string) => request.headers[`x-amz-server-side-encryption${name}`]?.toString();
      encryptions.set(path, [asked(''), asked('-aws-kms-key-id')]);
      response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end();
    } else if (request.method === 'GET' && url.searchParams.get('list-type') === '2') {
      const prefix = `${path.replace(/\/$/, '')}/${url.searchParams.get('prefix') ?? ''}`;
      const [first] = [...objects.keys()].filter((name) => name.startsWith(prefix));
      const found = first === undefined ? '' : '<Contents><Key>first</Key></Contents>';
      const list = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><KeyCount>${first === undefined ? 0 : 1}</KeyCount>${found}</ListBucketResult>`;
      response.writeHead(200, { 'content-type': 'application/xml' }).end(list);
    } else if (request.method === 'GET' && stored && state.truncatedAnswers > 0) {
      state.truncatedAnswers--;
      response.writeHead(200, { 'content-length': stored.length });
      response.write(stored.subarray(0, stored.length / 2), () => response.destroy());
    } else if (request.method === 'GET' && stored) {
      response.writeHead(200, { 'content-length': stored.length }).end(stored);
    } else if (request.method === 'GET') {
      fail(response, 404, 'NoSuchKey');
    } else if (request.method === 'DELETE') {
      objects.delete(path);
      response.writeHead(204).end();
    } else {
      fail(response, 405, 'MethodNotAllowed');
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    endpoint: `http://${virtualHost ?? '127.0.0.1'}:${port}`,
    objects,
    encryptions,
    close,
  });
}

function fail(response: ServerResponse, status: number, code: string): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}

/** AWS Signature Version 4 in the header, over the payload hash in the header, which is checked too. */
function isSigned(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey, sessionToken }: ObjectServerCredentials,
  onlyRegion: string | undefined,
): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, keyId, day, region, signedHeaders, signature] = form.exec(request.headers.authorization ?? '') ?? [];
  if (keyId !== accessKeyId || !day || !region || !signedHeaders) return false;
  if (onlyRegion !== undefined && region !== onlyRegion) return false;
  if (request.headers['x-amz-security-token'] !== sessionToken) return false;
  const payloadHash = String(request.headers['x-amz-content-sha256']);
  if (payloadHash !== 'UNSIGNED-PAYLOAD' && payloadHash !== sha256(body)) return false;
  const url = new URL(request.url ?? '', 'http://server');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort();
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, url.pathname, query.join('&'), headers.join(''), signedHeaders, payloadHash].join(
    '\n',
  );
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return hmac(key, text).toString('hex') === signature;
}

/** Unix milliseconds, from the basic form of ISO 8601; NaN where it is missing. */
function signedAtMs(request: IncomingMessage): number {
  const [, day = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(String(request.headers['x-amz-date'])) ?? [];
  return Date.parse(`${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
