import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { Chart } from '@millrace/ui/chart';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Loaded, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Moment } from '@millrace/ui/values';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { Can } from '../../frame/can.tsx';
import { useMetricValues } from '../alert-rules/metric-values.ts';
import { subjectOf } from '../alert-rules/overview.tsx';
import classes from './incidents.module.css';
import type { Incident } from './marks.tsx';

type Entry = DataOf<'getIncidentTimeline'>['entries'][number];

const kinds: Readonly<Record<Entry['kind'], { readonly label: string; readonly tone: Tone }>> = {
  opened: { label: 'Opened', tone: 'bad' },
  member_added: { label: 'Member added', tone: 'bad' },
  member_recovered: { label: 'Member recovered', tone: 'good' },
  recovered: { label: 'Recovered', tone: 'good' },
  measured: { label: 'Measured', tone: 'neutral' },
  acknowledged: { label: 'Acknowledged', tone: 'warning' },
  monitoring: { label: 'Monitoring', tone: 'active' },
  resolved: { label: 'Resolved', tone: 'good' },
  reopened: { label: 'Reopened', tone: 'bad' },
  suppressed: { label: 'Silenced', tone: 'neutral' },
  unsuppressed: { label: 'No longer silenced', tone: 'neutral' },
  note: { label: 'Note', tone: 'accent' },
  notification: { label: 'Notification', tone: 'accent' },
};

const pageSize = 50;

/** Everything that happened in an incident, the newest first, and a field to add to it. */
export function Timeline({ incident }: { readonly incident: Incident }) {
  const [kind, setKind] = useState<Entry['kind'] | null>(null);
  const [page, setPage] = useState(1);
  const params = { incidentId: incident.id };
  const read = useRead(
    'getIncidentTimeline',
    { params, query: { sort: '-at', page, pageSize, ...(kind !== null && { kind }) } },
    { refetchInterval: 10_000, keepsPrevious: true },
  );
  return (
    <>
      <MeasuredChart incident={incident} />
      <Section
        title="Timeline"
        actions={
          <Select
            aria-label="Shown in the timeline"
            placeholder="Everything"
            data={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
            value={kind}
            onChange={(next) => {
              setKind(next as Entry['kind'] | null);
              setPage(1);
            }}
            clearable
            clearButtonProps={{ 'aria-label': 'Show everything' }}
            w={180}
          />
        }
      >
        <Stack>
          <Can anyOf={['incident.write']}>
            <NoteForm incidentId={incident.id} />
          </Can>
          <Loaded read={read}>
            {({ entries, total }) => (
              <>
                <ol className={classes.timeline} aria-label="Timeline">
                  {entries.map((entry) => (
                    <TimelineEntry key={entry.id} entry={entry} unit={incident.unit} />
                  ))}
                </ol>
                {entries.length === 0 && (
                  <Text size="sm" c="dimmed">
                    Nothing of this kind.
                  </Text>
                )}
                {total > pageSize && (
                  <Group gap="xs">
                    <Button size="xs" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
                      Newer
                    </Button>
                    <Button
                      size="xs"
                      variant="default"
                      disabled={page * pageSize >= total}
                      onClick={() => setPage(page + 1)}
                    >
                      Older
                    </Button>
                  </Group>
                )}
              </>
            )}
          </Loaded>
        </Stack>
      </Section>
    </>
  );
}

function TimelineEntry({ entry, unit }: { readonly entry: Entry; readonly unit: Incident['unit'] }) {
  const { at, kind, by, text, alert, value, threshold, notification } = entry;
  const formatValue = useMetricValues();
  const { label, tone } = kinds[kind];
  const hasNoValue = value === null || threshold === null || unit === 'boolean';
  return (
    <li className={classes.entry}>
      <Group gap="xs">
        <Mark tone={tone}>{label}</Mark>
        <Text size="xs" c="dimmed" component="span">
          <Moment at={at} seconds />
          {by && ` · ${by.name}`}
          {alert && ` · ${alert.proxyName ?? subjectOf(alert.labels)}`}
          {!hasNoValue && ` · ${formatValue(unit, value)}, threshold ${formatValue(unit, threshold)}`}
        </Text>
      </Group>
      {text !== '' && (
        <Text size="sm" className={classes.text!}>
          {text}
        </Text>
      )}
      {notification && (
        <Text size="sm">
          <TextLink
            to="/integrations/$integrationId/deliveries"
            params={{ integrationId: notification.integrationId }}
            inherit
          >
            {notification.integrationName}
          </TextLink>
          {notification.responseStatus !== null && `, answered ${notification.responseStatus}`}
          {notification.attempts > 1 && `, ${notification.attempts} attempts`}
          {notification.failure !== null && ` – ${notification.failure}`}
        </Text>
      )}
    </li>
  );
}

function NoteForm({ incidentId }: { readonly incidentId: string }) {
  const add = useWrite('addIncidentNote');
  const form = useForm({ text: '' }, async (body) => {
    await add.mutateAsync({ params: { incidentId }, body });
    form.reset({ text: '' });
  });
  return (
    <FormBody form={form} submitLabel="Add note" disabled={form.values.text.trim() === ''}>
      <Textarea label="Note" autosize minRows={2} {...form.text('text')} />
    </FormBody>
  );
}

/** The chart has no more colours. */
const mostLines = 5;

/** The measured values of the first members, once there are several. */
function MeasuredChart({ incident }: { readonly incident: Incident }) {
  const { id, unit, threshold, alerts } = incident;
  const formatValue = useMetricValues();
  const { data } = useRead(
    'getIncidentTimeline',
    { params: { incidentId: id }, query: { sort: '-at', pageSize: 100, kind: 'measured' } },
    { enabled: unit !== 'boolean', refetchInterval: 30_000 },
  );
  const entries = (data?.entries ?? []).toReversed();
  const times = [...new Set(entries.map(({ at }) => at))];
  if (times.length < 2) return null;
  const lines = alerts.slice(0, mostLines).map(({ fingerprint, labels, proxyName }) => {
    const values = new Map(
      entries.filter(({ alert }) => alert?.fingerprint === fingerprint).map(({ at, value }) => [at, value]),
    );
    return { name: proxyName ?? subjectOf(labels), values: times.map((time) => values.get(time) ?? null) };
  });
  return (
    <Section title="Measured values">
      <Chart
        label="Measured values"
        kind="lines"
        times={times}
        leastStep={unit === 'count' ? 1 : 0.01}
        series={[...lines, { name: 'Threshold', values: times.map(() => threshold), tone: 'bad' }]}
        format={(value) => formatValue(unit, value)}
        empty="Nothing measured yet."
      />
    </Section>
  );
}
