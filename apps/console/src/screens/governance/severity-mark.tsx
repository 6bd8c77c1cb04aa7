import { Mark } from '@millrace/ui/mark';
import { wordsOf } from '@millrace/ui/words';

const tones = { error: 'bad', warning: 'warning', information: 'active' } as const;

/** Every severity of a rule, the worst first. */
export const severities = ['error', 'warning', 'information'] as const;

export function SeverityMark({ severity }: { readonly severity: keyof typeof tones }) {
  return <Mark tone={tones[severity]}>{wordsOf(severity)}</Mark>;
}
