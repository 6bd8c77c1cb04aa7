import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { TargetServer } from '@millrace/gateway-configuration/manifest';
import { canonicalJson } from '@millrace/revision/hash';
import { PreparedText } from '../http/head-writer.ts';
import { Condition } from './condition.ts';
import type { Endpoint, Target } from './endpoints.ts';
import { Http2Pool } from './http2-pool.ts';
import { ConnectionPool } from './pool.ts';
import type { Reach } from './reach.ts';
import { RetryBudget } from './retry.ts';

/**
 * A target as the manifest describes it, with a pool of connections for each of its endpoints.
 *
 * @param clientKey PEM of the key to its client certificate; null where it has none
 */
export function createTarget(name: string, server: TargetServer, clientKey: string | null, reach: Reach): Target {
  const endpoints: Endpoint[] = [];
  // Without TLS nothing would choose.
  const protocol =
    server.protocol === undefined || (server.protocol === 'auto' && server.scheme === 'http')
      ? 'http1'
      : server.protocol;
  const target: Target = {
    id: server.id,
    name,
    enabled: server.enabled,
    scheme: server.scheme,
    protocol,
    negotiated: null,
    healthPath: server.healthPath,
    tls: server.scheme === 'https' ? tlsOptions(server.tls, clientKey) : null,
    fingerprint: createHash('sha256').update(canonicalJson({ server, clientKey })).digest('base64'),
    retries: new RetryBudget(),
    endpoints,
  };
  for (const { host, port, weight } of server.endpoints) {
    const hostName = isIPv6(host) ? `[${host}]` : host;
    const address = `${hostName}:${port}`;
    // The scheme's own port is left out.
    const authority = port === (server.scheme === 'https' ? 443 : 80) ? hostName : address;
    const connectable = { host, port, tls: target.tls, reach };
    endpoints.push({
      target,
      host,
      port,
      weight,
      address,
      reach,
      versionAndHost: new PreparedText(` HTTP/1.1\r\nHost: ${authority}\r\n`),
      authority,
      pool: new ConnectionPool(connectable),
      http2: protocol === 'http1' ? null : new Http2Pool(connectable),
      condition: new Condition(),
    });
  }
  return target;
}

function tlsOptions(tls: TargetServer['tls'], clientKey: string | null): ConnectionOptions {
  const { serverName, certificateAuthorities, clientCertificate } = tls;
  return {
    ALPNProtocols: ['http/1.1'],
    ...(serverName === null ? {} : { servername: serverName }),
    ...(certificateAuthorities === null ? {} : { ca: certificateAuthorities }),
    ...(clientCertificate === null || clientKey === null ? {} : { cert: clientCertificate, key: clientKey }),
  };
}
