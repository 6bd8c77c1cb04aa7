/** A header field: its name in lower case, and its whole line. */
export interface HeaderLine {
  readonly key: string;
  readonly line: string;
}

/** What the relay says of the sender: no forgery, a forgery, or nothing that decides it. */
export type SenderAuthentication = 'passed' | 'failed' | 'unknown';

/** One method's result, such as `dkim=pass header.d=example.com`. */
interface MethodResult {
  readonly method: string;
  readonly result: string;
  /** By name in lower case, such as `header.d`. */
  readonly properties: ReadonlyMap<string, string>;
}

/** Longer fields are ignored. */
const longestField = 16_384;

/**
 * Whether the sender owns the address in `From`, according to the header `Authentication-Results` (RFC 8601) of a trusted
 * relay. Relays add theirs at the top, so only the topmost one that names the relay counts, and only above every
 * `Received` except the relay's own: anything a sender wrote is further down.
 *
 * @param headers of the message, from the top
 * @param server the relay's name in its header (`authserv-id`)
 * @param fromDomain of the address in `From`
 */
export function authenticationOf(
  headers: readonly HeaderLine[],
  server: string,
  fromDomain: string,
): SenderAuthentication {
  let receivedCount = 0;
  for (const { key, line } of headers) {
    if (key === 'received' && ++receivedCount > 1) break;
    if (key !== 'authentication-results' || line.length > longestField) continue;
    const read = readAuthenticationResults(line.slice(line.indexOf(':') + 1));
    if (read.server === server.toLowerCase()) return judge(read.results, fromDomain.toLowerCase());
  }
  return 'unknown';
}

/** DMARC decides; without it SPF or DKIM does, for a domain that is aligned with that of `From`. */
function judge(results: readonly MethodResult[], fromDomain: string): SenderAuthentication {
  const dmarc = results.find(({ method, properties }) => {
    return method === 'dmarc' && (properties.get('header.from') ?? fromDomain).toLowerCase() === fromDomain;
  });
  if (dmarc?.result === 'pass') return 'passed';
  if (dmarc?.result === 'fail') return 'failed';
  const isOfSender = ({ method, properties }: MethodResult) => {
    if (method === 'spf') return isAligned(domainOf(properties.get('smtp.mailfrom')), fromDomain);
    return (
      method === 'dkim' && isAligned(domainOf(properties.get('header.d') ?? properties.get('header.i')), fromDomain)
    );
  };
  const checked = results.filter(({ method }) => method === 'spf' || method === 'dkim');
  if (checked.some((result) => result.result === 'pass' && isOfSender(result))) return 'passed';
  return checked.some(({ result }) => result === 'fail' || result === 'softfail') ? 'failed' : 'unknown';
}

function domainOf(address: string | undefined): string {
  return address?.slice(address.lastIndexOf('@') + 1).toLowerCase() ?? '';
}

function isAligned(domain: string, fromDomain: string): boolean {
  return (
    domain !== '' && (domain === fromDomain || fromDomain.endsWith(`.${domain}`) || domain.endsWith(`.${fromDomain}`))
  );
}

/** Reads the header's value: the server's name, then the results, each between semicolons. */
function readAuthenticationResults(value: string): { server: string; results: MethodResult[] } {
  const [first = '', ...rest] = partsOf(value);
  const results = rest.flatMap((part) => {
    const [head, ...properties] = part
      .replaceAll(/\s*=\s*/g, '=')
      .trim()
      .split(/\s+/)
      .map(pairOf);
    if (!head?.value) return [];
    const method = head.name.split('/')[0] ?? '';
    return [
      { method, result: head.value.toLowerCase(), properties: new Map(properties.map((p) => [p.name, p.value])) },
    ];
  });
  return { server: (first.trim().split(/\s+/)[0] ?? '').toLowerCase(), results };
}

function pairOf(text: string): { name: string; value: string } {
  const equals = text.indexOf('=');
  if (equals === -1) return { name: text.toLowerCase(), value: '' };
  return { name: text.slice(0, equals).toLowerCase(), value: text.slice(equals + 1) };
}

/**
 * Splits a structured value at its semicolons. Comments, which nest, are left out; of quoted text, only characters that
 * can't split it are kept (RFC 5322, 3.2).
 */
function partsOf(value: string): string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < value.length; index++) {
    const character = value.charAt(index);
    if (character === '\\' && (isQuoted || depth > 0)) index++;
    else if (isQuoted) {
      if (character === '"') isQuoted = false;
      else if (!/[\s;=]/.test(character)) part += character;
    } else if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth > 0) continue;
    else if (character === '"') isQuoted = true;
    else if (character === ';') {
      parts.push(part);
      part = '';
    } else part += character;
  }
  parts.push(part);
  return parts;
}
