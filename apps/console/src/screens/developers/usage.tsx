import { Group, Select } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRead } from '../../frame/api.ts';
import { UsageFigures } from '../../frame/usage.tsx';

const ranges = [
  { value: '7', label: 'The last 7 days' },
  { value: '30', label: 'The last 30 days' },
  { value: '90', label: 'The last 90 days' },
  { value: '365', label: 'The last 365 days' },
];

/** The first of so many days that end today, in UTC, as the API takes it. */
function firstDay(days: number): string {
  return new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
}

/** What a developer's apps called. */
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
          aria-label="Days"
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
