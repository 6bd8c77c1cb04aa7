import { Paper, Text, VisuallyHidden } from '@mantine/core';
import { Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import type { LinkProps } from '@tanstack/react-router';
import type { AnswerOf } from '../../frame/api.ts';
import classes from './home.module.css';

type Step = AnswerOf<'getHome'>['firstSteps'][number];

const steps: Readonly<
  Record<Step['id'], { readonly title: string; readonly explanation: string; readonly to: LinkProps['to'] }>
> = {
  create_key: {
    title: 'Create an API key',
    explanation: 'Your programs send it with every call.',
    to: '/developer/keys',
  },
  send_document: {
    title: 'Send the first document',
    explanation: 'Drop one on the Documents screen, or send one over the API.',
    to: '/documents',
  },
  add_webhook: {
    title: 'Add a webhook',
    explanation: 'It notifies your program when a document has been extracted.',
    to: '/developer/webhooks',
  },
  review_document: {
    title: 'Review a document',
    explanation: 'Your corrections improve later documents from the same supplier.',
    to: '/review',
  },
};

/** The first steps with a new account, in order. */
export function FirstSteps(props: { readonly steps: readonly Step[] }) {
  return (
    <Section title="First steps">
      <Paper withBorder p="md">
        <ol className={classes.steps}>
          {props.steps.map(({ id, done }) => (
            <li key={id} className={classes.step} data-done={done || undefined}>
              <span className={classes.sign} aria-hidden>
                {done ? '✓' : ''}
              </span>
              <div>
                <TextLink to={steps[id].to} fw={600}>
                  {steps[id].title}
                </TextLink>
                {done && <VisuallyHidden> (done)</VisuallyHidden>}
                <Text size="sm" c="dimmed">
                  {steps[id].explanation}
                </Text>
              </div>
            </li>
          ))}
        </ol>
      </Paper>
    </Section>
  );
}
