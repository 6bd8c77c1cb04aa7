import { Mark, type Tone } from './mark.tsx';

const tones: Readonly<Record<string, Tone>> = {
  draft: 'neutral',
  review: 'active',
  approved: 'good',
  published: 'accent',
  deprecated: 'warning',
  retired: 'neutral',
};

/** A proxy's stage of life. */
export function StageBadge({ stage }: { readonly stage: string }) {
  return <Mark tone={tones[stage] ?? 'neutral'}>{wordsOf(stage)}</Mark>;
}

/** A code of the API, such as `rolling_out`, as words. */
export function wordsOf(code: string): string {
  const words = code.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
