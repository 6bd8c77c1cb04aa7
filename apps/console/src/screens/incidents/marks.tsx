import { Mark, type Tone } from '@millrace/ui/mark';
import { wordsOf } from '@millrace/ui/words';
import type { DataOf } from '../../frame/api.ts';

export type Incident = DataOf<'getIncident'>;

const tones: Readonly<Record<Incident['state'], Tone>> = {
  open: 'bad',
  acknowledged: 'warning',
  monitoring: 'active',
  resolved: 'good',
};

/** Every state of an incident, in the order in which it goes through them. */
export const incidentStates = Object.keys(tones);

export function IncidentMark({ state }: Pick<Incident, 'state'>) {
  return <Mark tone={tones[state]}>{wordsOf(state)}</Mark>;
}
