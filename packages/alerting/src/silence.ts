import * as z from 'zod';

/** One condition on an alert's labels. Expressions match the whole value. A label that is missing is empty. */
export const Matcher = z.strictObject({
  label: z
    .string()
    .min(1)
    .max(60)
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'Use letters, digits and underscores.'),
  operator: z.enum(['=', '!=', '=~', '!~']).describe('Equal, not equal, matching a regular expression, not matching.'),
  value: z.string().max(200),
});
export type Matcher = z.infer<typeof Matcher>;

const Weekday = z.int().min(1).max(7).describe('1 is Monday, 7 is Sunday.');
const CivilDay = z.iso.date();

/** Days on which a window begins. */
export const RecurringDays = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('weekly'), weekdays: z.array(Weekday).min(1).max(7) }),
  z.strictObject({
    kind: z.literal('monthly'),
    daysOfMonth: z
      .array(
        z
          .int()
          .min(-1)
          .max(31)
          .refine((day) => day !== 0, 'Days begin at 1.'),
      )
      .min(1)
      .max(31)
      .describe('-1 is the last day; days that a month lacks are left out.'),
  }),
  z.strictObject({
    kind: z.literal('monthly_weekday'),
    weeks: z
      .array(
        z
          .int()
          .min(-1)
          .max(5)
          .refine((week) => week !== 0, 'Weeks begin at 1.'),
      )
      .min(1)
      .max(6)
      .describe('1 is the first of its weekday in the month, -1 the last.'),
    weekday: Weekday,
  }),
]);
export type RecurringDays = z.infer<typeof RecurringDays>;

/**
 * When a silence applies: once, or again and again by a time zone's clock. A window that begins at a time which daylight
 * saving skips begins as much later; one that begins at a time which comes twice begins at the first.
 */
export const silenceSchedule = <TimeZone extends z.ZodType<string>>(timeZone: TimeZone) =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('once'), startsAt: z.iso.datetime(), endsAt: z.iso.datetime() }),
    z.strictObject({
      kind: z.literal('recurring'),
      timeZone,
      days: RecurringDays,
      startTime: z
        .string()
        .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Use HH:MM, such as 22:30.')
        .describe('By the time zone’s clock.'),
      durationMinutes: z
        .int()
        .min(1)
        .max(7 * 1_440),
      from: CivilDay.nullable().describe('First day on which a window may begin; null: any.'),
      until: CivilDay.nullable().describe('Last day on which a window may begin; null: any.'),
    }),
  ]);
export type SilenceSchedule = z.infer<ReturnType<typeof silenceSchedule<z.ZodString>>>;

/** A silence as matching needs it. */
export interface Silence {
  readonly id: string;
  /** All of them must match; at least one. */
  readonly matchers: readonly Matcher[];
  readonly schedule: SilenceSchedule;
}
