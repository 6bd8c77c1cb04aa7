import { severities } from '@millrace/alerting';
import { Mark, type Tone } from '@millrace/ui/mark';
import { wordsOf } from '@millrace/ui/words';
import type { DataOf } from '../../frame/api.ts';

type State = DataOf<'getAlertRule'>['state'];

const states: Readonly<Record<State, { readonly label: string; readonly tone: Tone }>> = {
  firing: { label: 'Firing', tone: 'bad' },
  pending: { label: 'Pending', tone: 'warning' },
  no_data: { label: 'No data', tone: 'warning' },
  failed: { label: 'Not evaluated', tone: 'bad' },
  inactive: { label: 'Quiet', tone: 'good' },
  unknown: { label: 'Not evaluated yet', tone: 'neutral' },
  disabled: { label: 'Disabled', tone: 'neutral' },
};

/** Every state of a rule as an option of a filter. */
export const stateOptions = Object.entries(states).map(([value, { label }]) => ({ value, label }));

/** The state of a rule, the worst of its alerts'. */
export function RuleMark({ state }: { readonly state: State }) {
  const { label, tone } = states[state];
  return <Mark tone={tone}>{label}</Mark>;
}

const severityTones = { critical: 'bad', warning: 'warning', info: 'active' } as const;

/** Every severity as an option, the worst first. */
export const severityOptions = severities.map((value) => ({ value, label: wordsOf(value) }));

export function SeverityMark({ severity }: { readonly severity: keyof typeof severityTones }) {
  return <Mark tone={severityTones[severity]}>{wordsOf(severity)}</Mark>;
}
