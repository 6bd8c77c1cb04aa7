import { ApiError, permissionRequired } from '../../frame/errors.ts';
import { type Actor, type Persons, refuseSamePerson } from '../../frame/persons.ts';
import type { stages } from '../proxies/contract.ts';

export type Stage = (typeof stages)[number];

/** Stages that a move can be requested to; `review` is on the way to `approved`. */
export const targets = ['approved', 'published', 'deprecated', 'retired'] as const;
export type Target = (typeof targets)[number];

/** A pending request, as far as the decision depends on it. */
export interface PendingRequest {
  readonly toStage: Target;
  /** Hash of the content that the decision is about. */
  readonly contentHash: string;
  readonly requestedBy: string;
  /** People who may not approve it: the requester, whoever is behind that account, and the authors of the content. */
  readonly authorKeys: readonly string[];
}

/** A proxy's position in its lifecycle. */
export interface Life {
  readonly stage: Stage;
  /** Of the working copy. */
  readonly contentHash: string;
  /** Of the approved content; null if there is none. */
  readonly approvedHash: string | null;
  /** Authors of the working copy since it was last approved. */
  readonly authorKeys: readonly string[];
  readonly request: PendingRequest | null;
}

/** What decides about a request besides the lifecycle itself. */
export interface Circumstances {
  /** Moves for which the organization requires another person's approval. */
  readonly requiredFor: readonly Target[];
  /** Environments in which the proxy serves. */
  readonly servingIn: readonly string[];
}

/** Moves that can be requested now. Edited content of a published proxy can be approved; it stays published. */
export function possibleTargets({ stage, contentHash, approvedHash, request }: Life): readonly Target[] {
  if (request !== null) return [];
  switch (stage) {
    case 'draft':
      return ['approved'];
    case 'approved':
      return ['published'];
    case 'published':
      return contentHash === approvedHash ? ['deprecated'] : ['approved', 'deprecated'];
    case 'deprecated':
      return ['retired'];
    default:
      return [];
  }
}

/** Whether another person has to approve the move. The move to approved always needs that. */
export function needsApproval(toStage: Target, requiredFor: readonly Target[]): boolean {
  return toStage === 'approved' || requiredFor.includes(toStage);
}

/**
 * Whether a blocking finding stops the move: yes for moves to stages that callers rely on, no for moves towards
 * retirement.
 */
export function isGoverned(toStage: Target): boolean {
  return toStage === 'approved' || toStage === 'published';
}

/** Everyone who can't approve the request because of it. */
export function authorsOf(life: Life, requester: Persons, revisionAuthorKeys: readonly string[]): readonly string[] {
  return [...new Set([...requester.authorKeys, ...life.authorKeys, ...revisionAuthorKeys])];
}

/** Rejects a request for a move that is not possible now, and lists those that are. */
export function refuseRequest(life: Life, toStage: Target, { servingIn }: Circumstances): void {
  if (!possibleTargets(life).includes(toStage)) {
    throw new ApiError('conflict', { message: `It can't be moved to ${toStage} now. ${possibleMoves(life)}` });
  }
  refuseServing(toStage, servingIn);
}

/** The lifecycle after a request accepted by {@link refuseRequest}. */
export function requested(life: Life, request: PendingRequest, { requiredFor }: Circumstances): Life {
  if (!needsApproval(request.toStage, requiredFor)) return moved(life, request);
  return { ...life, stage: life.stage === 'draft' ? 'review' : life.stage, request };
}

/** Rejects an approval by someone who may not give it, or of content that has changed since the request. */
export function refuseApproval(life: Life, approver: Persons, { servingIn }: Pick<Circumstances, 'servingIn'>): void {
  const request = pending(life);
  refuseSamePerson(
    approver,
    [...request.authorKeys, ...life.authorKeys, request.requestedBy],
    'You requested this move or wrote the content. Ask someone else to approve it.',
  );
  if (request.contentHash !== life.contentHash) {
    throw new ApiError('conflict', {
      message: 'The working copy has changed since the request. Reject or withdraw the request.',
    });
  }
  refuseServing(request.toStage, servingIn);
}

