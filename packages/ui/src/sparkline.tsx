import classes from './chart.module.css';

/** Requests over time as small bars, the errors among them below: a glance, whose figures are beside it. */
export function Sparkline(props: {
  /** What it shows, for screen readers. */
  readonly label: string;
  readonly totals: readonly number[];
  /** Of the totals, one for each. */
  readonly errors: readonly number[];
}) {
  const { label, totals, errors } = props;
  const most = Math.max(1, ...totals);
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(0.06, count / most));
  return (
    <svg
      className={classes.sparkline}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${totals.length} 1`}
      preserveAspectRatio="none"
    >
      {totals.map((total, index) => {
        const errorHeight = heightOf(errors[index] ?? 0);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is of its place in time.
          <g key={index}>
            <rect x={index + 0.1} width={0.8} y={1 - heightOf(total)} height={heightOf(total)} data-part="total" />
            <rect x={index + 0.1} width={0.8} y={1 - errorHeight} height={errorHeight} data-part="errors" />
          </g>
        );
      })}
    </svg>
  );
}
