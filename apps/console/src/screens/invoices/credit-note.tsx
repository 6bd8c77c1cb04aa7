import { Stack } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { IconDownload } from '@millrace/ui/icons';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Moment, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { PermittedActions, reasonAction } from '../../frame/actions.tsx';
import { callFile, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { useCivilDays } from '../../frame/civil-days.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { saveAnswer } from '../../frame/save-answer.ts';
import { useSession } from '../../frame/session.tsx';
import { usePriceTexts } from '../rate-plans/texts.ts';
import { CreditNoteMark } from './credit-notes.tsx';
import classes from './invoices.module.css';
import { PdfPanel } from './pdf-panel.tsx';

type CreditNote = DataOf<'getCreditNote'>;

/** One credit note: what it takes back of which lines, and whether another person approves it. */
export function CreditNoteScreen() {
  const { creditNoteId } = useParams({ from: '/shell/invoices/credit-notes/$creditNoteId' });
  const read = useRead('getCreditNote', { params: { creditNoteId } });
  return (
    <EntityScreen read={read}>
      {(note) => (
        <Page
          title={note.number ?? `Credit of ${note.invoiceNumber}`}
          mark={<CreditNoteMark state={note.state} />}
          crumbs={[
            { label: 'Invoices', to: '/invoices' },
            { label: 'Credit notes', to: '/invoices/credit-notes' },
          ]}
          actions={<Actions note={note} />}
        >
          <div className={classes.columns}>
            <Stack gap="lg">
              <Facts note={note} />
              <Section title="Credited lines">
                <CreditedLines note={note} />
              </Section>
            </Stack>
            {note.number !== null && (
              <div className={classes.beside}>
                <PdfPanel
                  number={note.number}
                  version={note.version}
                  load={() => callFile('getCreditNotePdf', { params: { creditNoteId } })}
                />
              </div>
            )}
          </div>
        </Page>
      )}
    </EntityScreen>
  );
}

function Actions({ note }: { readonly note: CreditNote }) {
  const { id, number, state, requestedBy, totalMinor, currency, invoiceNumber } = note;
  const params = { creditNoteId: id };
  const { callerId } = useSession();
  const amountOf = useAmounts();
  const approve = useWrite('approveCreditNote');
  const reject = useWrite('rejectCreditNote');
  const permission = 'billing.write';
  const amount = amountOf({ amountMinor: totalMinor, currency });
  return (
    <PermittedActions
      actions={[
        {
          label: 'Approve',
          primary: true,
          hidden: state !== 'pending',
          permission,
          blocked: requestedBy === callerId && 'You requested this: someone else has to approve it.',
          run: () => approve.mutateAsync({ params }),
          done: `${amount} credited.`,
          confirm: {
            title: `Credit ${amount}?`,
            text: `This issues a credit note of ${invoiceNumber}. It can’t be undone.`,
          },
        },
        reasonAction({
          label: 'Reject',
          danger: true,
          hidden: state !== 'pending',
          permission,
          title: `Reject the credit of ${invoiceNumber}?`,
          help: 'Whoever requested it can read this',
          send: async (body) => {
            await reject.mutateAsync({ params, body });
            return 'Credit note rejected.';
          },
        }),
        {
          label: 'Download PDF',
          icon: IconDownload,
          hidden: number === null,
          run: () => saveAnswer('getCreditNotePdf', { params }, `${(number ?? id).replaceAll('/', '-')}.pdf`),
        },
      ]}
    />
  );
}

function Facts({ note }: { readonly note: CreditNote }) {
  const { developerId, developerName, invoiceId, invoiceNumber, currency, state } = note;
  const amountOf = useAmounts();
  const { dayOf } = useCivilDays();
  const amount = (amountMinor: number) => amountOf({ amountMinor, currency });
  return (
    <Properties
      of={{
        Total: <strong>{amount(note.totalMinor)}</strong>,
        'Before tax': amount(note.linesMinor),
        Tax: amount(note.taxMinor),
        Invoice: (
          <TextLink to="/invoices/$invoiceId" params={{ invoiceId }} inherit>
            {invoiceNumber}
          </TextLink>
        ),
        Developer: (
          <TextLink to="/developers/$developerId/invoices" params={{ developerId }} inherit>
            {developerName}
          </TextLink>
        ),
        Reason: note.reason,
        Issued: note.issueDate !== null && dayOf(note.issueDate),
        Requested: (
          <>
            <Ago at={note.createdAt} /> by {note.requestedByName}
          </>
        ),
        [state === 'rejected' ? wordsOf(state) : 'Approved']: note.decidedAt !== null && (
          <>
            <Moment at={note.decidedAt} /> by {note.decidedByName}
          </>
        ),
        'Reason for the rejection': note.decisionReason,
      }}
    />
  );
}

/** The lines of the invoice that it takes back, as they are on it. */
function CreditedLines({ note }: { readonly note: CreditNote }) {
  const { invoiceId, currency } = note;
  const invoice = useRead('getInvoice', { params: { invoiceId } });
  const amountOf = useAmounts();
  const { lineNameOf } = usePriceTexts();
  return (
    <Loaded read={invoice}>
      {({ lines }) => {
        const byPosition = new Map(lines.map((line) => [line.position, line]));
        return (
          <RecordTable
            label="Table of credited lines"
            rows={note.lines.map((credited) => ({
              id: String(credited.position),
              credited,
              line: byPosition.get(credited.position)!,
            }))}
            columns={[
              { title: 'Line', cell: ({ line }) => lineNameOf(line) },
              { title: 'API product', cell: ({ line }) => line.productName },
              {
                title: 'Invoiced',
                align: 'end',
                cell: ({ line }) => amountOf({ amountMinor: line.amountMinor, currency }),
              },
              {
                title: 'Credited',
                align: 'end',
                cell: ({ credited }) => amountOf({ amountMinor: credited.amountMinor, currency }),
              },
            ]}
          />
        );
      }}
    </Loaded>
  );
}
