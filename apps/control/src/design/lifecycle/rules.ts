import { ApiError } from '../../frame/errors.ts';
import { type Actor, type Persons, refuseSamePerson } from '../../frame/persons.ts';
import type { stages } from '../proxies/contract.ts';

export type Stage = (typeof stages)[number];

/** Stages that a move can be requested to; `review` is on the way to `approved`. */
export const targets = ['approved', 'published', 'deprecated', 'retired'] as const;
export type Target = (typeof targets)[number];

/** A request that waits for a decision, as far as the decision depends on it. */
export interface PendingRequest {
  readonly toStage: Target;
  /** Hash of the content that the decision is about. */
  readonly contentHash: string;
  readonly requestedBy: string;
  /** Of those who may not approve it: the requester, whoever stands behind it, and who wrote the content. */
  readonly authorKeys: readonly string[];
}

/** Where a proxy stands in its life. */
export interface Life {
  readonly stage: Stage;
  /** Of the working copy. */
  readonly contentHash: string;
  /** Of what was approved; null where nothing is. */
  readonly approvedHash: string | null;
  /** Of those who wrote the working copy since it was last approved. */
  readonly authorKeys: readonly string[];
  readonly request: PendingRequest | null;
}

/** What decides about a request beside the life itself. */
export interface Circumstances {
  /** Moves that the organization wants somebody else to approve. */
  readonly requiredFor: readonly Target[];
  /** Environments in which the proxy serves. */
  readonly servingIn: readonly string[];
}

/** Moves that can be requested now. What is published can have edited content approved, and stays published. */
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

/** Whether somebody else has to approve the move. An approval is one by its nature. */
export function needsApproval(toStage: Target, requiredFor: readonly Target[]): boolean {
  return toStage === 'approved' || requiredFor.includes(toStage);
}

/** Whether a blocking finding stops the move: it does where callers come to rely on the content, not where they leave. */
export function isGoverned(toStage: Target): boolean {
  return toStage === 'approved' || toStage === 'published';
}

/** All whom the request makes unable to approve it. */
export function authorsOf(life: Life, requester: Persons, revisionAuthorKeys: readonly string[]): readonly string[] {
  return [...new Set([...requester.authorKeys, ...life.authorKeys, ...revisionAuthorKeys])];
}

/** Refuses a request for a move that is not possible now, and names those that are. */
export function refuseRequest(life: Life, toStage: Target, { servingIn }: Circumstances): void {
  if (!possibleTargets(life).includes(toStage)) {
    throw new ApiError('conflict', { message: `The move to ${toStage} is not possible now. ${possibleMoves(life)}` });
  }
  refuseServing(toStage, servingIn);
}

/** The life after a request that {@link refuseRequest} let pass. */
export function requested(life: Life, request: PendingRequest, { requiredFor }: Circumstances): Life {
  if (!needsApproval(request.toStage, requiredFor)) return moved(life, request);
  return { ...life, stage: life.stage === 'draft' ? 'review' : life.stage, request };
}

/** Refuses an approval by whoever may not give it, or of what is no longer what was to be approved. */
export function refuseApproval(life: Life, approver: Persons, { servingIn }: Pick<Circumstances, 'servingIn'>): void {
  const request = pending(life);
  refuseSamePerson(
    approver,
    [...request.authorKeys, ...life.authorKeys, request.requestedBy],
    'You requested this move or wrote the content. Ask somebody else to approve it.',
  );
  if (request.contentHash !== life.contentHash) {
    throw new ApiError('conflict', {
      message: 'The working copy is no longer what was to be approved. The request can be rejected or withdrawn.',
    });
  }
  refuseServing(request.toStage, servingIn);
}

/** The life after an approval that {@link refuseApproval} let pass. */
export function approved(life: Life): Life {
  return moved(life, pending(life));
}

/** The life after the pending request was rejected. */
export function rejected(life: Life): Life {
  pending(life);
  return { ...life, stage: life.stage === 'review' ? 'draft' : life.stage, request: null };
}

/** Refuses to take back somebody else's request. */
export function refuseWithdrawal(life: Life, actor: Actor): void {
  const { requestedBy } = pending(life);
  if (![actor.id, ...actor.userIds].includes(requestedBy)) {
    throw new ApiError('forbidden', { message: 'Only whoever made the request can withdraw it. It can be rejected.' });
  }
}

/** What can be done now, as a sentence. */
export function possibleMoves(life: Life): string {
  const { stage, request } = life;
  if (request !== null) {
    return `A request for the move to ${request.toStage} waits: it can be approved, rejected or withdrawn.`;
  }
  const possible = possibleTargets(life);
  if (possible.length === 0) return `No move leads from the stage ${stage}.`;
  return `From the stage ${stage}, the move to ${possible.join(' or ')} can be requested.`;
}

function pending(life: Life): PendingRequest {
  if (life.request !== null) return life.request;
  throw new ApiError('conflict', { message: `No request waits for a decision. ${possibleMoves(life)}` });
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
    message: `It serves in ${servingIn.join(', ')}: undeploy it there, then request the move to retired.`,
  });
}

/** Why this caller cannot approve, as a sentence, or null. */
export function approvalObstacle(life: Life, approver: Persons, mayApprove: boolean): string | null {
  if (!mayApprove) return 'This needs the permission lifecycle.approve.';
  try {
    refuseApproval(life, approver, { servingIn: [] });
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** The stages, with what each means and how it is left. */
export const stageDescriptions: readonly {
  readonly stage: Stage;
  readonly description: string;
  readonly moves: readonly { readonly toStage: Stage; readonly by: 'request' | 'approval' | 'rejection' | 'edit' }[];
}[] = [
  {
    stage: 'draft',
    description: 'Being built. Deployed outside production alone.',
    moves: [{ toStage: 'review', by: 'request' }],
  },
  {
    stage: 'review',
    description: 'Its content waits for somebody else’s approval.',
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
    description: 'Callers find it. Edited content is approved anew before it goes to production.',
    moves: [
      { toStage: 'published', by: 'approval' },
      { toStage: 'deprecated', by: 'request' },
    ],
  },
  {
    stage: 'deprecated',
    description: 'Callers are asked to leave; nothing new goes to production.',
    moves: [{ toStage: 'retired', by: 'request' }],
  },
  { stage: 'retired', description: 'Serves no more, and never again.', moves: [] },
];
