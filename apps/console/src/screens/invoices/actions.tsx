import { useAmounts } from '@millrace/ui/amounts';
import { IconDownload, IconMail } from '@millrace/ui/icons';
import { type PermittedAction, PermittedActions, reasonAction } from '../../frame/actions.tsx';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { saveAnswer } from '../../frame/save-answer.ts';
import { CreditForm } from './credit-form.tsx';
import { PaymentForm } from './payment-form.tsx';

const permission = 'billing.write';

/** What can be done with an invoice in its state. */
export function InvoiceActions({ invoice }: { readonly invoice: DataOf<'getInvoice'> }) {
  const { id, number, state, dueMinor, currency, problems, buyer, sentAt, payments } = invoice;
  const { totalMinor, creditedMinor } = invoice;
  const params = { invoiceId: id };
  const amountOf = useAmounts();
  const issue = useWrite('issueInvoice');
  const send = useWrite('sendInvoice');
  const markPaid = useWrite('markInvoicePaid');
  const voiding = useWrite('voidInvoice');
  const due = amountOf({ amountMinor: dueMinor, currency });
  const payable = (state === 'issued' || state === 'paid') && dueMinor !== 0;
  const fileName = (number ?? 'draft').replaceAll('/', '-');
  const download = (label: string, run: () => Promise<void>): PermittedAction => ({
    label,
    icon: IconDownload,
    inMenu: true,
    hidden: number === null,
    run,
  });
  return (
    <PermittedActions
      menuLabel="More"
      actions={[
        {
          label: 'Issue',
          primary: true,
          hidden: state !== 'draft',
          permission,
          blocked: problems[0],
          run: () => issue.mutateAsync({ params }),
          done: 'Invoice issued.',
          confirm: {
            title: 'Issue this invoice?',
            text: 'It gets its number and date, and its lines never change. What is wrong is credited afterwards.',
          },
        },
        {
          label: 'Record payment',
          primary: true,
          hidden: !payable,
          permission,
          form: { title: 'Record payment', body: (close) => <PaymentForm invoice={invoice} onClose={close} /> },
        },
        {
          label: 'Mark as paid',
          hidden: !payable,
          permission,
          run: () => markPaid.mutateAsync({ params, body: {} }),
          done: `${due} recorded.`,
          confirm: { title: 'Mark as paid?', text: `This records a payment of ${due} today.` },
        },
        {
          label: 'Credit',
          hidden: state !== 'issued' && state !== 'paid',
          permission,
          blocked: creditedMinor >= totalMinor && 'All of it is credited.',
          form: {
            title: `Credit ${number}`,
            large: true,
            body: (close) => <CreditForm invoice={invoice} onClose={close} />,
          },
        },
        {
          label: sentAt === null ? 'Send' : 'Send again',
          icon: IconMail,
          hidden: number === null || state === 'void',
          permission,
          run: () => send.mutateAsync({ params }),
          done: 'Invoice sent.',
          confirm: { title: `Send ${number}?`, text: `It goes with its PDF to ${buyer.email}.` },
        },
        download('Download PDF', () => saveAnswer('getInvoicePdf', { params }, `${fileName}.pdf`)),
        download('Download XML (Factur-X)', () =>
          saveAnswer('getInvoiceXml', { params, query: { format: 'factur-x' } }, `${fileName}.xml`),
        ),
        {
          ...download('Download XML (XRechnung)', () =>
            saveAnswer('getInvoiceXml', { params, query: { format: 'xrechnung' } }, `${fileName}-xrechnung.xml`),
          ),
          blocked: buyer.reference === null && 'The buyer has no reference.',
        },
        reasonAction({
          label: 'Void',
          inMenu: true,
          danger: true,
          hidden: state === 'void',
          permission,
          blocked: payments.length > 0 && 'An invoice with payments is credited instead.',
          title: `Void ${number ?? 'the draft'}?`,
          help: 'The number stays given. This can’t be undone.',
          send: async (body) => {
            await voiding.mutateAsync({ params, body });
            return 'Invoice voided.';
          },
        }),
      ]}
    />
  );
}
