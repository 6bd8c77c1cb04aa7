import { Card, Group, Text } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { Moment } from '@millrace/ui/values';
import type { ReactNode } from 'react';
import { type Fixable, FixLink } from './fix-link.tsx';
import { SeverityMark } from './severity-mark.tsx';

/** A violation of a rule, as every screen shows it. */
export interface Finding extends Fixable {
  readonly message: string;
  readonly remedy: string;
  readonly severity: 'error' | 'warning' | 'information';
  readonly blocking: boolean;
  readonly waived: boolean;
  /** Of a waived finding, if known. */
  readonly waiver?: { readonly reason: string; readonly endsAt: string } | null;
}

/** One finding: what is wrong, where, and how to fix it. */
export function FindingCard(props: {
  readonly finding: Finding;
  /** Beside the link to the fix. */
  readonly actions?: ReactNode;
}) {
  const { finding, actions } = props;
  const { code, location, severity, blocking, waived, waiver, message, remedy } = finding;
  return (
    <Card withBorder padding="sm" component="article">
      <Group justify="space-between" align="start" gap="xs">
        <div style={{ flex: '1 1 20rem', minWidth: 0, overflowWrap: 'anywhere' }}>
          <Group gap={6} mb={4}>
            <SeverityMark severity={severity} />
            {blocking && !waived && <Mark tone="bad">Blocking</Mark>}
            {waived && <Mark tone="neutral">Waived</Mark>}
            <Text size="xs" c="dimmed">
              {code} · {location}
            </Text>
          </Group>
          <Text fw={500} size="sm">
            {message}
          </Text>
          <Text size="sm" c="dimmed">
            {remedy}
          </Text>
          {waiver && (
            <Text size="sm" c="dimmed">
              Waived until <Moment at={waiver.endsAt} />: {waiver.reason}
            </Text>
          )}
        </div>
        <Group gap={6}>
          <FixLink finding={finding} />
          {actions}
        </Group>
      </Group>
    </Card>
  );
}
