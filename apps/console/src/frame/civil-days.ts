import { useLocale } from '@millrace/ui/locale';

/** Formats civil dates such as `2026-01-31` in the reader's language. */
export function useCivilDays() {
  const { language } = useLocale();
  const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'medium' });
  const month = new Intl.DateTimeFormat(language, { timeZone: 'UTC', month: 'long', year: 'numeric' });
  const dayOf = (day: string | null) => (day === null ? '–' : format.format(new Date(day)));
  return {
    dayOf,
    /** Of a month such as `2026-01`. */
    monthOf: (key: string) => month.format(new Date(key)),
    daysOf: (firstDay: string, lastDay: string) => format.formatRange(new Date(firstDay), new Date(lastDay)),
    /** Two days as a range; a whole month as its name. */
    rangeOf: (firstDay: string, lastDay: string) => {
      const last = new Date(lastDay);
      const isMonth = firstDay.endsWith('-01') && firstDay.slice(0, 7) === lastDay.slice(0, 7);
      const endsMonth = new Date(last.getTime() + 86_400_000).getUTCDate() === 1;
      return isMonth && endsMonth ? month.format(last) : format.formatRange(new Date(firstDay), last);
    },
  };
}
