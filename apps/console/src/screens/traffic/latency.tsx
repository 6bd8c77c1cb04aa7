import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { HeatMap } from '@millrace/ui/heat-map';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { useRead } from '../../frame/api.ts';
import { useDurations } from '../../frame/durations.ts';
import {
  Bands,
  type Latency,
  type Measure,
  measureNames,
  measuresOf,
  percentileNames,
  percentileOf,
  percentiles,
} from './bands.tsx';
import { Change } from './change.tsx';
import { axisOf, useTraffic } from './state.ts';

/** Percentiles of the time at the target and in the gateway, and how they spread. */
export function TrafficLatency() {
  const { search, query, reading } = useTraffic();
  const chosen = (Object.keys(measureNames) as readonly Measure[]).find((each) => each === search.measure);
  const read = useRead('getLatency', { query: { ...query, ...(chosen && { measure: chosen }) } }, reading);
  return <Loaded read={read}>{(latency) => <Shown latency={latency} />}</Loaded>;
}

function Shown({ latency }: { readonly latency: Latency }) {
  const { selectOf, change } = useTraffic();
  const duration = useDurations();
  const measures = measuresOf(latency);
  const { heatMap, points } = latency;
  if (measures.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No latency was measured for this. Choose another range or other filters.
      </Text>
    );
  }
  return (
    <Stack gap="lg">
      <Percentiles latency={latency} measures={measures} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        {measures.map((measure) => (
          <Section key={measure} title={measureNames[measure]}>
            <Bands latency={latency} measure={measure} syncKey="latency" />
          </Section>
        ))}
      </SimpleGrid>
      <Section
        title="Heat map"
        description="How many requests took how long."
        actions={
          measures.length > 1 && (
            <SegmentedControl
              aria-label="Heat map of"
              size="xs"
              value={heatMap.measure}
              onChange={(measure) => change((current) => ({ ...current, measure }))}
              data={measures.map((value) => ({ value, label: measureNames[value] }))}
            />
          )
        }
      >
        <HeatMap
          label={`Heat map of ${measureNames[heatMap.measure].toLowerCase()}`}
          {...axisOf(points, latency)}
          {...selectOf(latency)}
          syncKey="latency"
          rows={heatMap.boundsUs.map((bound, band) => ({
            from: duration(bound),
            to: heatMap.boundsUs[band + 1] === undefined ? null : duration(heatMap.boundsUs[band + 1]!),
            values: heatMap.cells.map((cells) => cells[band] ?? 0),
          }))}
          empty="Not measured in this range."
        />
      </Section>
    </Stack>
  );
}

/** Of the whole range, from merged histograms. */
function Percentiles({ latency, measures }: { readonly latency: Latency; readonly measures: readonly Measure[] }) {
  const duration = useDurations();
  const { total, previous } = latency;
  return (
    <RecordTable
      label="Table of percentiles"
      rows={measures.map((measure) => ({ id: measure }))}
      columns={[
        { title: 'Measured', cell: ({ id }) => measureNames[id] },
        ...percentiles.map((percentile) => ({
          title: percentileNames[percentile],
          align: 'end' as const,
          cell: ({ id }: { readonly id: Measure }) => {
            const value = percentileOf(total, id, percentile);
            return (
              <>
                {value === null ? '–' : duration(value)}
                <Change now={value} before={previous && percentileOf(previous, id, percentile)} format={duration} />
              </>
            );
          },
        })),
      ]}
    />
  );
}
