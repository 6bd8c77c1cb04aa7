import type { PermittedAction } from '../../frame/actions.tsx';
import { type DataOf, useWrite } from '../../frame/api.ts';

/** Any one of these lets somebody deploy; production needs the second. */
export const deploying = ['deployment.write', 'deployment.prod'] as const;

type Deployment = Pick<
  DataOf<'getDeployment'>,
  'id' | 'proxyName' | 'environmentName' | 'revision' | 'strategy' | 'previousId' | 'version'
>;

/**
 * Promotes, rolls back and undeploys a live deployment.
 *
 * @param liveBeside how many other deployments of the proxy are live in its environment
 * @param onRolledBack given the deployment that is live again
 */
export function useDeploymentActions(
  deployment: Deployment,
  liveBeside: number,
  onRolledBack?: (liveId: string) => void,
): readonly PermittedAction[] {
  const { id, proxyName, environmentName, revision, strategy, previousId, version } = deployment;
  const promote = useWrite('promoteDeployment');
  const rollBack = useWrite('rollBackDeployment');
  const undeploy = useWrite('undeployDeployment');
  const write = { params: { deploymentId: id }, version };
  const alone = liveBeside === 0;
  return [
    {
      label: 'Promote',
      hidden: alone || strategy !== 'canary',
      permission: deploying,
      run: () => promote.mutateAsync(write),
      done: `Revision ${revision} gets all calls.`,
      confirm: {
        title: `Promote revision ${revision}?`,
        text: 'It gets all calls and supersedes the deployment beside it.',
      },
    },
    {
      label: 'Roll back',
      permission: deploying,
      blocked: previousId === null && 'It is the first deployment here.',
      run: async () => {
        const { id: liveId } = await rollBack.mutateAsync(write);
        onRolledBack?.(liveId);
      },
      done: `Revision ${revision} rolled back.`,
      confirm: {
        title: `Roll back in ${environmentName}?`,
        text: `The revision that was live before revision ${revision} gets all calls again.`,
      },
    },
    {
      label: 'Undeploy',
      danger: true,
      permission: deploying,
      run: () => undeploy.mutateAsync(write),
      done: `Revision ${revision} undeployed.`,
      confirm: {
        title: `Undeploy from ${environmentName}?`,
        typed: alone ? proxyName : undefined,
        text: alone ? 'Callers there get 404.' : 'The deployment beside it gets all calls.',
      },
    },
  ];
}
