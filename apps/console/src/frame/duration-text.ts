import { counted } from '@millrace/ui/words';

const units = [
  { noun: 'day', seconds: 86_400 },
  { noun: 'hour', seconds: 3_600 },
  { noun: 'minute', seconds: 60 },
  { noun: 'second', seconds: 1 },
] as const;

/** A duration of whole seconds in its two largest units, such as `1 hour 30 minutes`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const first = units.findIndex((unit) => whole >= unit.seconds);
  if (first === -1) return '0 seconds';
  const { noun, seconds: length } = units[first]!;
  const next = units[first + 1];
  const rest = next === undefined ? 0 : Math.floor((whole % length) / next.seconds);
  const largest = counted(Math.floor(whole / length), noun);
  return next === undefined || rest === 0 ? largest : `${largest} ${counted(rest, next.noun)}`;
}
