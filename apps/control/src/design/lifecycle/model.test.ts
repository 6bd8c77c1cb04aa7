import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '../../frame/errors.ts';
import type { Actor, Persons } from '../../frame/persons.ts';
import { type Action, type Expected, initialWorld, perform, predict, type World } from './model.ts';
import {
  approved,
  authorsOf,
  type Life,
  possibleTargets,
  refuseApproval,
  refuseRequest,
  refuseWithdrawal,
  rejected,
  requested,
  type Target,
  targets,
} from './rules.ts';

const people: readonly Actor[] = [
  { id: 'author', userIds: ['author'] },
  { id: 'editor', userIds: ['editor'] },
  { id: 'approver', userIds: ['approver'] },
  // A service account that the author made.
  { id: 'account', userIds: ['author'] },
];
const actions: readonly Action[] = [
  ...people.flatMap((actor) => targets.map((toStage): Action => ({ kind: 'request', actor, toStage }))),
  ...people.map((actor): Action => ({ kind: 'approve', actor })),
  ...people.map((actor): Action => ({ kind: 'withdraw', actor })),
  { kind: 'reject', actor: people[2]! },
  { kind: 'edit', actor: people[0]! },
  { kind: 'edit', actor: people[1]! },
  { kind: 'edit', actor: people[3]! },
];
const longest = 6;

/** Nobody here made another's account. */
const personsOf = ({ id, userIds }: Actor): Persons => ({
  id,
  userIds,
  authorKeys: [id, ...userIds],
  approverKeys: [id, ...userIds],
});

/** One step of the rules, as the handlers take it; an edit as the working copy's own bookkeeping does. */
function step(life: Life, action: Action, content: string, requiredFor: readonly Target[], serving: boolean): Life {
  const circumstances = { requiredFor, servingIn: serving ? ['production'] : [] };
  switch (action.kind) {
    case 'request': {
      refuseRequest(life, action.toStage, circumstances);
      const authorKeys = authorsOf(life, personsOf(action.actor), []);
      const { contentHash } = life;
      const request = { toStage: action.toStage, contentHash, requestedBy: action.actor.id, authorKeys };
      return requested(life, request, circumstances);
    }
    case 'approve':
      refuseApproval(life, personsOf(action.actor), circumstances);
      return approved(life);
    case 'reject':
      return rejected(life);
    case 'withdraw':
      refuseWithdrawal(life, action.actor);
      return rejected(life);
    case 'edit': {
      const voided = life.stage === 'review' || life.stage === 'approved';
      return {
        stage: voided ? 'draft' : life.stage,
        contentHash: content,
        approvedHash: voided ? null : life.approvedHash,
        authorKeys: [...new Set([...life.authorKeys, ...action.actor.userIds])].sort(),
        request: null,
      };
    }
  }
}

function attempt(...given: Parameters<typeof step>): { readonly life: Life } | { readonly refusal: ApiError } {
  try {
    return { life: step(...given) };
  } catch (error) {
    if (error instanceof ApiError) return { refusal: error };
    throw error;
  }
}

/** Whether the rules' life is what the model says it is. */
function assertSame(life: Life, world: World, trail: string): void {
  assert.equal(life.stage, world.stage, trail);
  assert.equal(life.contentHash, world.content, trail);
  assert.equal(life.approvedHash, world.approvedContent, trail);
  assert.equal(life.request?.toStage ?? null, world.pending?.toStage ?? null, trail);
}

/** What holds in every state, however it was reached. */
function assertInvariants(world: World, trail: string): void {
  if (world.stage === 'approved') assert.equal(world.approvedContent, world.content, trail);
  if (world.stage === 'published') assert.notEqual(world.approvedContent, null, trail);
  if (world.stage === 'draft' || world.stage === 'review') assert.equal(world.approvedContent, null, trail);
  for (const { content, by, writers } of world.approvals) {
    assert.ok(!by.userIds.some((id) => writers.has(id)), `${trail}: an author approved ${content}`);
  }
}

/**
 * Runs every sequence of actions up to the length. Sequences that lead to the same state of the rules and of the model go
 * on together: what comes after depends on nothing else.
 */
function explore(requiredFor: readonly Target[], serving: boolean) {
  interface Node {
    readonly life: Life;
    readonly world: World;
    readonly trail: string;
    readonly sequences: number;
  }
  const first: Life = { stage: 'draft', contentHash: 'c0', approvedHash: null, authorKeys: ['author'], request: null };
  let level: readonly Node[] = [{ life: first, world: initialWorld('author'), trail: '', sequences: 1 }];
  let sequences = 0;
  let refused = 0;
  for (let depth = 1; depth <= longest; depth++) {
    const next = new Map<string, Node>();
    for (const node of level) {
      for (const action of actions) {
        const name = `${action.kind} ${'toStage' in action ? `${action.toStage} ` : ''}by ${action.actor.id}`;
        const trail = `${node.trail} → ${name}`;
        const content = `c${depth}`;
        sequences += node.sequences;
        const expected: Expected = predict(node.world, action, { requiredFor, serving });
        const result = attempt(node.life, action, content, requiredFor, serving);
        if ('refusal' in result) {
          refused += node.sequences;
          assert.equal(expected, result.refusal.code, `${trail}: ${result.refusal.message}`);
          if (result.refusal.code === 'conflict') {
            const named = node.world.pending ? ['reject', 'withdraw'] : possibleTargets(node.life);
            const message = result.refusal.message;
            const enough = named.every((target) => message.includes(target)) || message.includes('undeploy');
            assert.ok(
              enough && (named.length > 0 || message.includes('There are no further moves')),
              `${trail}: ${message}`,
            );
          }
        } else {
          assert.equal(expected, 'done', trail);
        }
        const world = expected === 'done' ? perform(node.world, action, content, { requiredFor, serving }) : node.world;
        const life = 'life' in result ? result.life : node.life;
        assertSame(life, world, trail);
        assertInvariants(world, trail);
        const key = JSON.stringify([life, { ...world, writers: [...world.writers].sort(), approvals: [] }]);
        const known = next.get(key);
        next.set(key, { life, world, trail, sequences: (known?.sequences ?? 0) + node.sequences });
      }
    }
    level = [...next.values()];
  }
  return { sequences, refused };
}

describe('the lifecycle', () => {
  for (const requiredFor of [[], [...targets]] as const) {
    for (const serving of [false, true]) {
      const asked = requiredFor.length === 0 ? 'no move but the approval is approved' : 'every move is approved';
      test(`behaves as the model predicts, over all sequences of ${longest} actions: ${asked}${serving ? ', while it serves' : ''}`, () => {
        const { sequences, refused } = explore(requiredFor, serving);
        let all = 0;
        for (let length = 1; length <= longest; length++) all += actions.length ** length;
        assert.equal(sequences, all);
        assert.ok(refused > 0 && refused < sequences);
      });
    }
  }

  test('a service account without owners approves nothing', () => {
    const life: Life = {
      stage: 'review',
      contentHash: 'c0',
      approvedHash: null,
      authorKeys: [],
      request: { toStage: 'approved', contentHash: 'c0', requestedBy: 'author', authorKeys: ['author'] },
    };
    assert.throws(
      () => refuseApproval(life, personsOf({ id: 'account', userIds: [] }), { servingIn: [] }),
      /has no owner/,
    );
  });
});
