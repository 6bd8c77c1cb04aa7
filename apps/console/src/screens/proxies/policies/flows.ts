import { checkMove, findPolicyKind } from '@millrace/policies';
import type { PolicyFlow } from '@millrace/policies/kind';
import type { DataOf } from '../../../frame/api.ts';

export type Policy = DataOf<'getPolicy'>;

/** A move within a flow: the flow after it, or the server's reason to reject it. */
export type Move =
  | { readonly ok: true; readonly policies: readonly Policy[] }
  | { readonly ok: false; readonly reason: string };

/** Moves a policy to the position of another one in the same flow. */
export function movePolicy(policies: readonly Policy[], id: string, overId: string): Move {
  const from = policies.findIndex((policy) => policy.id === id);
  const to = policies.findIndex((policy) => policy.id === overId);
  const reason = checkMove(policies, from, to);
  if (reason !== null) return { ok: false, reason };
  return { ok: true, policies: policies.toSpliced(from, 1).toSpliced(to, 0, policies[from]!) };
}

/** The title of a kind; its code if the console doesn’t know it. */
export function kindTitle(kind: string): string {
  return findPolicyKind(kind)?.title ?? kind;
}

/** What the kinds of each rank are for, by flow. */
export const rankNames: Readonly<Record<PolicyFlow, Readonly<Record<number, string>>>> = {
  request: {
    10: 'Traffic sources',
    20: 'Authentication',
    30: 'Quotas',
    40: 'Rate limits',
    50: 'Validation',
    60: 'Transformation and mocking',
  },
  response: { 10: 'Data protection', 20: 'Transformation' },
};
