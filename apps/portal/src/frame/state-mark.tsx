import { Mark, type Tone } from '@millrace/ui/mark';
import { wordsOf } from '@millrace/ui/words';

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  approved: 'good',
  paid: 'good',
  issued: 'active',
  pending: 'active',
  rotating: 'active',
  expired: 'warning',
  overdue: 'warning',
  suspended: 'bad',
  rejected: 'bad',
  revoked: 'neutral',
  cancelled: 'neutral',
  void: 'neutral',
};

/** The state of anything in the account, in its colour. */
export function StateMark({ state }: { readonly state: string }) {
  return <Mark tone={tones[state] ?? 'neutral'}>{wordsOf(state)}</Mark>;
}
