import { useLocale } from './locale.tsx';
import { useNumbers } from './numbers.ts';
import { texts } from './texts.ts';
import { stepOf } from './ticks.ts';
import { localTextOf } from './zones.ts';

/** What the figures of a chart are spread over. */
export type ChartAxis =
  | {
      /** ISO 8601, ascending. */
      readonly times: readonly string[];
      /** Each time begins a day of `zone`, and is shown as its date. */
      readonly daily?: boolean;
      /** Each time is a month such as `2026-01`. */
      readonly monthly?: boolean;
      /** IANA, of days; UTC without it. */
      readonly zone?: string;
      readonly quantities?: never;
    }
  | {
      /** Ascending. */
      readonly quantities: readonly number[];
      /** What the quantities count, such as `Requests`. */
      readonly quantityTitle: string;
      readonly times?: never;
    };

/** An axis with its texts in the reader's language. */
export interface Axis {
  /** Above the first column of the table. */
  readonly title: string;
  readonly isOfTime: boolean;
  /** Which days its times are, where they are days. */
  readonly note: string | null;
  /** Of each figure: seconds of Unix time, or the quantity. */
  readonly positions: readonly number[];
  readonly textOf: (position: number) => string;
  /** The end of a range whose last figure is at the position: of hours, when the hour is over; of days, the day. */
  readonly endTextOf: (position: number) => string;
  /** Shorter, below the plot. */
  readonly tickOf: (position: number) => string;
  /** How far the clocks of its times are ahead of UTC; null where no time of day is shown. */
  readonly offsetSeconds: number | null;
  /** For programs, such as `2026-01-31T12:00:00.000Z`. */
  readonly plainOf: (position: number) => string | number;
}

const minuteSeconds = 60;
const daySeconds = 86_400;

export function useAxis(axis: ChartAxis): Axis {
  const words = texts().chart;
  const { language, timeZone } = useLocale();
  const numbers = useNumbers();
  if (axis.quantities) {
    return {
      title: axis.quantityTitle,
      isOfTime: false,
      note: null,
      positions: axis.quantities,
      textOf: numbers.count,
      endTextOf: numbers.count,
      tickOf: numbers.compact,
      offsetSeconds: null,
      plainOf: (quantity) => quantity,
    };
  }
  const positions = axis.times.map((time) => Date.parse(time) / 1_000);
  const { daily = false, monthly = false, zone } = axis;
  const shownZone = daily || monthly ? (zone ?? 'UTC') : timeZone;
  const stepSeconds = stepOf(positions);
  const hasClock = !daily && !monthly && (positions.length < 2 || stepSeconds < daySeconds);
  const textOf = new Intl.DateTimeFormat(language, {
    timeZone: shownZone,
    ...(monthly
      ? { month: 'long', year: 'numeric' }
      : {
          dateStyle: 'medium',
          ...(daily ? {} : { timeStyle: stepSeconds < minuteSeconds ? 'medium' : 'short' }),
        }),
  });
  const dayOf = new Intl.DateTimeFormat(language, {
    timeZone: shownZone,
    ...(monthly ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' }),
  });
  const clockOf = new Intl.DateTimeFormat(language, { timeZone: shownZone, hour: 'numeric', minute: '2-digit' });
  const offsetSeconds = hasClock && positions.length > 0 ? offsetAt(positions[0]!, shownZone) : null;
  const isMidnight = (seconds: number) => offsetSeconds === null || (seconds + offsetSeconds) % daySeconds === 0;
  return {
    title: monthly ? words.month : daily ? words.day : words.time,
    isOfTime: true,
    note: !daily || monthly ? null : zone === undefined ? words.daysInUtc : words.daysIn(zone.replaceAll('_', ' ')),
    positions,
    textOf: (seconds) => textOf.format(new Date(seconds * 1_000)),
    endTextOf: (seconds) => textOf.format(new Date((hasClock ? seconds + stepSeconds : seconds) * 1_000)),
    tickOf: (seconds) => (isMidnight(seconds) ? dayOf : clockOf).format(new Date(seconds * 1_000)),
    offsetSeconds,
    plainOf: (seconds) => new Date(seconds * 1_000).toISOString(),
  };
}

function offsetAt(seconds: number, timeZone: string | undefined): number {
  const minutes = Math.floor(seconds / minuteSeconds);
  const local = localTextOf(new Date(minutes * minuteSeconds * 1_000), timeZone);
  return Date.parse(`${local}Z`) / 1_000 - minutes * minuteSeconds;
}
