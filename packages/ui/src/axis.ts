import { useLocale } from './locale.tsx';
import { useNumbers } from './numbers.ts';
import { texts } from './texts.ts';

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
  /** Shorter, below the plot. */
  readonly tickOf: (position: number) => string;
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
      tickOf: numbers.compact,
      plainOf: (quantity) => quantity,
    };
  }
  const positions = axis.times.map((time) => Date.parse(time) / 1_000);
  const { daily = false, monthly = false, zone } = axis;
  const shownZone = daily || monthly ? (zone ?? 'UTC') : timeZone;
  const stepSeconds = stepOf(positions);
  const spanSeconds = positions.length > 1 ? positions.at(-1)! - positions[0]! : 0;
  const textOf = new Intl.DateTimeFormat(language, {
    timeZone: shownZone,
    ...(monthly
      ? { month: 'long', year: 'numeric' }
      : {
          dateStyle: 'medium',
          ...(daily ? {} : { timeStyle: stepSeconds < minuteSeconds ? 'medium' : 'short' }),
        }),
  });
  const tickOf = new Intl.DateTimeFormat(language, {
    timeZone: shownZone,
    ...(monthly
      ? { month: 'short', year: 'numeric' }
      : stepSeconds >= daySeconds
        ? { day: 'numeric', month: 'short' }
        : spanSeconds > 2 * daySeconds
          ? { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }
          : { hour: 'numeric', minute: '2-digit' }),
  });
  return {
    title: monthly ? words.month : daily ? words.day : words.time,
    isOfTime: true,
    note: !daily || monthly ? null : zone === undefined ? words.daysInUtc : words.daysIn(zone.replaceAll('_', ' ')),
    positions,
    textOf: (seconds) => textOf.format(new Date(seconds * 1_000)),
    tickOf: (seconds) => tickOf.format(new Date(seconds * 1_000)),
    plainOf: (seconds) => new Date(seconds * 1_000).toISOString(),
  };
}

/** From one position to the next; a day where there is only one. */
export function stepOf(positions: readonly number[]): number {
  return positions.length > 1 ? positions[1]! - positions[0]! : daySeconds;
}
