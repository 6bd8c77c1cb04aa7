import { Text } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useLocale, useZoneName } from './locale.tsx';
import { texts } from './texts.ts';
import classes from './values.module.css';

/** A time in the reader's time zone and language; its full form on hover. */
export function Moment(props: {
  /** ISO 8601. */
  readonly at: string | null | undefined;
  readonly absent?: string;
  /** To the second, where many fall within a minute. */
  readonly seconds?: boolean;
}) {
  const { at, absent, seconds = false } = props;
  const { language, timeZone } = useLocale();
  if (!at) return <>{absent ?? '–'}</>;
  const format = new Intl.DateTimeFormat(language, {
    timeZone,
    dateStyle: 'medium',
    timeStyle: seconds ? 'medium' : 'short',
  });
  return <Time at={at}>{format.format(new Date(at))}</Time>;
}

/** How long ago something was, or how soon it is, such as `5 minutes ago`: within a week; otherwise its date. */
export function Ago(props: {
  /** ISO 8601. */
  readonly at: string | null | undefined;
  readonly absent?: string;
}) {
  const { at, absent } = props;
  const { language, timeZone } = useLocale();
  const now = useSyncExternalStore(subscribeToSteps, steppedNow);
  if (!at) return <>{absent ?? '–'}</>;
  const seconds = (Date.parse(at) - now) / 1_000;
  return <Time at={at}>{relativeText(seconds, language) ?? dateText(at, language, timeZone)}</Time>;
}

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** Null beyond a week. */
function relativeText(seconds: number, language: string | undefined): string | null {
  const distance = Math.abs(seconds);
  if (distance > 7 * 86_400) return null;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const { unit, seconds: length } = units.find((each) => distance >= each.seconds) ?? { unit: 'second', seconds: 60 };
  return unit === 'second' ? format.format(0, unit) : format.format(Math.trunc(seconds / length), unit);
}

function dateText(at: string, language: string | undefined, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'medium' }).format(new Date(at));
}

const stepMs = 15_000;

/** The time in steps, so that every relative time on a screen changes at the same moment. */
function steppedNow(): number {
  return Math.floor(Date.now() / stepMs) * stepMs;
}

function subscribeToSteps(changed: () => void): () => void {
  const timer = setInterval(changed, stepMs);
  return () => clearInterval(timer);
}

function Time({ at, children }: { readonly at: string; readonly children: string }) {
  const { language, timeZone } = useLocale();
  const long = new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'full', timeStyle: 'long' }).format(
    new Date(at),
  );
  return (
    <time dateTime={at} title={long} className="moment">
      {children}
    </time>
  );
}

/** The zone of the times beside it. */
export function TimeZoneNote() {
  return (
    <Text size="xs" c="dimmed">
      {texts().timesIn(useZoneName())}
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

/** One property of an object, its label above its value. */
export function Fact(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={2}>
        {props.label}
      </Text>
      <div className={classes.value}>{props.children}</div>
    </div>
  );
}

/** The properties of an object, labels beside values; what has no value is left out. */
export function Properties(props: { readonly of: Readonly<Record<string, ReactNode>> }) {
  const shown = Object.entries(props.of).filter(
    ([, value]) => value !== undefined && value !== null && value !== false,
  );
  return (
    <dl className={classes.properties}>
      {shown.map(([label, value]) => (
        <div key={label} className={classes.property}>
          <dt>{label}</dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
