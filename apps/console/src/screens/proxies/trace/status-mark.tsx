import { Mark } from '@millrace/ui/mark';

/** An HTTP status; null: no response came. */
export function StatusMark({ status }: { readonly status: number | null }) {
  if (status === null) return <Mark tone="bad">No response</Mark>;
  return <Mark tone={status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'good'}>{status}</Mark>;
}
