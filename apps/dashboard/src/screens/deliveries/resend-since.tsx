import { Checkbox, Text, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { useLocale, useZoneName } from '@millrace/ui/locale';
import { localTextOf, momentOf } from '@millrace/ui/zones';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { useWrite } from '../../frame/api.ts';

/** Resends what was sent to an endpoint since a time, such as after a receiver lost data. */
export function ResendSince({ endpointId }: { readonly endpointId: string }) {
  return (
    <AdministratorActions
      actions={[
        {
          label: 'Resend since…',
          form: {
            title: 'Resend since a time',
            body: (close) => <ResendSinceForm endpointId={endpointId} onClose={close} />,
          },
        },
      ]}
    />
  );
}

function ResendSinceForm(props: { readonly endpointId: string; readonly onClose: () => void }) {
  const { endpointId, onClose } = props;
  const resend = useWrite('resendSince');
  const { timeZone } = useLocale();
  const zone = useZoneName();
  const form = useForm(
    { since: `${localTextOf(new Date(), timeZone).slice(0, 10)}T00:00`, onlyFailed: true },
    async ({ since, onlyFailed }) => {
      const moment = momentOf(since, timeZone);
      if (moment === null) return;
      const body = { since: moment.toISOString(), onlyFailed, endpointId };
      const { count } = await resend.mutateAsync({ body });
      showDone(count === 1 ? 'Resending one event.' : `Resending ${count} events.`);
      onClose();
    },
  );
  const known = momentOf(form.values.since, timeZone) !== null;
  return (
    <FormBody form={form} submitLabel="Resend" onCancel={onClose} disabled={!known}>
      <Text size="sm">Resends every event since then once, unchanged, except pending deliveries and test events.</Text>
      <TextInput
        label="Since"
        description={`In ${zone}`}
        type="datetime-local"
        required
        data-autofocus
        {...form.text('since')}
      />
      <Checkbox
        label="Only failed deliveries"
        checked={form.values.onlyFailed}
        onChange={(event) => form.set('onlyFailed', event.currentTarget.checked)}
      />
    </FormBody>
  );
}
