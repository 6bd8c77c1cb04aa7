import { Alert, Stack, Text } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Fact } from '@millrace/ui/values';
import { counted } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { callFile, type DataOf, useRead } from '../../frame/api.ts';
import { useCivilDays } from '../../frame/civil-days.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { InvoiceActions } from './actions.tsx';
import { InvoiceMark } from './columns.tsx';
import { CreditNoteMark } from './credit-notes.tsx';
import classes from './invoices.module.css';
import { InvoiceLines } from './lines.tsx';
import { PdfPanel } from './pdf-panel.tsx';

type Invoice = DataOf<'getInvoice'>;

/** One invoice: what is left to pay, its lines beside its PDF, payments and credit notes. */
export function InvoiceScreen() {
  const { invoiceId } = useParams({ from: '/shell/invoices/$invoiceId' });
  const read = useRead('getInvoice', { params: { invoiceId } });
  return (
    <EntityScreen read={read}>
      {(invoice) => (
        <Page
          title={invoice.number ?? 'Draft invoice'}
          mark={<InvoiceMark invoice={invoice} />}
          description={<Description invoice={invoice} />}
          crumbs={[{ label: 'Invoices', to: '/invoices' }]}
          actions={<InvoiceActions invoice={invoice} />}
        >
          <div className={classes.columns}>
            <Content invoice={invoice} />
            {invoice.number !== null && (
              <div className={classes.beside}>
                <PdfPanel
                  number={invoice.number}
                  version={invoice.version}
                  load={() => callFile('getInvoicePdf', { params: { invoiceId } })}
                />
              </div>
            )}
          </div>
        </Page>
      )}
    </EntityScreen>
  );
}

function Description({ invoice }: { readonly invoice: Invoice }) {
  const { developerId, developerName, periodId, firstDay, lastDay, sentAt, sentTo, remindersSent } = invoice;
  const { rangeOf } = useCivilDays();
  return (
    <>
      <TextLink to="/developers/$developerId/invoices" params={{ developerId }} inherit>
        {developerName}
      </TextLink>
      {' · '}
      <TextLink to="/billing-periods/$periodId" params={{ periodId }} inherit>
        {rangeOf(firstDay, lastDay)}
      </TextLink>
      {sentAt !== null && (
        <>
          {' · '}Sent <Ago at={sentAt} /> to {sentTo}
        </>
      )}
      {remindersSent > 0 && ` · ${counted(remindersSent, 'reminder')} sent`}
    </>
  );
}

function Content({ invoice }: { readonly invoice: Invoice }) {
  const { currency, totalMinor, paidMinor, creditedMinor, dueMinor, issueDate, dueDate, problems, voidReason } =
    invoice;
  const amountOf = useAmounts();
  const { dayOf } = useCivilDays();
  const amount = (amountMinor: number) => amountOf({ amountMinor, currency });
  return (
    <Stack gap="lg">
      {problems.length > 0 && (
        <Alert color="orange" title="It can’t be issued yet">
          {problems.join(' ')}
        </Alert>
      )}
      {voidReason !== null && (
        <Alert color="gray" title="Void">
          {voidReason}
        </Alert>
      )}
      <div className={classes.facts}>
        <Fact label="Total">{amount(totalMinor)}</Fact>
        <Fact label="Paid">{amount(paidMinor)}</Fact>
        <Fact label="Credited">{amount(creditedMinor)}</Fact>
        <Fact label="Left to pay">
          <strong>{amount(dueMinor)}</strong>
        </Fact>
        <Fact label="Issued">{dayOf(issueDate)}</Fact>
        <Fact label="Due on">{dayOf(dueDate)}</Fact>
      </div>
      <Parties invoice={invoice} />
      <InvoiceLines invoice={invoice} />
      {invoice.payments.length > 0 && (
        <Section title="Payments">
          <RecordTable
            label="Table of payments"
            rows={invoice.payments}
            columns={[
              { title: 'Paid on', cell: ({ paidOn }) => dayOf(paidOn) },
              { title: 'Amount', align: 'end', cell: ({ amountMinor }) => amount(amountMinor) },
              { title: 'Reference', cell: ({ reference }) => reference || '–' },
              { title: 'Recorded by', cell: ({ createdByName }) => createdByName },
            ]}
          />
        </Section>
      )}
      {invoice.creditNotes.length > 0 && (
        <Section title="Credit notes">
          <RecordTable
            label="Table of credit notes"
            rows={invoice.creditNotes}
            columns={[
              {
                title: 'Number',
                cell: ({ id, number }) => (
                  <TextLink to="/invoices/credit-notes/$creditNoteId" params={{ creditNoteId: id }}>
                    {number ?? 'Not issued'}
                  </TextLink>
                ),
              },
              {
                title: 'State',
                cell: ({ state }) => <CreditNoteMark state={state} />,
              },
              { title: 'Amount', align: 'end', cell: (note) => amount(note.totalMinor) },
            ]}
          />
        </Section>
      )}
    </Stack>
  );
}

/** Who issued it, and who pays it. */
function Parties({ invoice: { seller, buyer } }: { readonly invoice: Invoice }) {
  return (
    <div className={classes.parties}>
      <Party title="Bill to" name={buyer.name} vatId={buyer.vatId} email={buyer.email} address={buyer.address} />
      {seller && <Party title="From" {...seller} />}
    </div>
  );
}

function Party(props: {
  readonly title: string;
  readonly name: string;
  readonly vatId: string | null;
  readonly email: string;
  readonly address: Invoice['buyer']['address'];
}) {
  const { title, name, vatId, email, address } = props;
  return (
    <address className={classes.party}>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      {address?.lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
      {address && (
        <div>
          {address.postalCode} {address.city}, {address.countryCode}
        </div>
      )}
      {vatId && <div>{vatId}</div>}
      <div>{email}</div>
    </address>
  );
}
