import { hideCredentials } from '@millrace/policies/secrets';
import { canonicalJson } from './canonical-json.ts';

/** A field of what changed: its dotted path, and its value before and after (null: it had none). */
export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * The fields in which two objects differ, by path. Objects are compared member by member, lists as a whole. Literal
 * credentials are redacted; a change of them is still shown.
 */
export function fieldChanges(before: object, after: object): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  collect(before, after, [hideCredentials(before), hideCredentials(after)], [], changes);
  return changes;
}

/** @param shown what is shown of both, in the same shape */
function collect(
  before: unknown,
  after: unknown,
  shown: readonly [unknown, unknown],
  path: readonly string[],
  changes: FieldChange[],
): void {
  const members = (value: unknown): Readonly<Record<string, unknown>> | null =>
    value === undefined ? {} : isObject(value) ? value : null;
  const [first, second] = [members(before), members(after)];
  if (first !== null && second !== null) {
    const [old, current] = [members(shown[0]) ?? {}, members(shown[1]) ?? {}];
    for (const key of new Set([...Object.keys(first), ...Object.keys(second)])) {
      collect(first[key], second[key], [old[key], current[key]], [...path, key], changes);
    }
    return;
  }
  if (canonicalJson(before ?? null) === canonicalJson(after ?? null)) return;
  changes.push({ path: path.join('.'), before: shown[0] ?? null, after: shown[1] ?? null });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
