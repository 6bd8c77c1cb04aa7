import { Text } from '@mantine/core';
import type { DocumentDetail } from './paths.ts';
import classes from './workspace.module.css';

/** The checks of sums, dates and check digits, failed ones first. */
export function Checks({ checks }: { readonly checks: DocumentDetail['checks'] }) {
  const sorted = [...checks.filter(({ holds }) => !holds), ...checks.filter(({ holds }) => holds)];
  return (
    <ul className={classes.checks} aria-live="polite" aria-label="Checks">
      {sorted.map(({ kind, fields, holds, message }) => (
        <li key={`${kind} ${fields.join()} ${message}`} data-holds={holds}>
          <span className={classes.checkSign} role="img" aria-label={holds ? 'Holds:' : 'Fails:'}>
            {holds ? '✓' : '✗'}
          </span>
          <Text span size="sm">
            {message}
          </Text>
        </li>
      ))}
    </ul>
  );
}
