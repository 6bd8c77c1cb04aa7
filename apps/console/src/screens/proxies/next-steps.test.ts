import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSteps } from './next-steps.ts';

type Overview = Parameters<typeof nextSteps>[0];

const proxy: Overview['proxy'] = {
  id: 'prx_00000000000000000000000001',
  name: 'orders',
  displayName: 'Orders',
  description: '',
  basePath: '/v1/orders',
  protocol: 'rest',
  authScheme: 'api_key',
  tags: [],
  stage: 'draft',
  contentHash: '',
  approvedRevision: null,
  latestRevision: 0,
  createdBy: 'usr_00000000000000000000000001',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const empty: Overview = {
  proxy,
  counts: { routes: 0, policies: 0, revisions: 0 },
  workingCopy: { sameAsRevision: null, nextEdit: { voidsApprovalOf: null, voidsRequest: false, cutsRevision: null } },
  deployments: [],
  traffic: { requests: 0, failed: 0, errors: 0, limited: 0 },
  specification: null,
  governance: null,
  pendingRequest: null,
};

test('a new proxy gets its steps in the order in which its parts depend on each other', () => {
  assert.deepEqual(
    nextSteps(empty).map(({ section }) => section),
    ['routes', 'policies', 'specification', 'governance', 'request', 'revisions'],
  );
});

test('a pending request leaves nothing to do but wait for the decision', () => {
  const pendingRequest: Overview['pendingRequest'] = {
    id: 'lcr_00000000000000000000000001',
    fromStage: 'draft',
    toStage: 'approved',
    revision: 1,
    requestedByName: 'Jo',
    createdAt: '2026-01-15T09:00:00.000Z',
  };
  assert.deepEqual(
    nextSteps({ ...empty, pendingRequest }).map(({ section }) => section),
    ['review'],
  );
});

test('blocking findings come before the request for approval', () => {
  const governance = { score: 40, evaluatedAt: '2026-01-15T09:00:00.000Z', current: true, blocking: 2, findings: 3 };
  const steps = nextSteps({ ...empty, governance });
  const sections = steps.map(({ section }) => section);
  assert.equal(steps.find(({ section }) => section === 'governance')?.required, true);
  assert(sections.indexOf('governance') < sections.indexOf('request'));
});

test('a deprecated or retired proxy has no steps', () => {
  for (const stage of ['deprecated', 'retired'] as const) {
    assert.deepEqual(nextSteps({ ...empty, proxy: { ...proxy, stage } }), []);
  }
});
