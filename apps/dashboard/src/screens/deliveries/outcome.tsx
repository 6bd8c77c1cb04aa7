import { Mark, type Tone } from '@millrace/ui/mark';
import type { AnswerOf } from '../../frame/api.ts';

export type Delivery = AnswerOf<'listDeliveries'>['items'][number];

const outcomes: Readonly<Record<Delivery['outcome'], { readonly tone: Tone; readonly label: string }>> = {
  delivered: { tone: 'good', label: 'Delivered' },
  failed: { tone: 'warning', label: 'Failed' },
  permanently_failed: { tone: 'bad', label: 'Permanently failed' },
};

/** Outcomes as filter options. */
export const outcomeOptions = Object.entries(outcomes).map(([value, { label }]) => ({ value, label }));

/** The outcome of an attempt. */
export function OutcomeMark({ outcome }: { readonly outcome: Delivery['outcome'] }) {
  const { tone, label } = outcomes[outcome];
  return <Mark tone={tone}>{label}</Mark>;
}
