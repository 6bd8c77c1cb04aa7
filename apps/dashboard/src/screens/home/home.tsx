import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Fact } from '@millrace/ui/values';
import { type AnswerOf, useRead } from '../../frame/api.ts';
import { useReviewCount } from '../../frame/review-count.ts';
import { DaysChart } from './days-chart.tsx';
import { FirstSteps } from './first-steps.tsx';

type Home = AnswerOf<'getHome'>;

/** The figures of the account, and what to do next. */
export function HomeScreen() {
  const home = useRead('getHome');
  return (
    <Page title="Home">
      <Loaded read={home}>{(figures) => <Figures home={figures} />}</Loaded>
    </Page>
  );
}

function Figures({ home }: { readonly home: Home }) {
  const numbers = useNumbers();
  const waiting = useReviewCount();
  const { days, successRate, medianSeconds, p90Seconds, failingDeliveries, pausedEndpoints } = home;
  const documents = days.reduce((sum, { done, error }) => sum + done + error, 0);
  const isFirst = !home.firstSteps.some(({ id, done }) => id === 'send_document' && done);
  return (
    <Stack gap="xl">
      {isFirst && <FirstSteps steps={home.firstSteps} />}
      {(failingDeliveries > 0 || pausedEndpoints > 0) && (
        <Alert color="orange" title="Webhook deliveries are failing" role="status">
          {failingDeliveries > 0 && `${numbers.count(failingDeliveries)} failed in the last 24 hours. `}
          {pausedEndpoints > 0 && `${numbers.count(pausedEndpoints)} endpoints are paused. `}
          <TextLink inherit underline="always" to="/developer/webhooks">
            View webhooks
          </TextLink>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, md: 5 }}>
        <Fact label="Documents, last 30 days">
          <Figure>{numbers.count(documents)}</Figure>
        </Fact>
        <Fact label="Success rate">
          <Figure>{successRate === null ? '–' : numbers.percent(successRate)}</Figure>
        </Fact>
        <Fact label="Processing time">
          <Figure>{medianSeconds === null ? '–' : durationText(medianSeconds, numbers)}</Figure>
          <Text size="xs" c="dimmed">
            {p90Seconds === null ? '' : `Median; p90 ${durationText(p90Seconds, numbers)}`}
          </Text>
        </Fact>
        <Fact label="Failed deliveries">
          <Figure>{numbers.count(failingDeliveries)}</Figure>
          <Text size="xs" c="dimmed">
            last 24 hours
          </Text>
        </Fact>
        <Fact label="Waiting for review">
          <Figure>{waiting.text}</Figure>
          {waiting.count > 0 && (
            <TextLink size="xs" to="/review">
              Start review
            </TextLink>
          )}
        </Fact>
      </SimpleGrid>
      <Section title="Documents by day and type">
        <DaysChart days={days} />
      </Section>
    </Stack>
  );
}

/** A duration for people; never 0. */
function durationText(seconds: number, numbers: ReturnType<typeof useNumbers>): string {
  if (seconds < 0.1) return `< ${numbers.decimal(0.1, 1)} s`;
  // Rounded first, so that no minute has 60 seconds.
  const whole = Math.round(seconds);
  if (whole < 60) return `${numbers.decimal(seconds, seconds < 10 ? 1 : 0)} s`;
  return `${numbers.count(Math.floor(whole / 60))} min ${whole % 60} s`;
}

function Figure({ children }: { readonly children: string }) {
  return (
    <Text fz="h3" fw={600} component="div">
      {children}
    </Text>
  );
}
