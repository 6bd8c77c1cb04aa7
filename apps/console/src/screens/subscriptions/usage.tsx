import { Group, Progress, Stack, Text } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import type { ReactNode } from 'react';
import { type DataOf, useRead } from '../../frame/api.ts';
import { QuotaText } from '../../frame/quota.tsx';
import { UsageFigures } from '../../frame/usage.tsx';

/** The calls of a subscription, in its quota's window and by day. */
export function SubscriptionUsage({ subscriptionId }: { readonly subscriptionId: string }) {
  const read = useRead('getSubscriptionUsage', { params: { subscriptionId }, query: {} }, { refetchInterval: 15_000 });
  return (
    <Loaded read={read}>
      {(usage) => (
        <Stack>
          <QuotaUsage usage={usage} />
          {usage.allowance?.map(({ charge, used, included }) => (
            <Bar
              key={charge}
              label={`Included in the rate plan: ${charge}`}
              used={Number(used)}
              of={Number(included)}
            />
          ))}
          <UsageFigures usage={usage} />
        </Stack>
      )}
    </Loaded>
  );
}

function QuotaUsage({ usage }: { readonly usage: DataOf<'getSubscriptionUsage'> }) {
  const { quota, window, used } = usage;
  if (quota === null) return <Note>No quota of its own: each API proxy’s Quota policy applies, if it has one.</Note>;
  const source = quota.source === 'subscription' ? 'subscription’s quota' : 'API product’s quota';
  if (used === null || window === null) {
    return (
      <Note>
        <QuotaText quota={quota} absent="" /> ({source}). Usage is recorded by the hour, so how much of a shorter window
        is used isn’t known.
      </Note>
    );
  }
  return (
    <Bar label={`Calls in the current window of the ${source}`} used={used} of={quota.limit}>
      Resets <Moment at={window.end} />
    </Bar>
  );
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

/** How much of a limit is used. */
function Bar(props: {
  readonly label: string;
  readonly used: number;
  readonly of: number;
  readonly children?: ReactNode;
}) {
  const { label, used, of, children } = props;
  const numbers = useNumbers();
  const share = of === 0 ? 1 : used / of;
  const text = `${numbers.count(used)} of ${numbers.count(of)} (${numbers.percent(share)})`;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={500}>
          {text}
        </Text>
      </Group>
      <Progress.Root size="sm">
        <Progress.Section
          value={Math.min(100, share * 100)}
          color={share >= 1 ? 'red' : share >= 0.8 ? 'orange' : undefined}
          aria-label={label}
          aria-valuetext={text}
        />
      </Progress.Root>
      {children && (
        <Text size="xs" c="dimmed" mt={4}>
          {children}
        </Text>
      )}
    </div>
  );
}
