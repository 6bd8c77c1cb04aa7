import { useNumbers } from '@millrace/ui/numbers';
import { durationText } from '../../frame/duration-text.ts';
import type { MetricUnit } from './metrics.ts';

/** Formats values of metrics in the reader's language; a dash for none. */
export function useMetricValues(): (unit: MetricUnit, value: number | null) => string {
  const numbers = useNumbers();
  return (unit, value) => {
    if (value === null) return '–';
    switch (unit) {
      case 'percent':
        return numbers.percent(value / 100, 2);
      case 'per_second':
        return `${numbers.decimal(value, 2)}/s`;
      case 'milliseconds':
        return `${numbers.decimal(value, 1)} ms`;
      case 'seconds':
        return durationText(value);
      case 'days':
        return `${numbers.decimal(value, 1)} days`;
      case 'boolean':
        return value === 0 ? 'No' : 'Yes';
      default:
        return numbers.decimal(value, 2);
    }
  };
}
