import { Checkbox, Text, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { useLocale, useZoneName } from '@millrace/ui/locale';
import { localTextOf, momentOf } from '@millrace/ui/zones';
import { useState } from 'react';
import { AdministratorButton } from '../../frame/administrator-button.tsx';
import { useWrite } from '../../frame/api.ts';

/** Resends what an endpoint was sent since a time, such as after a receiver lost data. */
export function ResendSince({ endpointId }: { readonly endpointId: string }) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <AdministratorButton variant="default" onClick={() => setOpened(true)}>
        Resend since…
      </AdministratorButton>
      <FormDialog title="Resend since a time" opened={opened} onClose={close}>
        <ResendSinceForm endpointId={endpointId} onClose={close} />
      </FormDialog>
    </>
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
      <Text size="sm">
        Resends every event since then once, unchanged. Pending deliveries and test events are left out.
      </Text>
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
