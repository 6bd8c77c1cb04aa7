import type { ProxyOverview } from './proxy-context.tsx';

/** Something that stands between a proxy and its callers, and where it is done. */
export interface NextStep {
  readonly text: string;
  readonly section:
    | 'routes'
    | 'policies'
    | 'specification'
    | 'governance'
    | 'revisions'
    | 'deployments'
    | 'request'
    | 'review';
  /** Whether the way on is closed until it is done. */
  readonly needed: boolean;
}

/** What to do next with a proxy, the first thing first; empty where nothing is left to be done. */
export function nextSteps(overview: ProxyOverview): readonly NextStep[] {
  const { proxy, counts, workingCopy, deployments, specification, governance, pendingRequest } = overview;
  if (proxy.stage === 'retired' || proxy.stage === 'deprecated') return [];
  if (pendingRequest !== null) {
    return [
      { text: `Wait for the decision on the move to ${pendingRequest.toStage}.`, section: 'review', needed: false },
    ];
  }
  const steps: (NextStep | false)[] = [
    counts.routes === 0 && { text: 'Add a route: no call is answered yet.', section: 'routes', needed: true },
    counts.policies === 0 && {
      text: 'Attach policies: who may call, and how often.',
      section: 'policies',
      needed: proxy.authScheme !== 'none',
    },
    specification === null && {
      text: 'Generate the specification from the routes.',
      section: 'specification',
      needed: false,
    },
    specification?.outdated === true && {
      text: 'Generate the specification again: the working copy changed since.',
      section: 'specification',
      needed: false,
    },
    specification?.state === 'draft' && { text: 'Publish the specification.', section: 'specification', needed: false },
    (governance === null || !governance.current) && {
      text: 'Have governance look at the working copy.',
      section: 'governance',
      needed: false,
    },
    governance !== null &&
      governance.blocking > 0 && {
        text: `Resolve ${governance.blocking} blocking ${governance.blocking === 1 ? 'finding' : 'findings'}.`,
        section: 'governance',
        needed: true,
      },
    proxy.stage === 'draft' && { text: 'Request the approval.', section: 'request', needed: false },
    proxy.latestRevision === 0 && {
      text: 'Cut a revision, to deploy it to a test environment.',
      section: 'revisions',
      needed: false,
    },
    proxy.latestRevision > 0 &&
      workingCopy.sameAsRevision === null && {
        text: 'The working copy is not in any revision: cut one to keep it.',
        section: 'revisions',
        needed: false,
      },
    proxy.stage !== 'draft' &&
      !deployments.some(({ production }) => production) && {
        text: 'Deploy the approved revision to production.',
        section: 'deployments',
        needed: false,
      },
  ];
  return steps.filter((step) => step !== false);
}
