import { Text } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';

/** How a figure differs from that of the period before; nothing where there is none. */
export function Change(props: {
  readonly now: number | null;
  readonly before: number | null | undefined;
  readonly format: (value: number) => string;
}) {
  const { now, before, format } = props;
  const { percent } = useNumbers();
  if (before === null || before === undefined) return null;
  const change = now === null || before === 0 ? null : now / before - 1;
  const sign = change !== null && change > 0 ? '+' : '';
  return (
    <Text size="xs" c="dimmed" component="div">
      {change === null ? '' : `${sign}${percent(change, 1)}, `}before {format(before)}
    </Text>
  );
}
