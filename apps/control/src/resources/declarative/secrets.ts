import { findPolicyKind } from '@millrace/policies';
import type { JsonObject, JsonValue } from '../../database/schema.ts';
import { fieldError } from '../../frame/errors.ts';
import { type Configuration, struck } from '../policies/rules.ts';

/** A value that names a variable of the environment, `{{variables.TOKEN}}`, is no secret: its variable is. */
const variableReference = /\{\{\s*variables\./;

/** A configuration as a document shows it: what is written out in a field for secrets stands as `[secret]`. */
export function hideSecrets(kind: string, configuration: Configuration): Configuration {
  return mapSecrets(kind, configuration, (value) =>
    typeof value === 'string' && variableReference.test(value) ? value : struck,
  );
}

/**
 * A configuration of a document with the secrets of the present one where it says `[secret]`.
 *
 * @param present null where there is none yet
 * @throws ApiError at `configuration.FIELD` where there is no secret to keep
 */
export function keepSecrets(kind: string, configuration: Configuration, present: Configuration | null): Configuration {
  const kept = new Map<string, JsonValue>();
  if (present !== null) {
    mapSecrets(kind, present, (value, place) => {
      kept.set(place, value);
      return value;
    });
  }
  return mapSecrets(kind, configuration, (value, place) => {
    if (value !== struck) return value;
    const secret = kept.get(place);
    if (secret === undefined) {
      throw fieldError(
        `configuration.${place}`,
        'A document holds no secrets: write the value, best as {{variables.NAME}} of a secret variable.',
      );
    }
    return secret;
  });
}

type Change = (value: JsonValue, place: string) => JsonValue;

function mapSecrets(kind: string, configuration: Configuration, change: Change): Configuration {
  const paths = findPolicyKind(kind)?.secretFields ?? [];
  return paths.reduce<JsonValue>(
    (value, path) => mapAt(value, path.split('.'), '', change),
    configuration as JsonObject,
  ) as Configuration;
}

function mapAt(value: JsonValue, path: readonly string[], place: string, change: Change): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return value === null ? null : change(value, place);
  const within = (name: string) => (place === '' ? name : `${place}.${name}`);
  if (key === '*') {
    if (!Array.isArray(value)) return value;
    const counts = new Map<string, number>();
    return (value as readonly JsonValue[]).map((item) => {
      // An item is known by its name, so that it may move, and by its number among those of that name.
      const name = nameOf(item);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return mapAt(item, rest, within(count === 1 ? name : `${name}-${count}`), change);
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !(key in value)) return value;
  const fields = value as JsonObject;
  return { ...fields, [key]: mapAt(fields[key] ?? null, rest, within(key), change) };
}

function nameOf(item: JsonValue): string {
  if (typeof item !== 'object' || item === null || !('name' in item)) return 'item';
  return typeof item.name === 'string' ? item.name.toLowerCase() : 'item';
}
