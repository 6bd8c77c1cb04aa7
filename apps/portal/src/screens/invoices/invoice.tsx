import { SimpleGrid, Stack, Text } from '@mantine/core';
import { ActionBar } from '@millrace/ui/action-bar';
import { useAmounts } from '@millrace/ui/amounts';
import { IconDownload } from '@millrace/ui/icons';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { Fact } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { type DataOf, saveFile, useRead } from '../../frame/api.ts';
import { Day } from '../../frame/day.tsx';
import { StateMark } from '../../frame/state-mark.tsx';
import { texts } from '../../frame/texts.ts';

const words = texts.invoices;

/** One invoice with its lines, and its files. */
export function InvoiceScreen() {
  const { invoiceId } = useParams({ from: '/in/account/invoices/$invoiceId' });
  const read = useRead('getPortalInvoice', { params: { invoiceId } });
  return <Loaded read={read}>{(invoice) => <Shown invoice={invoice} />}</Loaded>;
}

function Shown({ invoice }: { readonly invoice: DataOf<'getPortalInvoice'> }) {
  const amountText = useAmounts();
  const numbers = useNumbers();
  const { id, number, state, overdue, currency, lines, taxes, payments, creditNotes } = invoice;
  const money = (amountMinor: number) => amountText({ amountMinor, currency });
  const params = { invoiceId: id };
  return (
    <Page
      title={number}
      mark={<StateMark state={overdue ? 'overdue' : state} />}
      crumbs={[{ label: words.title, to: '/account/invoices' }]}
      actions={
        <ActionBar
          menuLabel={words.electronic}
          actions={[
            {
              label: words.pdf,
              icon: IconDownload,
              primary: true,
              run: () => saveFile('downloadPortalInvoicePdf', { params }, `${number}.pdf`),
            },
            {
              label: words.xml,
              icon: IconDownload,
              run: () => saveFile('downloadPortalInvoiceXml', { params }, `${number}.xml`),
            },
            {
              label: words.xrechnung,
              inMenu: true,
              run: () =>
                saveFile(
                  'downloadPortalInvoiceXml',
                  { params, query: { format: 'xrechnung' } },
                  `${number}-xrechnung.xml`,
                ),
            },
          ]}
        />
      }
    >
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          <Fact label={words.total}>{money(invoice.totalMinor)}</Fact>
          <Fact label={words.open}>{money(invoice.dueMinor)}</Fact>
          <Fact label={words.issued}>
            <Day day={invoice.issueDate} />
          </Fact>
          <Fact label={words.due}>
            <Day day={invoice.dueDate} />
          </Fact>
          <Fact label={words.period}>
            <Day day={invoice.firstDay} /> – <Day day={invoice.lastDay} />
          </Fact>
          <Fact label={words.seller}>{invoice.seller?.name}</Fact>
          <Fact label={words.buyer}>{invoice.buyer.name}</Fact>
        </SimpleGrid>
        <Section title={words.lines}>
          <RecordTable
            label={words.lines}
            rows={lines.map((line, index) => ({ ...line, id: String(index) }))}
            columns={[
              { title: words.position, cell: (line) => words.lineText(line) },
              {
                title: words.amount,
                align: 'end',
                cell: ({ amountMinor }) => money(amountMinor),
              },
            ]}
          />
          <Stack gap={2} mt="md" align="end">
            <Text size="sm">
              {words.net}: {money(invoice.linesMinor)}
            </Text>
            {taxes.map((tax) => (
              <Text size="sm" key={`${tax.category} ${tax.rate}`}>
                {words.tax(numbers.decimal(Number(tax.rate), 2))}: {money(tax.taxMinor)}
              </Text>
            ))}
            <Text fw={600}>
              {words.total}: {money(invoice.totalMinor)}
            </Text>
            {invoice.exemptionReason && (
              <Text size="sm" c="dimmed">
                {invoice.exemptionReason}
              </Text>
            )}
          </Stack>
        </Section>
        {(payments.length > 0 || creditNotes.length > 0) && (
          <Section title={words.payments}>
            {payments.map(({ paidOn, amountMinor }) => (
              <Text size="sm" key={`${paidOn} ${amountMinor}`}>
                <Day day={paidOn} />: {money(amountMinor)}
              </Text>
            ))}
            {creditNotes.map((note) => (
              <Text size="sm" key={note.number}>
                {words.credited(note.number)}: {money(note.totalMinor)}
              </Text>
            ))}
          </Section>
        )}
      </Stack>
    </Page>
  );
}
