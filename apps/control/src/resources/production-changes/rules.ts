import { createHash } from 'node:crypto';
import { canonicalJson } from '@millrace/revision/hash';
import type * as z from 'zod';
import type { JsonObject, JsonValue } from '../../database/schema.ts';
import { ApiError } from '../../frame/errors.ts';
import type { Audited } from '../../frame/handler.ts';
import type { AnyControlOperation, ProductionChange } from '../../frame/operation.ts';
import type { requireProductionRight } from '../../frame/production.ts';

type Presented = z.infer<typeof ProductionChange>;
type Pending = Pick<Presented, 'state' | 'authorIds' | 'requestedBy'>;

/** Who acts: a user, or a service account and the users that stand behind it. */
interface Actor {
  readonly id: string;
  readonly userIds: readonly string[];
}

/** All whom a request makes unable to approve it. */
export function authorsOf({ id, userIds }: Actor): readonly string[] {
  return [...new Set([id, ...userIds])];
}

/** Refuses a decision about what is decided. */
export function refuseDecided({ state }: Pick<Presented, 'state'>): void {
  if (state === 'pending') return;
  throw new ApiError('conflict', { message: `This change is ${state}. Request it again to have it decided anew.` });
}

/** Refuses an approval by whoever requested the change, by whatever account or session they come. */
export function refuseApprover({ authorIds }: Pending, approver: Actor): void {
  if (approver.userIds.length === 0) {
    throw new ApiError('forbidden', { message: 'Nobody stands behind this service account: a person has to approve.' });
  }
  if (authorsOf(approver).some((id) => authorIds.includes(id))) {
    throw new ApiError('forbidden', {
      message: 'Whoever requested a change to production can’t approve it: somebody else has to.',
    });
  }
}

/** Refuses to withdraw somebody else's request. */
export function refuseWithdrawal({ authorIds }: Pending, actor: Actor): void {
  if (authorsOf(actor).some((id) => authorIds.includes(id))) return;
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
export function approvalObstacle(change: Pending, actor: Actor & Parameters<typeof requireProductionRight>[0]) {
  try {
    if (change.state !== 'pending') return `It is ${change.state}: there is nothing left to decide.`;
    if (!actor?.permissions.has('deployment.prod')) return 'This needs the permission deployment.prod.';
    refuseApprover(change, actor);
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
