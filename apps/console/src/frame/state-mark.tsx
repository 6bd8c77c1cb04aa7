import { Mark } from '@millrace/ui/mark';
import { wordsOf } from '@millrace/ui/words';

/** Whether something lets anybody in. */
export function ActiveMark({ state }: { readonly state: 'active' | 'suspended' }) {
  return <Mark tone={state === 'active' ? 'good' : 'bad'}>{wordsOf(state)}</Mark>;
}
