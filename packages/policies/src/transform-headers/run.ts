import type { HeaderList } from '../header-list.ts';
import { withoutControls } from '../http.ts';
import { clearHit, wasSeen } from '../response-cache/hits.ts';
import type { Exchange, PolicyParts, PolicyToCompile, RequestPolicy, ResponsePolicy } from '../run.ts';
import { transformHeaders } from './config.ts';

type WriteValue = (exchange: Exchange) => string;

/** Changes headers of the request to the target, or of the response to the caller. */
export function compileTransformHeaders(
  policy: PolicyToCompile,
  parts: PolicyParts,
): { readonly request: RequestPolicy; readonly response: ResponsePolicy } {
  const { remove, rename, set, append } = transformHeaders.configuration.parse(policy.configuration);
  const written = (headers: typeof set) => headers.map(({ name, value }) => ({ name, write: writer(value, parts) }));
  const setHeaders = written(set);
  const appendHeaders = written(append);

  const change = (exchange: Exchange, headers: HeaderList): void => {
    for (const name of remove) headers.remove(name);
    for (const { from, to } of rename) renameHeader(headers, from, to);
    for (const { name, write } of setHeaders) headers.set(name, write(exchange));
    for (const { name, write } of appendHeaders) headers.append(name, write(exchange));
  };
  return {
    request: {
      onHead(exchange) {
        change(exchange, exchange.request.headers);
        return null;
      },
    },
    response: {
      onRequest: clearHit,
      onHead(exchange, answer) {
        if (!wasSeen(exchange)) change(exchange, answer.headers);
        return null;
      },
    },
  };
}

/** All values of the one replace all values of the other. */
function renameHeader(headers: HeaderList, from: string, to: string): void {
  if (from === to || !headers.has(from)) return;
  const values = headers.getAll(from);
  headers.remove(from);
  headers.remove(to);
  for (const value of values) headers.append(to, value);
}

/**
 * What writes a value: its text, with what is known beforehand filled in and the rest left to each request.
 *
 * @throws Error where a variable has no value, or one that no header can hold.
 */
function writer(text: string, parts: PolicyParts): WriteValue {
  const segments: (string | WriteValue)[] = [];
  // Every second part is the name within a pair of braces.
  for (const [index, part] of text.split(/\{\{([^{}]*)\}\}/).entries()) {
    const segment = index % 2 === 0 ? part : reference(part, parts);
    const last = segments.at(-1);
    if (typeof segment === 'string' && typeof last === 'string') segments[segments.length - 1] = last + segment;
    else segments.push(segment);
  }
  const [only] = segments;
  if (segments.length === 1 && typeof only === 'string') return () => only;
  return (exchange) => {
    let value = '';
    for (const segment of segments) value += typeof segment === 'string' ? segment : segment(exchange);
    return value;
  };
}

function reference(name: string, parts: PolicyParts): string | WriteValue {
  const [object, member] = name.split('.') as [string, string];
  if (object === 'variables') return variable(member, parts);
  const field = member === 'id' ? 'id' : 'name';
  switch (object) {
    case 'proxy':
    case 'environment':
      return headerText(parts[object][field]);
    case 'client':
      return (exchange) => headerText(exchange.forwardedAddress);
    case 'request':
      if (member === 'id') return (exchange) => headerText(exchange.id);
      return member === 'path'
        ? (exchange) => headerText(exchange.request.path)
        : (exchange) => headerText(exchange.request.method);
    case 'app':
    case 'product':
    case 'developer':
      return ({ caller }) => (caller?.kind === 'key' ? headerText(caller[object][field]) : '');
    default:
      throw new Error(`A header refers to {{${name}}}, which doesn’t exist.`);
  }
}

function variable(name: string, parts: PolicyParts): string {
  const value = parts.variables.get(name);
  if (value === undefined) throw new Error(`The variable ${name} has no value in this environment.`);
  // A secret with its line breaks taken out would be another secret.
  if (withoutControls(value) !== value) {
    throw new Error(`The value of the variable ${name} contains characters that headers can’t contain.`);
  }
  return latin1(value);
}

/** The text as a header can hold it: UTF-8, without control characters, so that it never ends its line. */
function headerText(text: string): string {
  return latin1(withoutControls(text));
}

/** UTF-8 bytes, each as one character. */
function latin1(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is the same in both.
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text).toString('latin1');
}
