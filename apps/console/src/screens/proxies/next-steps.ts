import { counted } from '@millrace/ui/words';
import type { ProxyOverview } from './proxy-context.tsx';

/** Something to do before callers can use a proxy, and where. */
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
  /** Whether the proxy can’t go on without it. */
  readonly required: boolean;
}

/** What to do next with a proxy, in order; empty when nothing is left. */
export function nextSteps(overview: ProxyOverview): readonly NextStep[] {
  const { proxy, counts, workingCopy, deployments, specification, governance, pendingRequest } = overview;
  if (proxy.stage === 'retired' || proxy.stage === 'deprecated') return [];
  if (pendingRequest !== null) {
    return [
      { text: `Wait for the decision on the move to ${pendingRequest.toStage}`, section: 'review', required: false },
    ];
  }
  const steps: (NextStep | false)[] = [
    counts.routes === 0 && { text: 'Add a route', section: 'routes', required: true },
    counts.policies === 0 && {
      text: 'Attach policies, such as authentication and a quota',
      section: 'policies',
      required: proxy.authScheme !== 'none',
    },
    specification === null && {
      text: 'Generate the specification from the routes',
      section: 'specification',
      required: false,
    },
    specification?.outdated === true && {
      text: 'Regenerate the specification: the working copy has changed',
      section: 'specification',
      required: false,
    },
    specification?.state === 'draft' && {
      text: 'Publish the specification',
      section: 'specification',
      required: false,
    },
    (governance === null || !governance.current) && {
      text: 'Evaluate the working copy against the governance rules',
      section: 'governance',
      required: false,
    },
    governance !== null &&
      governance.blocking > 0 && {
        text: `Resolve ${counted(governance.blocking, 'blocking finding')}`,
        section: 'governance',
        required: true,
      },
    proxy.stage === 'draft' && { text: 'Request approval', section: 'request', required: false },
    proxy.latestRevision === 0 && {
      text: 'Cut a revision to deploy it to a test environment',
      section: 'revisions',
      required: false,
    },
    proxy.latestRevision > 0 &&
      workingCopy.sameAsRevision === null && {
        text: 'Cut a revision to keep the latest edits',
        section: 'revisions',
        required: false,
      },
    proxy.stage !== 'draft' &&
      !deployments.some(({ production }) => production) && {
        text: 'Deploy the approved revision to production',
        section: 'deployments',
        required: false,
      },
  ];
  return steps.filter((step) => step !== false);
}
