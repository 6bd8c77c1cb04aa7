import { Group, TextInput } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { amountMinorOf, decimalOf } from '@millrace/ui/money';
import { unitSection } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { type DataOf, useWrite } from '../../frame/api.ts';

/** Records a payment of an invoice: of all that is due, or of a part. */
export function PaymentForm(props: { readonly invoice: DataOf<'getInvoice'>; readonly onClose: () => void }) {
  const { invoice, onClose } = props;
  const { id, currency, dueMinor } = invoice;
  const add = useWrite('addPayment');
  const amountOf = useAmounts();
  // A form that is sent twice, for example after a lost response, records its payment once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const form = useForm(
    {
      amountMinor: decimalOf({ amountMinor: Math.abs(dueMinor), currency }),
      paidOn: new Date().toISOString().slice(0, 10),
      reference: '',
    },
    async ({ amountMinor, paidOn, reference }) => {
      const amount = amountMinorOf(amountMinor, currency);
      if (amount === null) throw new InvalidInput({ amountMinor: 'Enter an amount such as 250.00.' });
      const signed = dueMinor < 0 ? -amount : amount;
      await add.mutateAsync({
        params: { invoiceId: id },
        body: { amountMinor: signed, reference, ...(paidOn !== '' && { paidOn }) },
        idempotencyKey,
      });
      showDone(`${amountOf({ amountMinor: signed, currency })} recorded.`);
      onClose();
    },
  );
  return (
    <FormBody form={form} submitLabel="Record payment" onCancel={onClose}>
      <Group align="start" gap="xs" grow>
        <TextInput
          label={dueMinor < 0 ? 'Amount paid back' : 'Amount'}
          required
          data-autofocus
          {...unitSection(currency)}
          {...form.text('amountMinor')}
        />
        <TextInput label="Paid on" type="date" {...form.text('paidOn')} />
      </Group>
      <TextInput label="Reference" placeholder="Bank transfer of 10 February" {...form.text('reference')} />
    </FormBody>
  );
}
