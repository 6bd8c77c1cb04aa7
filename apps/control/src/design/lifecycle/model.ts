import type { Actor } from '../../frame/persons.ts';
import type { Stage, Target } from './rules.ts';

/** An action by a user. */
export type Action =
  | { readonly kind: 'request'; readonly actor: Actor; readonly toStage: Target }
  | { readonly kind: 'approve' | 'reject' | 'withdraw' | 'edit'; readonly actor: Actor };

/** The result of an action: done, or rejected with this code. */
export type Expected = 'done' | 'conflict' | 'forbidden';

export interface Surroundings {
  readonly requiredFor: readonly Target[];
  readonly serving: boolean;
}

/**
 * A proxy's lifecycle by the platform's rules, modelled independently of the code that implements them: in tables where the
 * code has conditions, with the whole history where the code has what follows from it.
 */
export interface World {
  readonly stage: Stage;
  readonly content: string;
  readonly approvedContent: string | null;
  /** Users who wrote the content since the last approval. */
  readonly writers: ReadonlySet<string>;
  readonly pending: { readonly toStage: Target; readonly by: Actor; readonly writers: ReadonlySet<string> } | null;
  /** Every approval of a content that was given. */
  readonly approvals: readonly {
    readonly content: string;
    readonly by: Actor;
    readonly writers: ReadonlySet<string>;
  }[];
}

export function initialWorld(author: string): World {
  return {
    stage: 'draft',
    content: 'c0',
    approvedContent: null,
    writers: new Set([author]),
    pending: null,
    approvals: [],
  };
}

const requestable: Readonly<Record<Stage, readonly Target[]>> = {
  draft: ['approved'],
  review: [],
  approved: ['published'],
  published: ['approved', 'deprecated'],
  deprecated: ['retired'],
  retired: [],
};

export function predict(world: World, action: Action, { serving }: Surroundings): Expected {
  const { pending } = world;
  const mayRetire = !serving;
  switch (action.kind) {
    case 'edit':
      return 'done';
    case 'request': {
      const { toStage } = action;
      if (pending !== null || !requestable[world.stage].includes(toStage)) return 'conflict';
      if (toStage === 'approved' && world.content === world.approvedContent) return 'conflict';
      return toStage !== 'retired' || mayRetire ? 'done' : 'conflict';
    }
    case 'approve': {
      if (pending === null) return 'conflict';
      const wrote = action.actor.userIds.some((id) => world.writers.has(id) || pending.writers.has(id));
      const requested = action.actor.userIds.some((id) => pending.by.userIds.includes(id));
      if (wrote || requested) return 'forbidden';
      return pending.toStage !== 'retired' || mayRetire ? 'done' : 'conflict';
    }
    case 'reject':
      return pending === null ? 'conflict' : 'done';
    case 'withdraw':
      if (pending === null) return 'conflict';
      return [action.actor.id, ...action.actor.userIds].includes(pending.by.id) ? 'done' : 'forbidden';
  }
}

/** The world after an action that {@link predict} allows. */
export function perform(world: World, action: Action, content: string, { requiredFor }: Surroundings): World {
  switch (action.kind) {
    case 'edit': {
      const writers = new Set([...world.writers, ...action.actor.userIds]);
      const falls = world.stage === 'review' || world.stage === 'approved';
      return {
        ...world,
        content,
        writers,
        pending: null,
        ...(falls ? { stage: 'draft' as const, approvedContent: null } : {}),
      };
    }
    case 'request': {
      const { toStage, actor } = action;
      const waits = toStage === 'approved' || requiredFor.includes(toStage);
      if (!waits) return { ...world, stage: toStage };
      const pending = { toStage, by: actor, writers: world.writers };
      return { ...world, stage: world.stage === 'draft' ? 'review' : world.stage, pending };
    }
    case 'approve': {
      const { toStage } = world.pending!;
      if (toStage !== 'approved') return { ...world, stage: toStage, pending: null };
      const approval = { content: world.content, by: action.actor, writers: world.writers };
      return {
        stage: world.stage === 'published' ? 'published' : 'approved',
        content: world.content,
        approvedContent: world.content,
        writers: new Set(),
        pending: null,
        approvals: [...world.approvals, approval],
      };
    }
    default:
      return { ...world, stage: world.stage === 'review' ? 'draft' : world.stage, pending: null };
  }
}
