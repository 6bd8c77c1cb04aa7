import { Mark } from './mark.tsx';
import { wordsOf } from './stage-badge.tsx';

/** Whether something lets anybody in. */
export function ActiveMark({ state }: { readonly state: 'active' | 'suspended' }) {
  return <Mark tone={state === 'active' ? 'good' : 'bad'}>{wordsOf(state)}</Mark>;
}
