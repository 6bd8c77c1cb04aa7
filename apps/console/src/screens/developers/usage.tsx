import { Group, Select } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRead } from '../../frame/api.ts';
import { UsageFigures } from '../../frame/usage.tsx';

const ranges = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
];

/** The first day of a period that ends today, in UTC. */
function firstDay(days: number): string {
  return new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
}

/** The calls of a developer's apps. */
export function DeveloperUsage() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId/usage' });
  const search = useSearch({ from: '/shell/developers/$developerId/usage' });
  const navigate = useNavigate();
  const days = ranges.find(({ value }) => value === String(search.days))?.value ?? '30';
  const read = useRead('getDeveloperUsage', { params: { developerId }, query: { from: firstDay(Number(days)) } });
  return (
    <>
      <Group mb="md">
        <Select
          aria-label="Period"
          data={ranges}
          value={days}
          allowDeselect={false}
          onChange={(value) => navigate({ to: '.', search: { days: value ?? undefined } as never, replace: true })}
          w={200}
        />
      </Group>
      <Loaded read={read}>{(usage) => <UsageFigures usage={usage} />}</Loaded>
    </>
  );
}
