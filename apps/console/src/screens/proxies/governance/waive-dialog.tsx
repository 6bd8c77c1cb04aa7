import { Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/interface/form';
import { FormBody, FormDialog } from '@millrace/interface/form-dialog';
import { type DataOf, useWrite } from '../../../frame/api.ts';

type Finding = DataOf<'getProxyGovernance'>['findings'][number];

const dayMs = 86_400_000;

/** Lets a finding, or all of its rule, count no longer until a date. The reason and the end are for the record. */
export function WaiveDialog({ finding, onClose }: { readonly finding: Finding; readonly onClose: () => void }) {
  const waive = useWrite('createGovernanceWaiver');
  const form = useForm<{ readonly reach: 'one' | 'all'; readonly reason: string; readonly endsAt: string }>(
    { reach: 'one', reason: '', endsAt: dateAfter(30) },
    async ({ reach, reason, endsAt }) => {
      const { proxyId, code, location } = finding;
      // A date is meant to its end, in the time zone of who says it.
      const end = new Date(`${endsAt}T23:59:59`);
      const body = { proxyId, code, location: reach === 'one' ? location : null, reason };
      await waive.mutateAsync({ body: { ...body, endsAt: Number.isNaN(end.getTime()) ? '' : end.toISOString() } });
      showDone(`${code} is waived.`);
      onClose();
    },
  );
  return (
    <FormDialog title={`Waive ${finding.code}`} opened onClose={onClose}>
      <FormBody form={form} submitLabel="Waive" onCancel={onClose}>
        <Text size="sm">{finding.message}</Text>
        <Radio.Group
          label="What is waived"
          value={form.values.reach}
          onChange={(reach) => form.set('reach', reach === 'all' ? 'all' : 'one')}
        >
          <Stack gap={6} mt={6}>
            <Radio value="one" label={`This finding alone (${finding.location})`} />
            <Radio value="all" label={`Every finding of ${finding.code} in this proxy`} />
          </Stack>
        </Radio.Group>
        <Textarea
          label="Reason"
          description="Why it may stay so for now, in at least 10 characters. It is kept in the audit trail."
          required
          autosize
          minRows={3}
          {...form.text('reason')}
          data-autofocus
        />
        <TextInput
          type="date"
          label="Until"
          description="At most a year from now; it counts again afterwards."
          required
          min={dateAfter(1)}
          max={dateAfter(365)}
          {...form.text('endsAt')}
        />
      </FormBody>
    </FormDialog>
  );
}

/** Such as 2026-03-01, so many days from now. */
function dateAfter(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}
