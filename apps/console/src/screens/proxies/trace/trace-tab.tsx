import { Alert, Stack, Text } from '@mantine/core';
import { Section } from '@millrace/ui/page';
import { useState } from 'react';
import type { DataOf } from '../../../frame/api.ts';
import { TraceRequest } from './trace-request.tsx';
import { TraceSteps } from './trace-steps.tsx';

/** Sends one request through the proxy as a gateway would, and shows each step of its way. */
export function TraceTab() {
  const [trace, setTrace] = useState<DataOf<'traceProxy'> | null>(null);
  return (
    <Stack gap="xl">
      <Text c="dimmed" maw={720}>
        One request goes through the policies and to the target server of its route, as on a gateway. Quotas do not
        count it.
      </Text>
      <Alert color="yellow" title="The target server is really called">
        A request that changes something there changes it.
      </Alert>
      <TraceRequest onTraced={setTrace} onSend={() => setTrace(null)} />
      <div aria-live="polite">
        {trace && (
          <Section title="What happened">
            <TraceSteps trace={trace} />
          </Section>
        )}
      </div>
    </Stack>
  );
}
