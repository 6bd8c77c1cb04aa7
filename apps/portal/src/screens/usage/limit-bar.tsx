import { Group, Progress, Text } from '@mantine/core';
import { Ago } from '@millrace/ui/values';
import { useId } from 'react';
import { texts } from '../../frame/texts.ts';

/** How much of a limit is used. */
export function LimitBar(props: {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  /** A quantity as text. */
  readonly text: (quantity: number) => string;
  /** When it starts again at 0, in ISO 8601. */
  readonly until?: string | undefined;
  /** Beyond it calls cost more, and are not rejected. */
  readonly mayExceed?: boolean;
}) {
  const { label, used, limit, text, until, mayExceed = false } = props;
  const labelId = useId();
  const share = limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  const tone = share >= 100 && !mayExceed ? 'bad' : share >= 80 ? 'warning' : 'accent';
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={500} id={labelId}>
          {label}
        </Text>
        <Text size="sm" c="dimmed">
          {texts.usage.usedOf(text(used), text(limit))}
          {until && (
            <>
              {' · '}
              {texts.usage.resets} <Ago at={until} />
            </>
          )}
        </Text>
      </Group>
      <Progress.Root size={8}>
        <Progress.Section value={share} aria-labelledby={labelId} color={`var(--portal-${tone})`} />
      </Progress.Root>
    </div>
  );
}
