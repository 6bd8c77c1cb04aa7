import { findPolicyKind, parseConfiguration } from '@millrace/policies';
import type { PolicyFlow, PolicyKind } from '@millrace/policies/kind';
import { hideCredentials, keepSecrets } from '@millrace/policies/secrets';
import * as z from 'zod';
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

/**
 * A configuration as it was written, with the present one's secrets where it says `[secret]`.
 *
 * @param present null where there is none yet
 * @throws ApiError at `configuration.FIELD` where there is no secret to keep
 */
export function withKeptSecrets(configuration: Configuration, present: Configuration | null): Configuration {
  const { configuration: filled, missing } = keepSecrets(configuration, present);
  if (missing === null) return filled;
  throw fieldError(
    `configuration.${missing.path}`,
    'There is no stored secret to keep here. Enter the value, or {{variables.NAME}} of a secret variable.',
  );
}

/** A policy or template as the API answers it: its credentials struck. */
export function withoutCredentials<Configured extends { readonly configuration: Configuration }>(
  configured: Configured,
): Configured {
  return { ...configured, configuration: hideCredentials(configured.configuration) };
}
