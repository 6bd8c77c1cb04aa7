import { Stack, Text } from '@mantine/core';
import { Section } from '@millrace/ui/page';
import { useState } from 'react';
import type { DataOf } from '../../../frame/api.ts';
import { TraceRequest } from './trace-request.tsx';
import { TraceSteps } from './trace-steps.tsx';

/** Sends one request through the proxy, as a gateway node would, and shows every step. */
export function TraceTab() {
  const [trace, setTrace] = useState<DataOf<'traceProxy'> | null>(null);
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed" maw={860}>
        Sends a real request through the policies to the route’s target server; side effects are real. It doesn’t count
        towards quotas.
      </Text>
      <TraceRequest onTraced={setTrace} onSend={() => setTrace(null)} />
      <div aria-live="polite">
        {trace && (
          <Section title="Trace">
            <TraceSteps trace={trace} />
          </Section>
        )}
      </div>
    </Stack>
  );
}
