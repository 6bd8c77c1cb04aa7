import { Card, Group, Text } from '@mantine/core';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Moment } from '@millrace/ui/values';
import type { ReactNode } from 'react';
import { type Fixable, FixLink } from './fix-link.tsx';

/** What a rule objects to, as every screen shows it. */
export interface Finding extends Fixable {
  readonly message: string;
  readonly remedy: string;
  readonly severity: 'error' | 'warning' | 'information';
  readonly blocking: boolean;
  readonly waived: boolean;
  /** Of a waived finding, where it is known. */
  readonly waiver?: { readonly reason: string; readonly endsAt: string } | null;
}

const tones: Readonly<Record<Finding['severity'], Tone>> = { error: 'bad', warning: 'warning', information: 'active' };

/** One finding: what is wrong, how to fix it, and where. */
export function FindingCard(props: {
  readonly finding: Finding;
  /** Beside the way to fix it. */
  readonly actions?: ReactNode;
}) {
  const { finding } = props;
  return (
    <Card withBorder padding="sm" component="article">
      <Group gap="xs" mb={4}>
        <Mark tone={tones[finding.severity]}>{finding.severity}</Mark>
        {finding.blocking && !finding.waived && <Mark tone="bad">blocking</Mark>}
        {finding.waived && <Mark tone="neutral">waived</Mark>}
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {finding.code} · {finding.location}
        </Text>
      </Group>
      <Text fw={600} size="sm">
        {finding.message}
      </Text>
      <Text size="sm">{finding.remedy}</Text>
      {finding.waiver && (
        <Text size="sm" c="dimmed">
          Waived until <Moment at={finding.waiver.endsAt} />: {finding.waiver.reason}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        <FixLink finding={finding} />
        {props.actions}
      </Group>
    </Card>
  );
}
