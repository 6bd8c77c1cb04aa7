import { checkMove, findPolicyKind } from '@millrace/policies';
import type { PolicyFlow } from '@millrace/policies/kind';
import type { DataOf } from '../../../frame/api.ts';

export type Policy = DataOf<'getPolicy'>;

/** A move within a flow: what the flow looks like after it, or why it is refused, as the server would say it. */
export type Move =
  | { readonly ok: true; readonly policies: readonly Policy[] }
  | { readonly ok: false; readonly reason: string };

/** Moves the policy of one id to the place of another, both of them in these policies of one flow. */
export function movePolicy(policies: readonly Policy[], id: string, overId: string): Move {
  const from = policies.findIndex((policy) => policy.id === id);
  const to = policies.findIndex((policy) => policy.id === overId);
  const reason = checkMove(policies, from, to);
  if (reason !== null) return { ok: false, reason };
  return { ok: true, policies: policies.toSpliced(from, 1).toSpliced(to, 0, policies[from]!) };
}

/** What a kind is called; its code where the console does not know it. */
export function kindTitle(kind: string): string {
  return findPolicyKind(kind)?.title ?? kind;
}

/** Kinds of a flow by what they are there for, in the order of their ranks. */
export const rankNames: Readonly<Record<PolicyFlow, Readonly<Record<number, string>>>> = {
  request: {
    10: 'Where calls come from',
    20: 'Who calls',
    30: 'How many calls in the long run',
    40: 'How many calls at once',
    50: 'What calls look like',
    60: 'What becomes of them',
  },
  response: { 10: 'What answers may show', 20: 'What becomes of answers' },
};
