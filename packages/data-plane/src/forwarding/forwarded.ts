import type { Exchange } from '../http-server/exchange.ts';

/**
 * The headers that identify the caller to targets: X-Forwarded-For, -Proto and -Host, Forwarded (RFC 7239) and Via, as
 * lines of a head. Values from trusted proxies in front come first; those of anyone else are dropped.
 */
export function forwardedLines(exchange: Exchange): Buffer {
  const { connection, authority } = exchange;
  if (!connection.isTrusted) {
    const known = connection.forwardedLines;
    if (known !== null && known.authority === authority) return known.bytes;
  }
  const fields = forwardedFields(exchange);
  let lines = '';
  for (let index = 0; index < fields.length; index += 2) lines += `${fields[index]}: ${fields[index + 1]}\r\n`;
  const bytes = Buffer.from(lines, 'latin1');
  if (!connection.isTrusted) connection.forwardedLines = { authority, bytes };
  return bytes;
}

/** The same as name, value, name, value, … */
export function forwardedFields({ connection, request, authority }: Exchange): readonly string[] {
  const { address, isTrusted, isSecure, isHttp2 } = connection;
  const proto = isSecure ? 'https' : 'http';
  const received = (name: string) => (isTrusted ? request.headers.getAll(name) : []);
  const fields = ['X-Forwarded-For', [...received('x-forwarded-for'), address].join(', ')];
  if (received('x-forwarded-proto').length === 0) fields.push('X-Forwarded-Proto', proto);
  if (authority !== null && received('x-forwarded-host').length === 0) fields.push('X-Forwarded-Host', authority);
  const node = address.includes(':') ? `"[${address}]"` : address;
  const host = authority === null ? '' : `;host="${authority}"`;
  fields.push('Forwarded', [...received('forwarded'), `for=${node}${host};proto=${proto}`].join(', '));
  fields.push('Via', `${isHttp2 ? '2.0' : '1.1'} millrace`);
  return fields;
}
