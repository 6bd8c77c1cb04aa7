import type { Exchange } from '../http-server/exchange.ts';

/**
 * The headers that identify the caller to targets: X-Forwarded-For, -Proto and -Host, Forwarded (RFC 7239) and Via, as
 * lines of a head. Values from trusted proxies in front come first; those of anyone else are dropped.
 */
export function forwardedLines(exchange: Exchange): Buffer {
  const { connection, request, authority } = exchange;
  if (!connection.isTrusted) {
    const known = connection.forwardedLines;
    if (known !== null && known.authority === authority) return known.bytes;
  }
  const { address } = connection;
  const proto = connection.isSecure ? 'https' : 'http';
  const lines: string[] = [];
  const received = (name: string) => (connection.isTrusted ? request.headers.getAll(name) : []);
  lines.push(`X-Forwarded-For: ${[...received('x-forwarded-for'), address].join(', ')}`);
  if (received('x-forwarded-proto').length === 0) lines.push(`X-Forwarded-Proto: ${proto}`);
  if (authority !== null && received('x-forwarded-host').length === 0) lines.push(`X-Forwarded-Host: ${authority}`);
  const node = address.includes(':') ? `"[${address}]"` : address;
  const host = authority === null ? '' : `;host="${authority}"`;
  lines.push(`Forwarded: ${[...received('forwarded'), `for=${node}${host};proto=${proto}`].join(', ')}`);
  lines.push(`Via: ${connection.isHttp2 ? '2.0' : '1.1'} millrace`, '');
  const bytes = Buffer.from(lines.join('\r\n'), 'latin1');
  if (!connection.isTrusted) connection.forwardedLines = { authority, bytes };
  return bytes;
}
