import { useLocale } from '@millrace/ui/locale';

/** Formats ranges of time in the reader's language; in their time zone, where none is given. */
export function useRanges(): (from: string | number, to: string | number, timeZone?: string) => string {
  const { language, timeZone: own } = useLocale();
  return (from, to, timeZone = own) =>
    new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).formatRange(
      new Date(from),
      new Date(to),
    );
}
