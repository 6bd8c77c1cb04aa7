import { createHash } from 'node:crypto';
import { canonicalJson } from '@millrace/revision/hash';
import type * as z from 'zod';
import type { JsonObject, JsonValue } from '../../database/schema.ts';
import { ApiError, permissionRequired } from '../../frame/errors.ts';
import type { Audited } from '../../frame/handler.ts';
import type { AnyControlOperation, ProductionChange } from '../../frame/operation.ts';
import { type Actor, type Persons, refuseSamePerson } from '../../frame/persons.ts';

type Presented = z.infer<typeof ProductionChange>;

/** Rejects a decision about a change that is already decided. */
export function refuseDecided({ state }: Pick<Presented, 'state'>): void {
  if (state === 'pending') return;
  throw new ApiError('conflict', { message: `This change is ${state}. Request it again for a new decision.` });
}

/** Rejects an approval by the person who requested the change, under any account or session. */
export function refuseApprover(authorKeys: readonly string[], approver: Persons): void {
  refuseSamePerson(approver, authorKeys, 'You requested this change. Ask someone else to approve it.');
}

/** Whether the caller, or a service account of theirs, made the request. */
export function isRequester(authorKeys: readonly string[], { id, userIds }: Actor): boolean {
  return [id, ...userIds].some((account) => authorKeys.includes(account));
}

/** Rejects withdrawing another person's request. */
export function refuseWithdrawal(authorKeys: readonly string[], actor: Actor): void {
  if (isRequester(authorKeys, actor)) return;
  throw new ApiError('forbidden', { message: 'Only the requester can withdraw this change. You can reject it.' });
}

/**
 * Rejects applying a change that its requester could not make now.
 *
 * @param requester as they are now; null if the account no longer exists or is suspended
 */
export function refuseLostRight(
  name: string,
  requester: { readonly permissions: ReadonlySet<string> } | null,
  { permissions }: Pick<AnyControlOperation, 'permissions'>,
): void {
  const held = requester?.permissions;
  if (held?.has('deployment.prod') && permissions.some((permission) => held.has(permission))) return;
  throw new ApiError('conflict', {
    message: `${name} no longer has permission to make this change. Reject it, and make it yourself if needed.`,
  });
}

/** Rejects applying a change to something that has been changed since. */
export function refuseChanged(then: string | null, now: string | null): void {
  if (then === now) return;
  throw new ApiError('conflict', {
    message: 'The entity has been changed since this request. Reject or withdraw the request and make a new one.',
  });
}

/** Why this caller can't approve the change, as a sentence, or null. */
export function approvalObstacle(
  { state }: Pick<Presented, 'state'>,
  authorKeys: readonly string[],
  approver: Persons,
  mayApprove: boolean,
): string | null {
  if (state !== 'pending') return `It is already ${state}.`;
  if (!mayApprove) return permissionRequired(['deployment.prod']);
  try {
    refuseApprover(authorKeys, approver);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/**
 * Whether an entity is unchanged: by its version, or by its whole content if it has none, such as what a declarative
 * document changes; null if it doesn't exist.
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

/** The name by which people know an entity. */
export function nameOf(entity: Audited): string {
  const { displayName, name } = (entity ?? {}) as { readonly displayName?: unknown; readonly name?: unknown };
  return [displayName, name].find((text): text is string => typeof text === 'string' && text !== '') ?? '';
}

const redactedText = '[secret]';

/** The input of a call, without what nobody may read: secret values, keys, and documents, which can contain either. */
export function withoutSecrets(input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const isSecret = name === 'clientKey' || name === 'document' || (name === 'value' && input.secret === true);
      return [name, isSecret && value !== null ? redactedText : redactInput(value)];
    }),
  );
}

function redactInput(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(redactInput);
  return typeof value === 'object' && value !== null ? withoutSecrets(value as JsonObject) : value;
}
