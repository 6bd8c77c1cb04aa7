import { createHash } from 'node:crypto';
import { canonicalJson } from '@millrace/revision/hash';
import type * as z from 'zod';
import type { JsonObject, JsonValue } from '../../database/schema.ts';
import { ApiError } from '../../frame/errors.ts';
import type { Audited } from '../../frame/handler.ts';
import type { AnyControlOperation, ProductionChange } from '../../frame/operation.ts';
import { type Actor, type Persons, refuseSamePerson } from '../../frame/persons.ts';

type Presented = z.infer<typeof ProductionChange>;

/** Refuses a decision about what is decided. */
export function refuseDecided({ state }: Pick<Presented, 'state'>): void {
  if (state === 'pending') return;
  throw new ApiError('conflict', { message: `This change is ${state}. Request it again to have it decided anew.` });
}

/** Refuses an approval by whoever requested the change, by whatever account or session they come. */
export function refuseApprover(authorKeys: readonly string[], approver: Persons): void {
  refuseSamePerson(approver, authorKeys, 'You requested this change. Ask somebody else to approve it.');
}

/** Whether the request is the caller's own, or that of a service account which they stand behind. */
export function isRequester(authorKeys: readonly string[], { id, userIds }: Actor): boolean {
  return [id, ...userIds].some((account) => authorKeys.includes(account));
}

/** Refuses to withdraw somebody else's request. */
export function refuseWithdrawal(authorKeys: readonly string[], actor: Actor): void {
  if (isRequester(authorKeys, actor)) return;
  throw new ApiError('forbidden', { message: 'Only whoever requested a change can withdraw it. You can reject it.' });
}

/**
 * Refuses to carry out what its requester could not do now.
 *
 * @param requester as they are now; null where the account is gone or suspended
 */
export function refuseLostRight(
  name: string,
  requester: { readonly permissions: ReadonlySet<string> } | null,
  { permissions }: Pick<AnyControlOperation, 'permissions'>,
): void {
  const held = requester?.permissions;
  if (held?.has('deployment.prod') && permissions.some((permission) => held.has(permission))) return;
  throw new ApiError('conflict', {
    message: `${name} no longer has the right to make this change. Reject it, and make it yourself if it is needed.`,
  });
}

/** Refuses to carry out a change of what has been changed since. */
export function refuseChanged(then: string | null, now: string | null): void {
  if (then === now) return;
  throw new ApiError('conflict', {
    message: 'What this changes has been changed since. Reject or withdraw it, and request it again.',
  });
}

/** Why this caller can't approve the change, as a sentence, or null. */
export function approvalObstacle(
  { state }: Pick<Presented, 'state'>,
  authorKeys: readonly string[],
  approver: Persons,
  mayApprove: boolean,
): string | null {
  if (state !== 'pending') return `It is ${state}: there is nothing left to decide.`;
  if (!mayApprove) return 'This needs the permission deployment.prod.';
  try {
    refuseApprover(authorKeys, approver);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/**
 * Tells whether an entity is what it was: by its version, or by all of it where it has none of its own, as what a
 * declarative document changes; null where it isn't there.
 */
export function stateOf(operation: Pick<AnyControlOperation, 'production'>, before: Audited): string | null {
  if (before === null) return null;
  const version = versionOf(before);
  if (version !== null && operation.production !== 'document') return `v${version}`;
  return createHash('sha256').update(canonicalJson(before)).digest('hex');
}

export function versionOf(entity: Audited): number | null {
  return entity !== null && 'version' in entity && typeof entity.version === 'number' ? entity.version : null;
}

/** By what people know an entity. */
export function nameOf(entity: Audited): string {
  const { displayName, name } = (entity ?? {}) as { readonly displayName?: unknown; readonly name?: unknown };
  return [displayName, name].find((text): text is string => typeof text === 'string' && text !== '') ?? '';
}

const struck = '[secret]';

/** What a call sent, without what nobody may read: secret values, keys, and documents, which can hold either. */
export function withoutSecrets(input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const isSecret = name === 'clientKey' || name === 'document' || (name === 'value' && input.secret === true);
      return [name, isSecret && value !== null ? struck : strike(value)];
    }),
  );
}

function strike(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(strike);
  return typeof value === 'object' && value !== null ? withoutSecrets(value as JsonObject) : value;
}
