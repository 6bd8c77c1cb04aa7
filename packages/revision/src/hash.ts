import { createHash } from 'node:crypto';

/**
 * JSON with the keys of every object sorted by code unit and no spaces: one text for equal values, as RFC 8785 writes it.
 * Members that are `undefined` are left out.
 *
 * @throws TypeError where a value has no JSON, such as a function, NaN, or a cycle.
 */
export function canonicalJson(value: unknown): string {
  return write(value, new Set());
}

/** SHA-256, as 64 hex digits, of the canonical JSON. The identifiers of routes and policies are part of it. */
export function contentHash(content: unknown): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}

function write(value: unknown, above: Set<object>): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== 'object') throw new TypeError(`A ${typeof value} has no canonical JSON.`);
  if (above.has(value)) throw new TypeError('A value that holds itself has no canonical JSON.');
  above.add(value);
  const text = Array.isArray(value) ? writeArray(value, above) : writeObject(value, above);
  above.delete(value);
  return text;
}

function writeArray(items: readonly unknown[], above: Set<object>): string {
  return `[${items.map((item) => write(item, above)).join(',')}]`;
}

function writeObject(object: object, above: Set<object>): string {
  const members = Object.entries(object)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member, above)}`);
  return `{${members.join(',')}}`;
}
