import { useNumbers } from '@millrace/ui/numbers';

/** Durations in the reader's language, with three significant digits at most. */
export function useDurations(): (us: number) => string {
  const { decimal } = useNumbers();
  return (us) => {
    if (us === 0) return '0';
    const [value, unit] = us < 1_000 ? [us, 'µs'] : us < 1_000_000 ? [us / 1_000, 'ms'] : [us / 1_000_000, 's'];
    return `${decimal(value, value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;
  };
}
