import { Mark, type Tone } from '@millrace/ui/mark';
import { wordsOf } from '@millrace/ui/words';
import type { DataOf } from '../../frame/api.ts';

type Entry = DataOf<'listAuditEntries'>['entries'][number];

const severityTones: Readonly<Record<Entry['severity'], Tone>> = { low: 'neutral', medium: 'active', high: 'bad' };
const outcomeTones: Readonly<Record<Entry['outcome'], Tone>> = { done: 'good', denied: 'warning', failed: 'bad' };

export function SeverityMark({ severity }: Pick<Entry, 'severity'>) {
  return <Mark tone={severityTones[severity]}>{wordsOf(severity)}</Mark>;
}

export function OutcomeMark({ outcome }: Pick<Entry, 'outcome'>) {
  return <Mark tone={outcomeTones[outcome]}>{wordsOf(outcome)}</Mark>;
}

/** The words of an operation's id: "createTargetServer" as "Create target server". */
export function operationWords(operation: string): string {
  return wordsOf(operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}
