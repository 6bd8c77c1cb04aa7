import { NumberInput, SimpleGrid, Stack, Switch } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { Fact } from '@millrace/ui/values';
import { useState } from 'react';
import { type AnswerOf, useRead, useWrite } from '../../frame/api.ts';
import { AdministratorFields } from './administrator-fields.tsx';

type Account = AnswerOf<'getAccount'>;
type Choice = { readonly reviewThreshold: number; readonly retentionDays: number | null };

/** What is reviewed, how long documents are kept, and the limits that the service sets. */
export function LimitsTab() {
  const account = useRead('getAccount');
  const numbers = useNumbers();
  return (
    <Loaded read={account}>
      {(data) => (
        <Stack gap="xl" maw={760}>
          <Section title="Review and retention">
            <AdministratorFields>
              <ChoiceForm account={data} />
            </AdministratorFields>
          </Section>
          <Section title="Limits of the service">
            <SimpleGrid cols={{ base: 1, xs: 3 }}>
              <Fact label="Calls a minute of a key, if it has no limit of its own">
                {numbers.count(data.defaultRateLimitPerMinute)}
              </Fact>
              <Fact label="Largest file">{numbers.bytes(data.maxFileSizeBytes)}</Fact>
              <Fact label="Most pages of a document">{numbers.count(data.maxPages)}</Fact>
            </SimpleGrid>
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

function ChoiceForm({ account }: { readonly account: Account }) {
  const update = useWrite('updateAccount');
  const [asked, setAsked] = useState<Choice | null>(null);
  const { reviewThreshold, retentionDays } = account;
  const save = (body: Choice) => update.mutateAsync({ body });
  const form = useForm(
    { reviewThreshold: reviewThreshold as number | '', retentionDays: retentionDays as number | null | '' },
    async (typed) => {
      const choice = {
        reviewThreshold: Number(typed.reviewThreshold),
        retentionDays: typed.retentionDays === null ? null : Number(typed.retentionDays),
      };
      const shorter =
        choice.retentionDays !== null && choice.retentionDays < (retentionDays ?? Number.POSITIVE_INFINITY);
      if (shorter && choice.retentionDays! >= 1) {
        setAsked(choice);
        return;
      }
      await save(choice);
      showDone('The settings are saved.');
    },
  );
  const { values } = form;
  const incomplete = values.reviewThreshold === '' || values.retentionDays === '';
  return (
    <>
      <FormBody form={form} submitLabel="Save" disabled={incomplete || !form.changed}>
        <NumberInput
          label="Review values of a confidence below"
          description="Of 100. Documents with such a value wait in the review; 0 lets none wait."
          w={320}
          maw="100%"
          min={0}
          max={100}
          allowDecimal={false}
          clampBehavior="none"
          value={values.reviewThreshold}
          onChange={(threshold) => form.set('reviewThreshold', threshold === '' ? '' : Number(threshold))}
          error={form.errorAt('reviewThreshold')}
        />
        <Switch
          label="Delete documents after some days"
          checked={values.retentionDays !== null}
          onChange={(event) => form.set('retentionDays', event.currentTarget.checked ? (retentionDays ?? 90) : null)}
        />
        {values.retentionDays !== null && (
          <NumberInput
            label="Days that documents are kept"
            description="Then the originals and the results are deleted for good."
            w={320}
            maw="100%"
            min={1}
            allowDecimal={false}
            clampBehavior="none"
            value={values.retentionDays}
            onChange={(days) => form.set('retentionDays', days === '' ? '' : Number(days))}
            error={form.errorAt('retentionDays')}
          />
        )}
      </FormBody>
      {asked && (
        <Confirm
          title={`Keep documents for ${asked.retentionDays} days?`}
          action="Delete what is older"
          done="The settings are saved."
          onConfirm={() => save(asked)}
          onClose={() => {
            setAsked(null);
            form.set('retentionDays', asked.retentionDays);
          }}
          onDone={() => setAsked(null)}
        >
          Documents that are older than that are deleted soon, the originals and the results. Nobody can bring them
          back.
        </Confirm>
      )}
    </>
  );
}
