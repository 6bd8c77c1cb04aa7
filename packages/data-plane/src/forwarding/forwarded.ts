import type { Exchange } from '../http-server/exchange.ts';

/**
 * What targets are told of the caller: X-Forwarded-For, -Proto and -Host, Forwarded (RFC 7239) and Via, as lines of a
 * head. What trusted proxies in front have told goes before it; of anybody else nothing is taken over.
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
  const told = (name: string) => (connection.isTrusted ? request.headers.getAll(name) : []);
  lines.push(`X-Forwarded-For: ${[...told('x-forwarded-for'), address].join(', ')}`);
  if (told('x-forwarded-proto').length === 0) lines.push(`X-Forwarded-Proto: ${proto}`);
  if (authority !== null && told('x-forwarded-host').length === 0) lines.push(`X-Forwarded-Host: ${authority}`);
  const node = address.includes(':') ? `"[${address}]"` : address;
  const host = authority === null ? '' : `;host="${authority}"`;
  lines.push(`Forwarded: ${[...told('forwarded'), `for=${node}${host};proto=${proto}`].join(', ')}`);
  lines.push('Via: 1.1 millrace', '');
  const bytes = Buffer.from(lines.join('\r\n'), 'latin1');
  if (!connection.isTrusted) connection.forwardedLines = { authority, bytes };
  return bytes;
}
