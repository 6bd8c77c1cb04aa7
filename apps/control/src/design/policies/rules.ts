import { findPolicyKind, parseConfiguration } from '@millrace/policies';
import type { PolicyFlow, PolicyKind } from '@millrace/policies/kind';
import { hideCredentials, keepSecrets } from '@millrace/policies/secrets';
import * as z from 'zod';
import { ApiError, fieldError } from '../../frame/errors.ts';

/** Maximum policies per revision. */
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
    // As callers send it, so that a field with a default is optional.
    configurationSchema: z.toJSONSchema(kind.configuration, { io: 'input' }) as Configuration,
    // Written as JSON in the kinds.
    defaultConfiguration: kind.defaultConfiguration as Configuration,
    example: kind.example as Configuration,
    secretFields: [...kind.secretFields],
  };
}

export type Configuration = z.infer<z.ZodRecord<z.ZodString, z.ZodJSONSchema>>;

/** The kind with this name; rejects an unknown one. */
export function requireKind(kind: string): PolicyKind {
  const found = findPolicyKind(kind);
  if (found === null) throw fieldError('kind', `Unknown policy kind ${kind}. See GET /api/policy-kinds.`);
  return found;
}

/** The requested flow, or the kind's first. */
export function requireFlow(kind: PolicyKind, flow: PolicyFlow | undefined): PolicyFlow {
  const wanted = flow ?? kind.flows[0]!;
  if (kind.flows.includes(wanted)) return wanted;
  throw fieldError('flow', `${kind.title} is only allowed on the ${kind.flows.join(' or ')} flow.`);
}

/** A configuration of the kind with its defaults; errors are reported at `configuration.FIELD`. */
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

/** A name that is unique among the policies of its kind and flow: the title, then `Quota 2` and so on. */
export function freeName(policies: readonly Named[], flow: PolicyFlow, { kind, title }: PolicyKind): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? title : `${title} ${number}`;
    if (!isNameTaken(policies, { flow, kind, name })) return name;
  }
}

/** Whether another policy has the name: audit entries and diffs identify policies of one kind and flow by it. */
export function isNameTaken(policies: readonly Named[], { flow, kind, name }: Named): boolean {
  return policies.some((policy) => policy.flow === flow && policy.kind === kind && policy.name === name);
}

/** Why the ids are no new order of the policies, as a sentence for the operator, or null. */
export function permutationFault(present: readonly string[], wanted: readonly string[]): string | null {
  if (new Set(wanted).size !== wanted.length) return 'List each policy once.';
  const unknown = wanted.find((id) => !present.includes(id));
  if (unknown !== undefined) return `The flow has no policy ${unknown}.`;
  const missing = present.find((id) => !wanted.includes(id));
  return missing === undefined ? null : `List every policy of the flow. ${missing} is missing.`;
}

/**
 * A submitted configuration, with the current secrets in place of `[secret]`.
 *
 * @param present null if there is none yet
 * @throws ApiError at `configuration.FIELD` if there is no secret to keep
 */
export function withKeptSecrets(configuration: Configuration, present: Configuration | null): Configuration {
  const { configuration: filled, missing } = keepSecrets(configuration, present);
  if (missing === null) return filled;
  throw fieldError(
    `configuration.${missing.path}`,
    'There is no stored secret here. Enter the value, or {{variables.NAME}} for a secret variable.',
  );
}

/** A policy or template as the API returns it, with its credentials redacted. */
export function withoutCredentials<Configured extends { readonly configuration: Configuration }>(
  configured: Configured,
): Configured {
  return { ...configured, configuration: hideCredentials(configured.configuration) };
}
