import { Radio, Stack, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { useLocale } from '@millrace/ui/locale';
import { TimeZoneNote } from '@millrace/ui/values';
import { localTextOf, momentOf } from '@millrace/ui/zones';
import { type DataOf, useWrite } from '../../frame/api.ts';

/** Publishes the drafted version of a published plan, for existing subscribers from a moment on or not at all. */
export function PublishForm(props: { readonly plan: DataOf<'getRatePlan'>; readonly onClose: () => void }) {
  const { plan, onClose } = props;
  const { timeZone } = useLocale();
  const publish = useWrite('publishRatePlan');
  const form = useForm(
    { applies: 'never', appliesToSubscribersFrom: firstOfNextMonth(timeZone) },
    async ({ applies, appliesToSubscribersFrom }) => {
      const from = applies === 'never' ? null : (momentOf(appliesToSubscribersFrom, timeZone)?.toISOString() ?? '');
      await publish.mutateAsync({ params: { ratePlanId: plan.id }, body: { appliesToSubscribersFrom: from } });
      showDone(`Version ${plan.draft?.planVersion} published.`);
      onClose();
    },
  );
  const { applies } = form.values;
  return (
    <FormBody form={form} submitLabel="Publish" onCancel={onClose}>
      <Radio.Group
        label="Existing subscribers"
        value={applies}
        onChange={(next) => form.set('applies', next)}
        description="New subscribers get this version at once"
      >
        <Stack gap={8} mt="xs">
          <Radio value="never" label={`Keep version ${plan.planVersion} and earlier`} />
          <Radio
            value="from"
            label="Move to this version"
            description="Their developers are notified by e-mail now; a change within a period is prorated"
          />
        </Stack>
      </Radio.Group>
      {applies === 'from' && (
        <div>
          <TextInput
            label="From"
            type="datetime-local"
            required
            w={240}
            mb={4}
            {...form.text('appliesToSubscribersFrom')}
          />
          <TimeZoneNote />
        </div>
      )}
    </FormBody>
  );
}

function firstOfNextMonth(timeZone: string | undefined): string {
  const [year, month] = localTextOf(new Date(), timeZone).split('-').map(Number) as [number, number];
  return `${new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)}T00:00`;
}
