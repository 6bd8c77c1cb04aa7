import { Group, Stack, Text } from '@mantine/core';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { wordsOf } from '@millrace/ui/words';
import type { ReactNode } from 'react';
import { type DataOf, useRead } from '../../../frame/api.ts';
import { useSession } from '../../../frame/session.tsx';
import { MethodBadge, PathText } from '../route-text.tsx';
import { StatusMark } from './status-mark.tsx';
import { TraceResponse } from './trace-response.tsx';
import classes from './trace-steps.module.css';

type Trace = DataOf<'traceProxy'>;
type Step = Trace['steps'][number];

const decisionTones: Readonly<Record<Step['decision'], Tone>> = {
  passed: 'good',
  refused: 'bad',
  answered: 'accent',
  'failed open': 'warning',
  transformed: 'active',
  skipped: 'neutral',
};

/** The steps of a request: route, request policies, target server, response policies, response. */
export function TraceSteps({ trace }: { readonly trace: Trace }) {
  const { route, steps, target, durationUs } = trace;
  const { can } = useSession();
  const kinds = useRead('listPolicyKinds', { query: { pageSize: 100 } }, { enabled: can('policy.read') });
  const titleOf = (kind: string) =>
    kinds.data?.policyKinds.find((known) => known.kind === kind)?.title ?? wordsOf(kind);
  const flow = (name: Step['flow']) =>
    steps
      .filter((step) => step.flow === name)
      .map((step) => <PolicyStep key={`${step.flow} ${step.policyId}`} step={step} title={titleOf(step.kind)} />);
  return (
    <Stack>
      <ol className={classes.steps}>
        <Row name="Route" end={route === null ? 'refused' : undefined}>
          {route === null ? (
            <Mark tone="bad">None matched</Mark>
          ) : (
            <Group gap="xs">
              <MethodBadge method={route.method} />
              <PathText path={route.pathPattern} />
            </Group>
          )}
        </Row>
        {flow('request')}
        {target === null ? <TargetSkipped /> : <TargetStep target={target} />}
        {flow('response')}
      </ol>
      <Text size="sm">
        Total <Duration us={durationUs} />
        {target !== null && (
          <>
            , of which target server <Duration us={target.durationUs} />
          </>
        )}
        .
      </Text>
      <TraceResponse response={trace.answer} />
    </Stack>
  );
}

function Row(props: {
  readonly name: ReactNode;
  readonly us?: number;
  /** Where the request ended, or that it didn’t get here; undefined: it went on. */
  readonly end?: 'refused' | 'answered' | 'skipped' | undefined;
  readonly children: ReactNode;
}) {
  return (
    <li className={classes.step} data-end={props.end}>
      <div className={classes.name}>{props.name}</div>
      <div className={classes.what}>{props.children}</div>
      <div className={classes.time}>{props.us !== undefined && <Duration us={props.us} />}</div>
    </li>
  );
}

function PolicyStep({ step, title }: { readonly step: Step; readonly title: string }) {
  return (
    <Row
      {...(step.decision === 'skipped' ? {} : { us: step.durationUs })}
      end={endOf(step.decision)}
      name={
        <>
          {step.name}
          {step.name !== title && (
            <Text size="xs" c="dimmed">
              {title}
            </Text>
          )}
        </>
      }
    >
      <Mark tone={decisionTones[step.decision]}>{wordsOf(step.decision)}</Mark>
      <Text size="sm" mt={4}>
        {step.detail}
      </Text>
    </Row>
  );
}

function endOf(decision: Step['decision']) {
  return decision === 'refused' || decision === 'answered' || decision === 'skipped' ? decision : undefined;
}

function TargetSkipped() {
  return (
    <Row name="Target server" end="skipped">
      <Mark tone="neutral">Skipped</Mark>
      <Text size="sm" mt={4}>
        The request ended before this step.
      </Text>
    </Row>
  );
}

function TargetStep({ target }: { readonly target: NonNullable<Trace['target']> }) {
  const { name, endpoint, method, path, status, problem, durationUs } = target;
  return (
    <Row
      us={durationUs}
      end={status === null ? 'refused' : undefined}
      name={
        <>
          {name}
          <Text size="xs" c="dimmed">
            Target server
          </Text>
        </>
      }
    >
      <StatusMark status={status} />
      <Text size="sm" mt={4}>
        <code>
          {method} {path}
        </code>{' '}
        at <code>{endpoint}</code>
      </Text>
      {problem !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          {problem}
        </Text>
      )}
    </Row>
  );
}

function Duration({ us }: { readonly us: number }) {
  const numbers = useNumbers();
  return <>{us < 1_000 ? `${numbers.decimal(us, 0)} µs` : `${numbers.decimal(us / 1_000, us < 10_000 ? 2 : 1)} ms`}</>;
}
