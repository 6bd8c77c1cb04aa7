import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { IconPlus } from '@millrace/ui/icons';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { amountMinorOf } from '@millrace/ui/money';
import { Moment, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type PermittedAction, PermittedActions } from '../../frame/actions.tsx';
import { listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';

/** A developer's prepaid balance, by currency, and its movements. */
export function DeveloperBalance() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId/balance' });
  const search = useSearch({ from: '/shell/developers/$developerId/balance' });
  const { data, isFetching, error } = useRead('getDeveloperBalance', {
    params: { developerId },
    query: listQueryOf(search),
  });
  const amountOf = useAmounts();
  const topUp: PermittedAction = {
    label: 'Top up',
    icon: IconPlus,
    primary: true,
    permission: 'billing.write',
    form: { title: 'Top up balance', body: (close) => <TopUpForm developerId={developerId} onClose={close} /> },
  };
  const balances = data?.balances ?? [];
  return (
    <Stack>
      {balances.length > 0 && (
        <Properties
          of={Object.fromEntries(balances.map((balance) => [`Balance (${balance.currency})`, amountOf(balance)]))}
        />
      )}
      <div>
        <ResourceList
          noun="movements"
          rows={data?.movements}
          total={data?.total}
          loading={isFetching}
          error={error}
          columns={[
            { title: 'Time', sort: 'createdAt', cell: ({ createdAt }) => <Moment at={createdAt} /> },
            { title: 'Type', cell: ({ kind }) => wordsOf(kind) },
            {
              title: 'Amount',
              align: 'end',
              cell: (movement) => amountOf(movement, { signDisplay: 'exceptZero' }),
            },
            { title: 'Note', cell: ({ note }) => note || '–' },
            { title: 'By', cell: ({ createdByName }) => createdByName },
          ]}
          filters={[{ name: 'kind', label: 'Type', options: optionsOf(['top_up', 'charge', 'correction']) }]}
          actions={<PermittedActions actions={[topUp]} />}
          empty={<EmptyList>No prepaid balance yet.</EmptyList>}
        />
      </div>
    </Stack>
  );
}

function TopUpForm(props: { readonly developerId: string; readonly onClose: () => void }) {
  const { developerId, onClose } = props;
  const topUp = useWrite('topUpDeveloperBalance');
  const amountOf = useAmounts();
  // A form that is sent twice, for example after a lost response, adds its amount once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const form = useForm({ amountMinor: '', currency: 'EUR', note: '' }, async ({ amountMinor, currency, note }) => {
    const amount = amountMinorOf(amountMinor, currency) ?? 0;
    await topUp.mutateAsync({
      params: { developerId },
      body: { amountMinor: amount, currency, note },
      idempotencyKey,
    });
    showDone(`${amountOf({ amountMinor: amount, currency })} added.`);
    onClose();
  });
  const { amountMinor, currency } = form.values;
  const invalid = amountMinor.trim() !== '' && amountMinorOf(amountMinor, currency) === null;
  return (
    <FormBody form={form} submitLabel="Top up" onCancel={onClose} disabled={invalid || amountMinor.trim() === ''}>
      <Group align="start">
        <TextInput
          label="Amount"
          placeholder="250.00"
          inputMode="decimal"
          required
          data-autofocus
          style={{ flex: 1, minWidth: 160 }}
          {...form.text('amountMinor')}
          error={invalid ? 'Enter an amount such as 250.00.' : form.errorAt('amountMinor')}
        />
        <TextInput
          label="Currency"
          required
          w={110}
          maxLength={3}
          {...form.text('currency')}
          onChange={(event) => form.set('currency', event.currentTarget.value.toUpperCase())}
        />
      </Group>
      <TextInput label="Note" placeholder="Bank transfer of 15 January" {...form.text('note')} />
      <Text size="sm" c="dimmed">
        A top-up can’t be undone here, only offset by a correction.
      </Text>
    </FormBody>
  );
}
