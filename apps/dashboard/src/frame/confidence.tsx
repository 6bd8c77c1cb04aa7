import { VisuallyHidden } from '@mantine/core';
import { useRead } from './api.ts';
import classes from './confidence.module.css';

/** The account's review threshold; until it is loaded, that of a new account. */
export function useReviewThreshold(): number {
  return useRead('getAccount').data?.reviewThreshold ?? 80;
}

/** A confidence compared with the account's threshold. */
type Standing = 'sure' | 'doubtful' | 'poor';

function standingOf(confidence: number, threshold: number): Standing {
  if (confidence >= threshold) return 'sure';
  return confidence >= threshold * 0.6 ? 'doubtful' : 'poor';
}

const signs = { sure: '✓', doubtful: '?', poor: '!' } as const;
const words = { sure: '', doubtful: ', check this value', poor: ', low confidence' } as const;

/**
 * A confidence at a glance: its number, a bar of that length, and a sign and background that compare it to the threshold.
 *
 * @param props.confidence and threshold from 0 to 100
 */
export function ConfidenceMark(props: { readonly confidence: number; readonly threshold: number }) {
  const { confidence, threshold } = props;
  const standing = standingOf(confidence, threshold);
  const figure = Math.floor(confidence);
  return (
    <span className={classes.mark} data-standing={standing} title={`Confidence ${figure} of 100${words[standing]}`}>
      <span aria-hidden className={classes.sign}>
        {signs[standing]}
      </span>
      <VisuallyHidden>Confidence </VisuallyHidden>
      {figure}
      <VisuallyHidden>{words[standing]}</VisuallyHidden>
      <span aria-hidden className={classes.scale}>
        <span className={classes.level} style={{ width: `${confidence}%` }} />
      </span>
    </span>
  );
}
