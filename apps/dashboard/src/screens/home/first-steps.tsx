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
    explanation: 'Drop one on the documents’ page, or send one by the API.',
    to: '/documents',
  },
  add_webhook: {
    title: 'Add a webhook',
    explanation: 'It tells your program when a document is read.',
    to: '/developer/webhooks',
  },
  review_document: {
    title: 'Review a document',
    explanation: 'What you correct helps with the next document of the same sender.',
    to: '/review',
  },
};

/** What to do with a new account, in order. */
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