/** The lifecycle after an approval accepted by {@link refuseApproval}. */
export function approved(life: Life): Life {
  return moved(life, pending(life));
}

/** The lifecycle after the pending request was rejected. */
export function rejected(life: Life): Life {
  pending(life);
  return { ...life, stage: life.stage === 'review' ? 'draft' : life.stage, request: null };
}

/** Rejects withdrawing another person's request. */
export function refuseWithdrawal(life: Life, actor: Actor): void {
  const { requestedBy } = pending(life);
  if (![actor.id, ...actor.userIds].includes(requestedBy)) {
    throw new ApiError('forbidden', { message: 'Only the requester can withdraw this request. You can reject it.' });
  }
}

/** The possible moves, as a sentence. */
export function possibleMoves(life: Life): string {
  const { stage, request } = life;
  if (request !== null) {
    return `A request to move it to ${request.toStage} is pending. Approve, reject or withdraw that first.`;
  }
  const possible = possibleTargets(life);
  if (possible.length === 0) return `There are no further moves from stage ${stage}.`;
  return `From ${stage}, you can request a move to ${possible.join(' or ')}.`;
}

function pending(life: Life): PendingRequest {
  if (life.request !== null) return life.request;
  throw new ApiError('conflict', { message: `No request is pending. ${possibleMoves(life)}` });
}

function moved(life: Life, { toStage, contentHash }: PendingRequest): Life {
  if (toStage !== 'approved') return { ...life, stage: toStage, request: null };
  return {
    stage: life.stage === 'published' ? 'published' : 'approved',
    contentHash: life.contentHash,
    approvedHash: contentHash,
    authorKeys: [],
    request: null,
  };
}

function refuseServing(toStage: Target, servingIn: readonly string[]): void {
  if (toStage !== 'retired' || servingIn.length === 0) return;
  throw new ApiError('conflict', {
    message: `It is live in ${servingIn.join(', ')}. Undeploy it there, then request the move to retired.`,
  });
}

/** Why this caller cannot approve, as a sentence, or null. */
export function approvalObstacle(life: Life, approver: Persons, mayApprove: boolean): string | null {
  if (!mayApprove) return permissionRequired(['lifecycle.approve']);
  try {
    refuseApproval(life, approver, { servingIn: [] });
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** The stages, with their meaning and exits. */
export const stageDescriptions: readonly {
  readonly stage: Stage;
  readonly description: string;
  readonly moves: readonly { readonly toStage: Stage; readonly by: 'request' | 'approval' | 'rejection' | 'edit' }[];
}[] = [
  {
    stage: 'draft',
    description: 'Being built. Can only be deployed outside production.',
    moves: [{ toStage: 'review', by: 'request' }],
  },
  {
    stage: 'review',
    description: 'Its content waits for another person’s approval.',
    moves: [
      { toStage: 'approved', by: 'approval' },
      { toStage: 'draft', by: 'rejection' },
      { toStage: 'draft', by: 'edit' },
    ],
  },
  {
    stage: 'approved',
    description: 'The approved revision may go to production.',
    moves: [
      { toStage: 'published', by: 'request' },
      { toStage: 'draft', by: 'edit' },
    ],
  },
  {
    stage: 'published',
    description: 'Visible to callers. Edited content needs approval again before it goes to production.',
    moves: [
      { toStage: 'published', by: 'approval' },
      { toStage: 'deprecated', by: 'request' },
    ],
  },
  {
    stage: 'deprecated',
    description: 'Callers should migrate away. Nothing new goes to production.',
    moves: [{ toStage: 'retired', by: 'request' }],
  },
  { stage: 'retired', description: 'No longer serves, permanently.', moves: [] },
];
