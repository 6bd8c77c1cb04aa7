import { Mark } from '@millrace/ui/mark';
import { wordsOf } from '@millrace/ui/words';

/** Whether something is active or suspended. */
export function ActiveMark({ state }: { readonly state: 'active' | 'suspended' }) {
  return <Mark tone={state === 'active' ? 'good' : 'bad'}>{wordsOf(state)}</Mark>;
}
