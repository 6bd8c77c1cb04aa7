import { Code, Stack, Text, Title } from '@mantine/core';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Moment, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import type { DataOf } from '../../frame/api.ts';
import classes from './integrations.module.css';

export type Delivery = DataOf<'testIntegration'>;

const tones: Readonly<Record<Delivery['state'], Tone>> = {
  queued: 'active',
  delivered: 'good',
  failed: 'bad',
  skipped: 'neutral',
};

/** Every state of a delivery. */
export const deliveryStates = Object.keys(tones);

export function DeliveryMark({ state }: Pick<Delivery, 'state'>) {
  return <Mark tone={tones[state]}>{wordsOf(state)}</Mark>;
}

/** What a delivery sent, and each answer. */
export function DeliveryBody({ delivery }: { readonly delivery: Delivery }) {
  const { request, attempts, attemptCount, nextAttemptAt, notificationId } = delivery;
  return (
    <Stack>
      <Properties
        of={{
          Notification: <code>{notificationId}</code>,
          'Next attempt': nextAttemptAt !== null && <Moment at={nextAttemptAt} seconds />,
        }}
      />
      {attempts.length === 0 && <Text size="sm">Not sent yet.</Text>}
      {attempts.toReversed().map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
      {attemptCount > attempts.length && (
        <Text size="xs" c="dimmed">
          The last {attempts.length} of {attemptCount} attempts are shown.
        </Text>
      )}
      {request && (
        <section>
          <Title order={3} size="h5" mb={4}>
            Request
          </Title>
          <Code block className={classes.code!} tabIndex={0}>
            {[
              request.target,
              ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
              '',
              readable(request.body),
            ].join('\n')}
          </Code>
        </section>
      )}
    </Stack>
  );
}

function Attempt({ attempt }: { readonly attempt: Delivery['attempts'][number] }) {
  const { number, byHand, at, latencyMs, status, error, answer, answerBytes } = attempt;
  const numbers = useNumbers();
  return (
    <section>
      <Title order={3} size="h5" mb={4}>
        {`Attempt ${number}${byHand ? ', by hand' : ''}`}
      </Title>
      <Properties
        of={{
          Time: <Moment at={at} seconds />,
          Answer: status === null ? 'None' : status,
          Latency: `${numbers.decimal(latencyMs, 0)} ms`,
          Error: error?.message,
        }}
      />
      {answer !== '' && (
        <Code block className={classes.code!} mt={6} tabIndex={0}>
          {answer}
        </Code>
      )}
      {answerBytes > new TextEncoder().encode(answer).length && (
        <Text size="xs" c="dimmed">
          The beginning of {numbers.bytes(answerBytes)}.
        </Text>
      )}
    </section>
  );
}

/** JSON with line breaks; any other text as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
