const minuteMs = 60_000;

/**
 * The moment at which the clocks of a zone show a local time; null where the text is no such time. Of a time that a
 * change of the clocks leaves out, that with the offset from after it.
 *
 * @param local such as `2026-03-14T09:30`
 * @param timeZone IANA; undefined for that of the browser
 */
export function momentOf(local: string, timeZone: string | undefined): Date | null {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  const near = asUtc - offsetMs(new Date(asUtc), timeZone);
  return new Date(asUtc - offsetMs(new Date(near), timeZone));
}

/** What the clocks of a zone show at a moment, to the minute, such as `2026-03-14T09:30`. */
export function localTextOf(moment: Date, timeZone: string | undefined): string {
  return new Date(moment.getTime() + offsetMs(moment, timeZone)).toISOString().slice(0, 16);
}

/** The first moment of a day such as `2026-03-14` in a zone; null where the text is no day. */
export function startOfDay(day: string, timeZone: string | undefined): Date | null {
  return momentOf(`${day}T00:00`, timeZone);
}

/** The first moment after a day such as `2026-03-14` in a zone; null where the text is no day. */
export function endOfDay(day: string, timeZone: string | undefined): Date | null {
  const start = Date.parse(`${day}T00:00Z`);
  if (Number.isNaN(start)) return null;
  return startOfDay(new Date(start + 24 * 60 * minuteMs).toISOString().slice(0, 10), timeZone);
}

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetMs(moment: Date, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment);
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return shown - Math.floor(moment.getTime() / 1_000) * 1_000;
}
