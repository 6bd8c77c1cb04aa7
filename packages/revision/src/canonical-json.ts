/**
 * JSON with the keys of every object sorted by code unit and no spaces: one text for equal values, as RFC 8785 writes it.
 * Members that are `undefined` are left out.
 *
 * @throws TypeError where a value has no JSON: a function, NaN, a Date or another class, a cycle.
 */
export function canonicalJson(value: unknown): string {
  return write(value, new Set());
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
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`A ${object.constructor.name} has no canonical JSON.`);
  }
  const members = Object.entries(object)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member, above)}`);
  return `{${members.join(',')}}`;
}
