import { Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { amountMinorOf } from '@millrace/ui/money';
import { unitSection } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { type ArgumentsOf, type DataOf, useWrite } from '../../frame/api.ts';
import { usePriceTexts } from '../rate-plans/texts.ts';
import classes from './invoices.module.css';

type Credit = NonNullable<ArgumentsOf<'createCreditNote'>['body']>['credit'];
type Invoice = DataOf<'getInvoice'>;

interface Values {
  readonly scope: Credit['scope'];
  /** With tax. */
  readonly amount: string;
  /** Without tax, by the position of the line. */
  readonly lines: Readonly<Record<string, string>>;
  readonly reason: string;
  /** Only for the server's error about any of them. */
  readonly credit: null;
}

/** Credits what is left of an invoice, an amount, or parts of its lines. */
export function CreditForm(props: { readonly invoice: Invoice; readonly onClose: () => void }) {
  const { invoice, onClose } = props;
  const { id, currency } = invoice;
  const create = useWrite('createCreditNote');
  const amountOf = useAmounts();
  // A form that is sent twice, for example after a lost response, credits once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const first: Values = { scope: 'rest', amount: '', lines: {}, reason: '', credit: null };
  const form = useForm(first, async (values) => {
    const body = { reason: values.reason, credit: creditOf(values, invoice) };
    const { number, state, totalMinor } = await create.mutateAsync({ params: { invoiceId: id }, body, idempotencyKey });
    const total = amountOf({ amountMinor: totalMinor, currency });
    showDone(
      state === 'issued' ? `${total} credited with ${number}.` : `${total} waits for another person’s approval.`,
    );
    onClose();
  });
  const { scope } = form.values;
  return (
    <FormBody form={form} submitLabel="Credit" onCancel={onClose}>
      <Radio.Group
        label="What to credit"
        value={scope}
        onChange={(next) => form.set('scope', next as Values['scope'])}
        error={form.errorAt('credit')}
      >
        <Stack gap={8} mt="xs">
          <Radio value="rest" label="Everything that is left" />
          <Radio value="amount" label="An amount, spread over all lines" />
          <Radio value="lines" label="Parts of lines" />
        </Stack>
      </Radio.Group>
      {scope === 'amount' && (
        <TextInput
          label="Amount with tax"
          required
          maw={240}
          {...unitSection(currency)}
          {...form.text('amount')}
          error={form.errorAt('amount') ?? form.errorAt('credit')}
        />
      )}
      {scope === 'lines' && (
        <CreditedLines
          invoice={invoice}
          values={form.values.lines}
          onChange={(position, amount) => form.setAt(`lines.${position}`, amount)}
          errorAt={(position) => form.errorAt(`lines.${position}`)}
        />
      )}
      <Textarea
        label="Reason"
        description="Printed on the credit note"
        required
        autosize
        minRows={2}
        {...form.text('reason')}
      />
    </FormBody>
  );
}

/** @throws InvalidInput at what is no amount */
function creditOf({ scope, amount, lines }: Values, { currency, lines: invoiced }: Invoice): Credit {
  if (scope === 'rest') return { scope };
  if (scope === 'amount') return { scope, totalMinor: minorOf(amount, currency, 'amount') };
  const credited = invoiced.flatMap(({ position, amountMinor }) => {
    const typed = lines[position]?.trim() ?? '';
    if (typed === '') return [];
    const minor = minorOf(typed, currency, `lines.${position}`);
    return { position, amountMinor: amountMinor < 0 ? -minor : minor };
  });
  if (credited.length === 0) throw new InvalidInput({ credit: 'Enter an amount of at least one line.' });
  return { scope, lines: credited };
}

function minorOf(typed: string, currency: string, field: string): number {
  const minor = amountMinorOf(typed, currency);
  if (minor === null) throw new InvalidInput({ [field]: 'Enter an amount such as 12.50.' });
  return minor;
}

function CreditedLines(props: {
  readonly invoice: Invoice;
  readonly values: Values['lines'];
  readonly onChange: (position: number, amount: string) => void;
  readonly errorAt: (position: number) => string | undefined;
}) {
  const { invoice, values, onChange, errorAt } = props;
  const { lines, currency } = invoice;
  const amountOf = useAmounts();
  const { lineNameOf } = usePriceTexts();
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        Amounts without tax; empty for none
      </Text>
      {lines.map((line) => (
        <div key={line.position} className={classes.credited}>
          <div>
            <Text size="sm">{lineNameOf(line)}</Text>
            <Text size="xs" c="dimmed">
              {line.productName}, {amountOf({ amountMinor: line.amountMinor, currency })}
            </Text>
          </div>
          <TextInput
            aria-label={`Amount of line ${line.position}`}
            {...unitSection(currency)}
            value={values[line.position] ?? ''}
            onChange={(event) => onChange(line.position, event.currentTarget.value)}
            error={errorAt(line.position)}
          />
        </div>
      ))}
    </Stack>
  );
}
