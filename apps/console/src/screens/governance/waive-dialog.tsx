import { Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { FormDialog } from '@millrace/ui/form-dialog';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { useLocale } from '@millrace/ui/locale';
import { Moment } from '@millrace/ui/values';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { dayAfter, endOfDay } from '../../frame/days.ts';

type Finding = DataOf<'getProxyGovernance'>['findings'][number];

/** Accepts a finding, or all findings of its rule in this proxy, until a date and for a reason. */
export function WaiveDialog({ finding, onClose }: { readonly finding: Finding; readonly onClose: () => void }) {
  const waive = useWrite('createGovernanceWaiver');
  const { timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = useLocale();
  const form = useForm<{ readonly reach: 'one' | 'all'; readonly reason: string; readonly endsAt: string }>(
    { reach: 'one', reason: '', endsAt: dayAfter(30, timeZone) },
    async ({ reach, reason, endsAt }) => {
      const { proxyId, code, location } = finding;
      const end = endOfDay(endsAt, timeZone);
      if (end === null) throw new InvalidInput({ endsAt: 'Enter a date.' });
      const body = { proxyId, code, location: reach === 'one' ? location : null, reason };
      await waive.mutateAsync({ body: { ...body, endsAt: end.toISOString() } });
      showDone(`${code} waived.`);
      onClose();
    },
  );
  const ends = endOfDay(form.values.endsAt, timeZone);
  return (
    <FormDialog title={`Waive ${finding.code}`} opened onClose={onClose}>
      <FormBody form={form} submitLabel="Waive" onCancel={onClose}>
        <Text size="sm">{finding.message}</Text>
        <Radio.Group
          label="Scope"
          value={form.values.reach}
          onChange={(reach) => form.set('reach', reach === 'all' ? 'all' : 'one')}
        >
          <Stack gap={6} mt={6}>
            <Radio value="one" label={`This finding only (${finding.location})`} />
            <Radio value="all" label={`Every finding of ${finding.code} in this proxy`} />
          </Stack>
        </Radio.Group>
        <Textarea
          label="Reason"
          description="At least 10 characters; kept in the audit trail"
          required
          autosize
          minRows={3}
          {...form.text('reason')}
          data-autofocus
        />
        <TextInput
          type="date"
          label="Expires"
          description={
            ends === null ? (
              'At most a year from now'
            ) : (
              <>
                Until the end of that day: <Moment at={ends.toISOString()} /> ({timeZone})
              </>
            )
          }
          required
          min={dayAfter(0, timeZone)}
          max={dayAfter(365, timeZone)}
          {...form.text('endsAt')}
        />
      </FormBody>
    </FormDialog>
  );
}
