import { Mark } from '@millrace/ui/mark';

/** A governance score of at most 100. */
export function Score({ score }: { readonly score: number }) {
  return <Mark tone={score >= 90 ? 'good' : score >= 60 ? 'warning' : 'bad'}>{`${score} of 100`}</Mark>;
}
