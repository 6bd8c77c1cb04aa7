import { useLocale } from '@millrace/ui/locale';

/** A calendar day such as `2026-01-15`, in the reader's language; a dash for none. */
export function Day({ day }: { readonly day: string | null }) {
  const { language } = useLocale();
  if (day === null) return '–';
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  return <time dateTime={day}>{format.format(new Date(day))}</time>;
}
