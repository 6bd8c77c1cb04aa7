import { Mark, type Tone } from '@millrace/ui/mark';
import { wordsOf } from '@millrace/ui/words';
import type { DataOf } from '../../frame/api.ts';

type State = DataOf<'getDeployment'>['state'];

const tones: Readonly<Record<State, Tone>> = {
  pending: 'warning',
  rolling_out: 'active',
  live: 'good',
  superseded: 'neutral',
  rolled_back: 'warning',
  undeployed: 'neutral',
  failed: 'bad',
};

/** Every state of a deployment, for a filter. */
export const deploymentStates = (Object.keys(tones) as State[]).map((state) => ({
  value: state,
  label: labelOf(state),
}));

function labelOf(state: State): string {
  return state === 'pending' ? 'Waiting for gateway nodes' : wordsOf(state);
}

/** The state of a deployment. */
export function DeploymentState({ state }: { readonly state: State }) {
  return <Mark tone={tones[state]}>{labelOf(state)}</Mark>;
}
