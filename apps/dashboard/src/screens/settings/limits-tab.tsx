import { Stack } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, WriteCancelled } from '@millrace/ui/form';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { Properties } from '@millrace/ui/values';
import { useState } from 'react';
import { type AnswerOf, type ArgumentsOf, bodyOf, useRead, useWrite } from '../../frame/api.ts';
import { AdministratorFields } from './administrator-fields.tsx';

type Account = AnswerOf<'getAccount'>;
type Changes = NonNullable<ArgumentsOf<'updateAccount'>['body']>;

/** The review threshold, the retention, and the service's limits. */
export function LimitsTab() {
  const account = useRead('getAccount');
  const numbers = useNumbers();
  return (
    <Loaded read={account}>
      {(data) => (
        <Stack gap="xl" maw={640}>
          <Section title="Review and retention">
            <AdministratorFields>
              <LimitsForm account={data} />
            </AdministratorFields>
          </Section>
          <Section title="Service limits">
            <Properties
              of={{
                'Calls per minute': `${numbers.count(data.defaultRateLimitPerMinute)} per API key without its own limit`,
                'File size': numbers.bytes(data.maxFileSizeBytes),
                'Pages per document': numbers.count(data.maxPages),
              }}
            />
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

function LimitsForm({ account }: { readonly account: Account }) {
  const update = useWrite('updateAccount');
  const [asked, setAsked] = useState<Changes | null>(null);
  const keptDays = account.retentionDays ?? Number.POSITIVE_INFINITY;
  return (
    <>
      <SchemaForm
        schema={bodyOf('updateAccount').pick({ reviewThreshold: true, retentionDays: true })}
        initial={account}
        fields={{
          reviewThreshold: {
            help: 'Documents with a value below this confidence (0 to 100) wait for review. 0 turns review off.',
            widthPx: 320,
          },
          retentionDays: {
            label: 'Retention in days',
            help: 'Originals and results are deleted after this time. Empty keeps them.',
            widthPx: 320,
          },
        }}
        submitLabel="Save"
        send={async (body) => {
          if (body.reviewThreshold === undefined) {
            throw new InvalidInput({ reviewThreshold: 'Enter a number from 0 to 100.' });
          }
          if (typeof body.retentionDays === 'number' && body.retentionDays >= 1 && body.retentionDays < keptDays) {
            setAsked(body);
            throw new WriteCancelled();
          }
          await update.mutateAsync({ body });
          showDone('Limits saved.');
        }}
      />
      {asked && (
        <Confirm
          title={`Keep documents for ${asked.retentionDays} days?`}
          action="Delete older documents"
          done="Limits saved."
          onConfirm={() => update.mutateAsync({ body: asked })}
          onClose={() => setAsked(null)}
        >
          Older documents are permanently deleted soon, originals and results.
        </Confirm>
      )}
    </>
  );
}
