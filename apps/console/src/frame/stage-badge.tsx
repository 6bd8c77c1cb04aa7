import { Mark, type Tone } from '@millrace/ui/mark';
import { wordsOf } from '@millrace/ui/words';

const tones: Readonly<Record<string, Tone>> = {
  draft: 'neutral',
  review: 'active',
  approved: 'good',
  published: 'accent',
  deprecated: 'warning',
  retired: 'neutral',
};

/** A proxy's lifecycle stage. */
export function StageBadge({ stage }: { readonly stage: string }) {
  return <Mark tone={tones[stage] ?? 'neutral'}>{wordsOf(stage)}</Mark>;
}
