import { findPolicyKind, type PolicyFlow, type PolicyKind, parseConfiguration } from '@millrace/policies';
import * as z from 'zod';
import type { JsonObject, JsonValue } from '../../database/schema.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';

/** As many policies as a revision holds. */
export const mostPolicies = 100;

/** A kind as the API shows it, its configuration as JSON Schema. */
export function describeKind(kind: PolicyKind) {
  return {
    kind: kind.kind,
    title: kind.title,
    description: kind.description,
    flows: [...kind.flows],
    rank: kind.rank,
    maxPerFlow: kind.maxPerFlow,
    // What callers give, so that a field with a default is optional.
    configurationSchema: z.toJSONSchema(kind.configuration, { io: 'input' }) as Configuration,
    // Written as JSON in the kinds.
    defaultConfiguration: kind.defaultConfiguration as Configuration,
    example: kind.example as Configuration,
    secretFields: [...kind.secretFields],
  };
}

export type Configuration = z.infer<z.ZodRecord<z.ZodString, z.ZodJSONSchema>>;

/** The kind of that name, or the answer that there is none. */
export function requireKind(kind: string): PolicyKind {
  const found = findPolicyKind(kind);
  if (found === null) throw fieldError('kind', `There is no policy kind ${kind}: GET /api/policy-kinds lists them.`);
  return found;
}

/** The flow that is asked for, or the kind's first. */
export function requireFlow(kind: PolicyKind, flow: PolicyFlow | undefined): PolicyFlow {
  const wanted = flow ?? kind.flows[0]!;
  if (kind.flows.includes(wanted)) return wanted;
  throw fieldError('flow', `${kind.title} stands on the ${kind.flows.join(' or ')} flow alone.`);
}

/** A configuration of the kind with its defaults filled in; what is wrong with it stands at `configuration.FIELD`. */
export function requireConfiguration(kind: string, value: unknown): Configuration {
  const parsed = parseConfiguration(kind, value);
  if (parsed.ok) return parsed.value;
  throw new ApiError('invalid_request', {
    errors: Object.fromEntries(
      Object.entries(parsed.errors).map(([path, message]) => [
        path === '' ? 'configuration' : `configuration.${path}`,
        message,
      ]),
    ),
  });
}

interface Named {
  readonly flow: PolicyFlow;
  readonly kind: string;
  readonly name: string;
}

/** A name that tells the policy from the others of its kind on its flow: the title, then `Quota 2` and so on. */
export function freeName(policies: readonly Named[], flow: PolicyFlow, { kind, title }: PolicyKind): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? title : `${title} ${number}`;
    if (!isNameTaken(policies, { flow, kind, name })) return name;
  }
}

/** Whether another policy goes by the name: a trail and a diff tell policies of one kind and flow apart by it. */
export function isNameTaken(policies: readonly Named[], { flow, kind, name }: Named): boolean {
  return policies.some((policy) => policy.flow === flow && policy.kind === kind && policy.name === name);
}

/** Why the ids are no new order of the policies, as a sentence for the operator, or null. */
export function permutationFault(present: readonly string[], wanted: readonly string[]): string | null {
  if (new Set(wanted).size !== wanted.length) return 'Name each policy once.';
  const unknown = wanted.find((id) => !present.includes(id));
  if (unknown !== undefined) return `The flow has no policy ${unknown}.`;
  const missing = present.find((id) => !wanted.includes(id));
  return missing === undefined ? null : `Name every policy of the flow: ${missing} is missing.`;
}

/** What stands in the audit trail in place of a secret. */
export const struck = '[secret]';

/** A configuration without its secrets: each stands as {@link struck}. */
export function withoutSecrets(kind: string, configuration: Configuration): Configuration {
  const paths = findPolicyKind(kind)?.secretFields ?? [];
  return paths.reduce<JsonValue>(
    (value, path) => strike(value, path.split('.')),
    configuration as JsonObject,
  ) as Configuration;
}

function strike(value: JsonValue, path: readonly string[]): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return value === null ? null : struck;
  if (key === '*') return Array.isArray(value) ? value.map((item: JsonValue) => strike(item, rest)) : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !(key in value)) return value;
  const fields = value as JsonObject;
  return { ...fields, [key]: strike(fields[key] ?? null, rest) };
}
