import { canonicalJson } from './canonical-json.ts';

/** A field of what changed: its dotted path, and its value before and after (null: it had none). */
export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Stands for a secret value, whatever it is. */
const struck = '(secret)';

/**
 * The fields in which two objects differ, by path. Objects are compared member by member, lists as a whole. Values at
 * `secretFields` (dotted paths, `*` for every item of a list) are struck out, a change of them still shows.
 */
export function fieldChanges(
  before: object,
  after: object,
  secretFields: readonly string[] = [],
): readonly FieldChange[] {
  const secrets = secretFields.map((path) => path.split('.'));
  const changes: FieldChange[] = [];
  collect(before, after, [], secrets, changes);
  return changes;
}

function collect(
  before: unknown,
  after: unknown,
  path: readonly string[],
  secrets: readonly (readonly string[])[],
  changes: FieldChange[],
): void {
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const below = secrets.filter(([first]) => first === key).map((secret) => secret.slice(1));
      collect(before[key], after[key], [...path, key], below, changes);
    }
    return;
  }
  if (before === undefined && after === undefined) return;
  const [old, current] = [before ?? null, after ?? null];
  if (canonicalJson(old) === canonicalJson(current)) return;
  changes.push({ path: path.join('.'), before: strike(old, secrets), after: strike(current, secrets) });
}

function strike(value: unknown, secrets: readonly (readonly string[])[]): unknown {
  if (value === null || secrets.length === 0) return value;
  if (secrets.some((secret) => secret.length === 0)) return struck;
  if (Array.isArray(value)) {
    const below = secrets.filter(([first]) => first === '*').map((secret) => secret.slice(1));
    return value.map((item) => strike(item, below));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      strike(
        member,
        secrets.filter(([first]) => first === key).map((secret) => secret.slice(1)),
      ),
    ]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
