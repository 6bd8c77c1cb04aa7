import { problemsOf } from '@millrace/operations/problems';
import type * as z from 'zod';
import { cors } from './cors/config.ts';
import { dataMasking } from './data-masking/config.ts';
import { ipAllowList } from './ip-allow-list/config.ts';
import type { PolicyFlow, PolicyKind } from './kind.ts';
import { mockResponse } from './mock-response/config.ts';
import { quota } from './quota/config.ts';
import { requestSizeLimit } from './request-size-limit/config.ts';
import { requestValidation } from './request-validation/config.ts';
import { responseCache } from './response-cache/config.ts';
import { spikeArrest } from './spike-arrest/config.ts';
import { transformHeaders } from './transform-headers/config.ts';
import { verifyApiKey } from './verify-api-key/config.ts';
import { verifyJwt } from './verify-jwt/config.ts';

const kinds = [
  ipAllowList,
  cors,
  verifyApiKey,
  verifyJwt,
  quota,
  spikeArrest,
  requestSizeLimit,
  requestValidation,
  transformHeaders,
  responseCache,
  mockResponse,
  dataMasking,
] as const;

/** Every kind, in the order of the request flow, then those of the response flow alone. */
export const policyKinds: readonly PolicyKind[] = kinds;

type Kinds = (typeof kinds)[number];

/** The whole configuration of a kind, all defaults filled in; a record where the kind is only known as a string. */
export type PolicyConfiguration<Kind extends string> = Kind extends Kinds['kind']
  ? z.output<Extract<Kinds, { kind: Kind }>['configuration']>
  : Record<string, z.core.util.JSONType>;

/** What the order of a flow depends on. */
export interface PlacedPolicy {
  readonly flow: PolicyFlow;
  readonly kind: string;
  readonly name: string;
}

const kindsByName = new Map<string, PolicyKind>(kinds.map((kind) => [kind.kind, kind]));

/** The kind of that name, or null. */
export function findPolicyKind(kind: string): PolicyKind | null {
  return kindsByName.get(kind) ?? null;
}

/**
 * The first problem with these policies in this order, as a sentence for the operator, or null: an unknown
 * kind, a kind on a flow that doesn't allow it, more of a kind than a flow allows, or a policy before one of a lower
 * rank. The flows may be mixed: each is checked separately.
 */
export function checkOrder(policies: readonly PlacedPolicy[]): string | null {
  const counts = new Map<string, number>();
  const highest = new Map<PolicyFlow, { readonly policy: PlacedPolicy; readonly rank: number }>();
  for (const policy of policies) {
    const kind = findPolicyKind(policy.kind);
    if (!kind) return `Unknown policy kind "${policy.kind}".`;
    const rank = kind.rank[policy.flow];
    if (rank === undefined) return `${kind.title} is only allowed on the ${kind.flows.join(' or ')} flow.`;

    const place = `${policy.flow} ${policy.kind}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    if (kind.maxPerFlow !== null && count > kind.maxPerFlow) {
      return `The ${policy.flow} flow can have at most ${kind.maxPerFlow} ${kind.title}.`;
    }

    const before = highest.get(policy.flow);
    if (before && before.rank > rank) {
      return `On the ${policy.flow} flow, ${label(policy)} must come before ${label(before.policy)}.`;
    }
    if (!before || before.rank < rank) highest.set(policy.flow, { policy, rank });
  }
  return null;
}

/**
 * The index for a new policy of the kind in the whole list: after the last one of the same or a lower rank on its
 * flow. The first of a flow goes to the start of the list on the request flow, to its end on the response flow.
 *
 * @throws Error if the kind is unknown or not allowed on the flow.
 */
export function insertionIndex(policies: readonly PlacedPolicy[], flow: PolicyFlow, kind: string): number {
  const rank = rankOf(flow, kind);
  if (rank === null) throw new Error(`"${kind}" is not allowed on the ${flow} flow.`);
  const last = policies.findLastIndex((policy) => {
    const other = policy.flow === flow ? rankOf(flow, policy.kind) : null;
    return other !== null && other <= rank;
  });
  if (last >= 0) return last + 1;
  const first = policies.findIndex((policy) => policy.flow === flow);
  if (first >= 0) return first;
  return flow === 'request' ? 0 : policies.length;
}

/**
 * Why the policy at index `from` can't be moved to index `to` of the list, as a sentence for the operator, or
 * null if it can. Policies stay within their flow.
 */
export function checkMove(policies: readonly PlacedPolicy[], from: number, to: number): string | null {
  const moved = policies[from];
  const target = policies[to];
  if (!moved || !target) return 'No policy at this position.';
  if (moved.flow !== target.flow) return `${label(moved)} stays on the ${moved.flow} flow.`;
  return checkOrder(policies.toSpliced(from, 1).toSpliced(to, 0, moved));
}

/** A configuration with every default filled in, or its problems: a sentence by dotted field path. */
export type ParsedConfiguration<Kind extends string> =
  | { readonly ok: true; readonly value: PolicyConfiguration<Kind> }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/** Parses a configuration of the kind. Problems of the configuration as a whole have an empty path. */
export function parseConfiguration<Kind extends string>(kind: Kind, value: unknown): ParsedConfiguration<Kind> {
  const found = findPolicyKind(kind);
  if (!found) return { ok: false, errors: { '': `Unknown policy kind "${kind}".` } };
  const parsed = found.configuration.safeParse(value);
  // The schema was looked up by the kind's name: what it gives is that kind's configuration.
  if (parsed.success) return { ok: true, value: parsed.data as PolicyConfiguration<Kind> };
  const errors: Record<string, string> = {};
  for (const { path, message } of problemsOf(parsed.error.issues, 'field')) errors[path.join('.')] ??= message;
  return { ok: false, errors };
}

function rankOf(flow: PolicyFlow, kind: string): number | null {
  return findPolicyKind(kind)?.rank[flow] ?? null;
}

function label({ kind, name }: PlacedPolicy): string {
  return `${findPolicyKind(kind)?.title ?? kind} "${name}"`;
}
