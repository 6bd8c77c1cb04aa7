import { useLocale } from '@millrace/ui/locale';

/** A billing period as its first and last day, in the reader's language. */
export function Period(props: { readonly period: { readonly from: string; readonly to: string } }) {
  const { language, timeZone } = useLocale();
  const format = new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'medium' });
  const { from, to } = props.period;
  // It ends with the moment at which the next one begins.
  return format.formatRange(Date.parse(from), Date.parse(to) - 1);
}
