import { compilePattern } from '@millrace/policies/linear-pattern';
import type { Labels } from './rule.ts';
import type { Matcher } from './silence.ts';

/** Tests labels. */
export type LabelTest = (labels: Labels) => boolean;

/**
 * A test of all matchers together, as Alertmanager reads them: expressions are anchored, a missing label is empty.
 * Expressions run in a time that grows with the text alone.
 *
 * @throws Error for a value that is no regular expression, or one that looks around or back
 */
export function compileMatchers(matchers: readonly Matcher[]): LabelTest {
  const tests = matchers.map(compileMatcher);
  return (labels) => tests.every((test) => test(labels));
}

function compileMatcher({ label, operator, value }: Matcher): LabelTest {
  if (operator === '=') return (labels) => (labels[label] ?? '') === value;
  if (operator === '!=') return (labels) => (labels[label] ?? '') !== value;
  const pattern = compilePattern(`^(?:${value})$`);
  const isWanted = operator === '=~';
  return (labels) => pattern.test(labels[label] ?? '') === isWanted;
}
