import { useNow } from './now.ts';

/** How long ago something was, in a few characters, counted on each second. */
export function Age(props: { readonly at: string | null; readonly absent: string }) {
  const now = useNow();
  if (props.at === null) return props.absent;
  return (
    <time dateTime={props.at} title={props.at} style={{ whiteSpace: 'nowrap' }}>
      {ageText(now - Date.parse(props.at))} ago
    </time>
  );
}

/** A duration by its largest whole unit: `4 s`, `12 min`, `3 h`, `2 d`. */
function ageText(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
