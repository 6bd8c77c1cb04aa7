import {
  Autocomplete,
  Button,
  Chip,
  Group,
  Input,
  List,
  MultiSelect,
  Radio,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { alertMetricNames, type Matcher, type SilenceSchedule, severities } from '@millrace/alerting';
import { type Form, showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { IconPlus, IconTrash } from '@millrace/ui/icons';
import { useLocale } from '@millrace/ui/locale';
import { TimeZoneNote } from '@millrace/ui/values';
import { localTextOf, momentOf } from '@millrace/ui/zones';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { DurationField } from '../../frame/duration-field.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { useRanges } from './ranges.ts';
import { dayOptions, operatorOptions, weekdays, weekOptions } from './schedule-text.ts';
import { nextWindows } from './windows.ts';

type Silence = DataOf<'listSilences'>['silences'][number];
type Recurring = Extract<SilenceSchedule, { readonly kind: 'recurring' }>;

/** Both kinds of schedule as they are typed, so that none is lost by trying the other. */
interface Values {
  readonly comment: string;
  readonly matchers: readonly Matcher[];
  readonly kind: SilenceSchedule['kind'];
  readonly once: { readonly startsAt: string; readonly seconds: number | '' };
  readonly recurring: Omit<Recurring, 'durationMinutes' | 'from' | 'until'> & {
    readonly durationMinutes: number | '';
    readonly from: string;
    readonly until: string;
  };
}

type SilenceFields = Form<Values>;

/** Creates a silence, also for given matchers, or edits the given one. */
export function SilenceForm(props: {
  readonly silence?: Silence;
  /** Of a new one. */
  readonly matchers?: readonly Matcher[];
  readonly onCancel: () => void;
  readonly onSaved: () => void;
}) {
  const { silence, onCancel, onSaved } = props;
  const { timeZone = 'UTC' } = useLocale();
  const create = useWrite('createSilence');
  const update = useWrite('updateSilence');
  const form = useForm<Values>(
    initialValues(silence, props.matchers ?? [{ label: 'environment', operator: '=', value: '' }], timeZone),
    async (values) => {
      const { comment, matchers } = values;
      const body = { comment, matchers: [...matchers], schedule: scheduleOf(values) as SilenceSchedule };
      if (silence) {
        await update.mutateAsync({ params: { silenceId: silence.id }, body, version: silence.version });
      } else {
        await create.mutateAsync({ body });
      }
      showDone(silence ? 'Silence saved.' : 'Silence created.');
      onSaved();
    },
  );
  const { values } = form;
  return (
    <FormBody form={form} submitLabel={silence ? 'Save' : 'Create'} onCancel={onCancel}>
      <TextInput
        label="Comment"
        description="Why, such as the work that is done meanwhile"
        required
        data-autofocus
        {...form.text('comment')}
      />
      <Matchers form={form} />
      <Radio.Group label="When" value={values.kind} onChange={(kind) => form.set('kind', kind as Values['kind'])}>
        <Group gap="md" mt={6}>
          <Radio value="once" label="Once" />
          <Radio value="recurring" label="Again and again, as a maintenance window" />
        </Group>
      </Radio.Group>
      {values.kind === 'once' ? <OnceFields form={form} /> : <RecurringFields form={form} />}
      <NextWindows schedule={scheduleOf(values)} />
    </FormBody>
  );
}

function initialValues(silence: Silence | undefined, matchers: readonly Matcher[], timeZone: string): Values {
  const schedule = silence?.schedule;
  const startsAt = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
  return {
    comment: silence?.comment ?? '',
    matchers: silence?.matchers ?? matchers,
    kind: schedule?.kind ?? 'once',
    once:
      schedule?.kind === 'once'
        ? {
            startsAt: schedule.startsAt,
            seconds: (Date.parse(schedule.endsAt) - Date.parse(schedule.startsAt)) / 1_000,
          }
        : { startsAt, seconds: 3_600 },
    recurring:
      schedule?.kind === 'recurring'
        ? { ...schedule, from: schedule.from ?? '', until: schedule.until ?? '' }
        : {
            kind: 'recurring',
            timeZone,
            days: { kind: 'weekly', weekdays: [7] },
            startTime: '02:00',
            durationMinutes: 120,
            from: '',
            until: '',
          },
  };
}

/** What is sent: an incomplete one is rejected by the server, at its fields. */
function scheduleOf({ kind, once, recurring }: Values): object {
  if (kind === 'recurring') {
    const { from, until, durationMinutes, ...schedule } = recurring;
    return {
      ...schedule,
      ...(durationMinutes !== '' && { durationMinutes }),
      from: from === '' ? null : from,
      until: until === '' ? null : until,
    };
  }
  const { startsAt, seconds } = once;
  if (startsAt === '' || seconds === '') return { kind, ...(startsAt !== '' && { startsAt }) };
  return { kind, startsAt, endsAt: new Date(Date.parse(startsAt) + seconds * 1_000).toISOString() };
}

const labels = ['environment', 'proxy', 'rule', 'metric', 'severity'] as const;

function Matchers({ form }: { readonly form: SilenceFields }) {
  const { environments } = useEnvironments();
  const { matchers } = form.values;
  const known: Readonly<Record<string, readonly string[]>> = {
    environment: environments.map(({ name }) => name),
    metric: alertMetricNames,
    severity: severities,
  };
  return (
    <Input.Wrapper
      label="Alerts"
      description="Those whose labels match all of these; “matches” takes a regular expression"
      error={matchers.length === 0 ? form.errorAt('matchers') : undefined}
    >
      <Stack gap="xs" mt={5}>
        {matchers.map((matcher, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is what identifies a matcher, also in errors.
          <Group key={index} gap={6} align="start" role="group" aria-label={`Matcher ${index + 1}`}>
            <Autocomplete
              aria-label={`Label of matcher ${index + 1}`}
              data={[...labels]}
              value={matcher.label}
              onChange={(label) => form.setAt(`matchers.${index}.label`, label)}
              error={form.errorAt(`matchers.${index}.label`)}
              flex="1 1 9rem"
            />
            <Select
              aria-label={`Comparison of matcher ${index + 1}`}
              data={[...operatorOptions]}
              value={matcher.operator}
              onChange={(operator) => form.setAt(`matchers.${index}.operator`, operator ?? '=')}
              allowDeselect={false}
              flex="0 1 8rem"
            />
            {/* Below the label where there is no room beside it. */}
            <Group gap={6} align="start" wrap="nowrap" flex="1 1 11rem">
              <Autocomplete
                aria-label={`Value of matcher ${index + 1}`}
                data={[...(known[matcher.label] ?? [])]}
                value={matcher.value}
                onChange={(value) => form.setAt(`matchers.${index}.value`, value)}
                error={form.errorAt(`matchers.${index}.value`)}
                flex={1}
                miw={0}
              />
              <Button
                variant="subtle"
                color="gray"
                px={8}
                aria-label={`Remove matcher ${index + 1}`}
                onClick={() => form.removeAt('matchers', index)}
              >
                <IconTrash size={16} aria-hidden />
              </Button>
            </Group>
          </Group>
        ))}
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => form.insertAt('matchers', { label: '', operator: '=', value: '' })}
            disabled={matchers.length >= 10}
          >
            Add matcher
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}

function OnceFields({ form }: { readonly form: SilenceFields }) {
  const { timeZone } = useLocale();
  const { startsAt, seconds } = form.values.once;
  return (
    <>
      <Group gap="xs" align="start">
        <TextInput
          label="Starts"
          type="datetime-local"
          required
          defaultValue={localTextOf(new Date(startsAt), timeZone)}
          onChange={({ currentTarget }) =>
            form.setAt('once.startsAt', momentOf(currentTarget.value, timeZone)?.toISOString() ?? '')
          }
          error={form.errorAt('schedule.startsAt')}
          w={210}
        />
        <DurationField
          label="Lasts"
          smallest="minutes"
          value={seconds}
          onChange={(next) => form.setAt('once.seconds', next)}
          error={form.errorAt('schedule.endsAt')}
        />
      </Group>
      <TimeZoneNote />
    </>
  );
}

const dayKinds = [
  { value: 'weekly', label: 'On days of the week' },
  { value: 'monthly', label: 'On days of the month' },
  { value: 'monthly_weekday', label: 'On a weekday of the month' },
] as const;

const firstDays: Readonly<Record<Recurring['days']['kind'], Recurring['days']>> = {
  weekly: { kind: 'weekly', weekdays: [7] },
  monthly: { kind: 'monthly', daysOfMonth: [1] },
  monthly_weekday: { kind: 'monthly_weekday', weeks: [1], weekday: 7 },
};

function RecurringFields({ form }: { readonly form: SilenceFields }) {
  const { days, startTime, durationMinutes, timeZone, from, until } = form.values.recurring;
  const date = (name: 'from' | 'until', label: string) => (
    <TextInput
      label={label}
      description="Empty for any"
      type="date"
      value={name === 'from' ? from : until}
      onChange={({ currentTarget }) => form.setAt(`recurring.${name}`, currentTarget.value)}
      error={form.errorAt(`schedule.${name}`)}
      w={160}
    />
  );
  return (
    <>
      <Select
        label="Days"
        data={[...dayKinds]}
        value={days.kind}
        onChange={(kind) => form.setAt('recurring.days', firstDays[(kind ?? days.kind) as Recurring['days']['kind']])}
        allowDeselect={false}
        maw={280}
      />
      <DayFields form={form} days={days} />
      <Group gap="xs" align="start">
        <TextInput
          label="Starts at"
          type="time"
          required
          value={startTime}
          onChange={({ currentTarget }) => form.setAt('recurring.startTime', currentTarget.value)}
          error={form.errorAt('schedule.startTime')}
          w={130}
        />
        <DurationField
          label="Lasts"
          smallest="minutes"
          value={durationMinutes === '' ? '' : durationMinutes * 60}
          onChange={(seconds) => form.setAt('recurring.durationMinutes', seconds === '' ? '' : seconds / 60)}
          error={form.errorAt('schedule.durationMinutes')}
        />
      </Group>
      <Autocomplete
        label="Time zone"
        description="Windows follow its clock, also through daylight saving"
        required
        data={Intl.supportedValuesOf('timeZone')}
        limit={20}
        value={timeZone}
        onChange={(zone) => form.setAt('recurring.timeZone', zone)}
        error={form.errorAt('schedule.timeZone')}
        maw={280}
      />
      <Group gap="xs" align="start">
        {date('from', 'First day')}
        {date('until', 'Last day')}
      </Group>
    </>
  );
}

function DayFields({ form, days }: { readonly form: SilenceFields; readonly days: Recurring['days'] }) {
  const error = form.errorAt('schedule.days');
  const numbers = (path: string) => (chosen: readonly string[]) =>
    form.setAt(`recurring.days.${path}`, chosen.map(Number));
  switch (days.kind) {
    case 'weekly':
      return (
        <Input.Wrapper label="Weekdays" error={error}>
          <Chip.Group multiple value={days.weekdays.map(String)} onChange={numbers('weekdays')}>
            <Group gap={6} mt={5}>
              {weekdays.map((name, index) => (
                <Chip key={name} value={String(index + 1)} size="xs">
                  {name}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
      );
    case 'monthly':
      return (
        <MultiSelect
          label="Days of the month"
          data={dayOptions}
          value={days.daysOfMonth.map(String)}
          onChange={numbers('daysOfMonth')}
          error={error}
          searchable
        />
      );
    case 'monthly_weekday':
      return (
        <Group gap="xs" align="start">
          <MultiSelect
            label="Weeks"
            data={weekOptions}
            value={days.weeks.map(String)}
            onChange={numbers('weeks')}
            error={error}
            miw={200}
          />
          <Select
            label="Weekday"
            data={weekdays.map((label, index) => ({ value: String(index + 1), label }))}
            value={String(days.weekday)}
            onChange={(weekday) => form.setAt('recurring.days.weekday', Number(weekday ?? days.weekday))}
            allowDeselect={false}
            w={150}
          />
        </Group>
      );
  }
}

/** When it will apply next, as soon as it is complete. */
function NextWindows({ schedule }: { readonly schedule: object }) {
  const rangeOf = useRanges();
  const { timeZone: own } = useLocale();
  const windows = nextWindows(schedule, Date.now());
  if (windows === null) return null;
  const zone = 'timeZone' in schedule ? String(schedule.timeZone) : own;
  return (
    <div aria-live="polite">
      <Text size="sm" fw={500} mb={4}>
        Next windows
      </Text>
      {windows.length === 0 ? (
        <Text size="sm" c="dimmed">
          None: the last one is over.
        </Text>
      ) : (
        <List size="sm" spacing={2}>
          {windows.map(({ fromMs, toMs }) => (
            <List.Item key={fromMs}>
              {rangeOf(fromMs, toMs, zone)}
              {zone !== own && (
                <Text size="xs" c="dimmed" component="span">{` (${rangeOf(fromMs, toMs)} for you)`}</Text>
              )}
            </List.Item>
          ))}
        </List>
      )}
    </div>
  );
}
