import { Card, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocale, useZoneName } from './locale.tsx';

/** A moment in the time zone and language of whoever looks; its full form on pointing at it. */
export function Moment(props: {
  /** ISO 8601. */
  readonly at: string | null | undefined;
  readonly absent?: string;
  /** To the second, where one minute holds many. */
  readonly seconds?: boolean;
}) {
  const { language, timeZone } = useLocale();
  if (!props.at) return <>{props.absent ?? '–'}</>;
  const at = new Date(props.at);
  const short = new Intl.DateTimeFormat(language, {
    timeZone,
    dateStyle: 'medium',
    timeStyle: props.seconds ? 'medium' : 'short',
  }).format(at);
  const long = new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'full', timeStyle: 'long' }).format(at);
  return (
    <time dateTime={props.at} title={long} className="moment">
      {short}
    </time>
  );
}

/** Says in which zone the times beside it are. */
export function TimeZoneNote() {
  return (
    <Text size="xs" c="dimmed">
      Times are in {useZoneName()}.
    </Text>
  );
}

/** Several short texts below each other; a dash for none. */
export function Lines({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return <>–</>;
  return texts.map((text) => (
    <Text key={text} size="sm" style={{ wordBreak: 'break-word' }}>
      {text}
    </Text>
  ));
}

/** One thing to know of an entity. */
export function Fact(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Card withBorder padding="sm">
      <Text size="sm" c="dimmed">
        {props.label}
      </Text>
      <div className="fact-value">{props.children}</div>
    </Card>
  );
}
