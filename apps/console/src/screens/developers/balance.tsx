import { Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { Fact, Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useAmounts } from '../../frame/amounts.ts';
import { listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { amountMinorOf } from '../../frame/money.ts';
import { ResourceList } from '../../frame/resource-list.tsx';

/** A developer's prepaid money: what is left, and what came and went. */
export function DeveloperBalance() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId/balance' });
  const search = useSearch({ from: '/shell/developers/$developerId/balance' });
  const read = useRead('getDeveloperBalance', { params: { developerId }, query: listQueryOf(search) });
  const amountOf = useAmounts();
  const [adding, setAdding] = useState(false);
  const balances = read.data?.balances ?? [];
  return (
    <>
      {balances.length > 0 && (
        <SimpleGrid cols={{ base: 2, md: 4 }} mb="lg">
          {balances.map((balance) => (
            <Fact key={balance.currency} label={`Left in ${balance.currency}`}>
              {amountOf(balance)}
            </Fact>
          ))}
        </SimpleGrid>
      )}
      <ResourceList
        noun="movements"
        rows={read.data?.movements}
        total={read.data?.total}
        loading={read.isFetching}
        error={read.error}
        columns={[
          { title: 'When', sort: 'createdAt', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: 'What', cell: ({ kind }) => wordsOf(kind) },
          { title: 'Amount', cell: (movement) => amountOf(movement, { signDisplay: 'exceptZero' }) },
          { title: 'Note', cell: ({ note }) => note || '–' },
          { title: 'Who', cell: ({ createdByName }) => createdByName },
        ]}
        filters={[{ name: 'kind', label: 'What', options: optionsOf(['top_up', 'charge', 'correction']) }]}
        actions={
          <PermittedButton permission="billing.write" onClick={() => setAdding(true)}>
            Add prepaid money
          </PermittedButton>
        }
        empty={
          <Text c="dimmed" my="lg">
            The developer never had prepaid money.
          </Text>
        }
      />
      <FormDialog title="Add prepaid money" opened={adding} onClose={() => setAdding(false)}>
        <TopUpForm developerId={developerId} onClose={() => setAdding(false)} />
      </FormDialog>
    </>
  );
}

function TopUpForm(props: { readonly developerId: string; readonly onClose: () => void }) {
  const { developerId, onClose } = props;
  const topUp = useWrite('topUpDeveloperBalance');
  const amountOf = useAmounts();
  // A form that is sent twice, as after a lost answer, adds its money once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const form = useForm({ amountMinor: '', currency: 'EUR', note: '' }, async ({ amountMinor, currency, note }) => {
    const amount = amountMinorOf(amountMinor, currency) ?? 0;
    await topUp.mutateAsync({
      params: { developerId },
      body: { amountMinor: amount, currency, note },
      idempotencyKey,
    });
    showDone(`${amountOf({ amountMinor: amount, currency })} is added.`);
    onClose();
  });
  const { amountMinor, currency } = form.values;
  const wrong = amountMinor.trim() !== '' && amountMinorOf(amountMinor, currency) === null;
  return (
    <FormBody form={form} submitLabel="Add" onCancel={onClose} disabled={wrong || amountMinor.trim() === ''}>
      <Group align="start">
        <TextInput
          label="Amount"
          placeholder="250.00"
          inputMode="decimal"
          required
          data-autofocus
          style={{ flex: 1, minWidth: 160 }}
          {...form.text('amountMinor')}
          error={wrong ? 'Give an amount such as 250.00.' : form.errorAt('amountMinor')}
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
        It cannot be taken back here: a correction is booked against it.
      </Text>
    </FormBody>
  );
}
