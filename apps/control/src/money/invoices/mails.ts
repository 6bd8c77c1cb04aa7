import type { InvoiceDocument, InvoiceLanguage } from '@millrace/invoice-documents';
import { formatMinor } from '@millrace/pricing';
import type { Invoice } from './contract.ts';

interface MailText {
  readonly subject: string;
  readonly text: string;
}

type Sent = Pick<InvoiceDocument, 'number' | 'currency' | 'totalMinor' | 'seller' | 'buyer'>;
type Due = Pick<Invoice, 'dueDate' | 'dueMinor'>;

/** E-mails to customers, in their languages. */
export const mailTexts: Readonly<
  Record<InvoiceLanguage, { invoice(document: Sent, due: Due): MailText; reminder(document: Sent, due: Due): MailText }>
> = {
  en: {
    invoice: ({ number, currency, totalMinor, seller, buyer }, { dueDate, dueMinor }) => ({
      subject: `Invoice ${number} from ${seller.name}`,
      text: [
        `Hello ${buyer.contactName ?? buyer.name},`,
        `invoice ${number} over ${formatMinor(totalMinor, currency, 'en')} is attached as a PDF file, which contains the electronic invoice (Factur-X).`,
        ...(dueMinor > 0 && dueDate !== null
          ? [`Please pay ${formatMinor(dueMinor, currency, 'en')} by ${dueDate}.`]
          : []),
        `${seller.contactName}\n${seller.name}`,
      ].join('\n\n'),
    }),
    reminder: ({ number, currency, seller, buyer }, { dueDate, dueMinor }) => ({
      subject: `Reminder: invoice ${number} from ${seller.name}`,
      text: [
        `Hello ${buyer.contactName ?? buyer.name},`,
        `invoice ${number} was due on ${dueDate}, and ${formatMinor(dueMinor, currency, 'en')} of it is not paid yet. If you have paid it in the last few days, please disregard this reminder.`,
        `${seller.contactName}\n${seller.name}`,
      ].join('\n\n'),
    }),
  },
  de: {
    invoice: ({ number, currency, totalMinor, seller, buyer }, { dueDate, dueMinor }) => ({
      subject: `Rechnung ${number} von ${seller.name}`,
      text: [
        `Guten Tag ${buyer.contactName ?? buyer.name},`,
        `die Rechnung ${number} über ${formatMinor(totalMinor, currency, 'de')} finden Sie als PDF-Datei im Anhang; sie enthält die elektronische Rechnung (Factur-X).`,
        ...(dueMinor > 0 && dueDate !== null
          ? [`Bitte zahlen Sie ${formatMinor(dueMinor, currency, 'de')} bis zum ${dueDate}.`]
          : []),
        `${seller.contactName}\n${seller.name}`,
      ].join('\n\n'),
    }),
    reminder: ({ number, currency, seller, buyer }, { dueDate, dueMinor }) => ({
      subject: `Zahlungserinnerung: Rechnung ${number} von ${seller.name}`,
      text: [
        `Guten Tag ${buyer.contactName ?? buyer.name},`,
        `die Rechnung ${number} war am ${dueDate} fällig; ${formatMinor(dueMinor, currency, 'de')} sind noch offen. Falls Sie in den letzten Tagen gezahlt haben, betrachten Sie diese Erinnerung als gegenstandslos.`,
        `${seller.contactName}\n${seller.name}`,
      ].join('\n\n'),
    }),
  },
};
