import { Group, Progress, Text } from '@mantine/core';

/** How much of a limit is used. */
export function UsageBar(props: {
  readonly label: string;
  readonly used: number;
  /** Null where there is none. */
  readonly limit: number | null;
  readonly format: (value: number) => string;
}) {
  const { label, used, limit, format } = props;
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit);
  const color = share >= 1 ? 'red.8' : share >= 0.8 ? 'orange.6' : undefined;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{label}</Text>
        <Text size="sm" c="dimmed">
          {limit === null ? `${format(used)}, no limit` : `${format(used)} of ${format(limit)}`}
        </Text>
      </Group>
      {limit !== null && <Progress value={share * 100} color={color} size="sm" aria-label={label} />}
    </div>
  );
}
