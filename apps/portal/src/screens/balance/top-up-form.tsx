import { Textarea, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { amountMinorOf } from '@millrace/ui/money';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { texts } from '../../frame/texts.ts';

const words = texts.balance;

/** Asks the organization to top up a prepaid balance. */
export function TopUpForm(props: {
  readonly account: DataOf<'getPortalBalance'>['accounts'][number];
  readonly onClose: () => void;
}) {
  const { account, onClose } = props;
  const { subscriptionId, currency } = account;
  const request = useWrite('requestPortalTopUp');
  const form = useForm({ amountMinor: '', note: '' }, async ({ amountMinor: typed, note }) => {
    const amountMinor = amountMinorOf(typed, currency);
    if (amountMinor === null) throw new InvalidInput({ amountMinor: words.notAmount });
    await request.mutateAsync({ body: { subscriptionId, amountMinor, note } });
    showDone(words.topUpSent);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel={words.topUp} onCancel={onClose}>
      <TextInput
        label={words.amountIn(currency)}
        inputMode="decimal"
        required
        data-autofocus
        {...form.text('amountMinor')}
      />
      <Textarea label={words.note} description={words.noteHelp} autosize minRows={2} {...form.text('note')} />
    </FormBody>
  );
}
