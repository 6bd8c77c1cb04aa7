import { Checkbox, Text } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { Ago, Moment } from '@millrace/ui/values';
import { type DataOf, useWrite } from '../../frame/api.ts';

/** Closes a period, which may still wait for usage that gateway nodes have not reported. */
export function CloseForm(props: { readonly period: DataOf<'getBillingPeriod'>; readonly onClose: () => void }) {
  const { period, onClose } = props;
  const { id, closableFrom, nodesBehind } = period;
  const closing = useWrite('closeBillingPeriod');
  const form = useForm({ ignoreGrace: false, ignoreNodesBehind: false }, async (body) => {
    await closing.mutateAsync({ params: { periodId: id }, body });
    showDone('The period is closing. Its invoices appear as they are made.');
    onClose();
  });
  const inGrace = Date.parse(closableFrom) > Date.now();
  return (
    <FormBody form={form} submitLabel="Close period" onCancel={onClose}>
      <Text size="sm">
        This makes one invoice for each developer and currency. Usage that arrives later goes on the next invoices. A
        closed period can’t be opened again.
      </Text>
      {inGrace && (
        <Checkbox
          label="Don’t wait for the grace time"
          description={
            <>
              It ends <Ago at={closableFrom} />
            </>
          }
          checked={form.values.ignoreGrace}
          onChange={(event) => form.set('ignoreGrace', event.currentTarget.checked)}
        />
      )}
      {nodesBehind.length > 0 && (
        <Checkbox
          label={`Don’t wait for ${nodesBehind.length === 1 ? 'the gateway node' : `${nodesBehind.length} gateway nodes`} behind`}
          description={nodesBehind.map(({ id: nodeId, name, usageCompleteUntil }) => (
            <span key={nodeId} style={{ display: 'block' }}>
              {name}: usage complete until <Moment at={usageCompleteUntil} absent="no time yet" />
            </span>
          ))}
          checked={form.values.ignoreNodesBehind}
          onChange={(event) => form.set('ignoreNodesBehind', event.currentTarget.checked)}
        />
      )}
    </FormBody>
  );
}
