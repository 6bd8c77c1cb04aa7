import type { FieldDefinition } from '../definition.ts';
import { currency, language } from './always.ts';
import { captions } from './captions/billing.ts';
import { discountAmount, shippingAmount, subtotal, taxAmount, taxRate, totalAmount } from './money.ts';
import { buyerCaptions, partyFields, sellerCaptions } from './parties.ts';

const purchaseOrder: FieldDefinition = {
  name: 'purchase_order',
  kind: 'identifier',
  description: 'Number of the order that is billed, as the customer gave it.',
  captions: captions('purchase_order'),
};

const customerId: FieldDefinition = {
  name: 'customer_id',
  kind: 'identifier',
  description: "The customer's number with the vendor.",
  captions: captions('customer_id'),
};

export const dueDate: FieldDefinition = {
  name: 'due_date',
  kind: 'date',
  description: 'Date by which the amount is to be paid.',
  captions: captions('due_date'),
};

const amountDue: FieldDefinition = {
  name: 'amount_due',
  kind: 'amount',
  description: 'What is still to be paid: the total less what was paid already.',
  captions: captions('amount_due'),
};

const amountPaid: FieldDefinition = {
  name: 'amount_paid',
  kind: 'amount',
  description: 'What was paid before the document was issued.',
  captions: captions('amount_paid'),
};

const paymentTerms: FieldDefinition = {
  name: 'payment_terms',
  kind: 'text',
  description: 'Terms of payment as printed, such as "30 days net".',
  captions: captions('payment_terms'),
};

export const iban: FieldDefinition = {
  name: 'iban',
  kind: 'iban',
  description: 'IBAN to pay to, without spaces.',
  captions: captions('iban'),
};

export const bic: FieldDefinition = {
  name: 'bic',
  kind: 'bic',
  description: 'BIC (SWIFT code) of the bank.',
  captions: captions('bic'),
};

const bankAccountNumber: FieldDefinition = {
  name: 'bank_account_number',
  kind: 'identifier',
  description: 'National account number to pay to, where no IBAN is given or beside it.',
  captions: captions('bank_account_number'),
};

const paymentReference: FieldDefinition = {
  name: 'payment_reference',
  kind: 'identifier',
  description: 'Reference to state with the payment.',
  captions: captions('payment_reference'),
};

const serviceDates: readonly FieldDefinition[] = [
  {
    name: 'service_start_date',
    kind: 'date',
    description: 'First day of the delivery or service; the only day where there is one.',
    captions: captions('service_start_date'),
  },
  {
    name: 'service_end_date',
    kind: 'date',
    description: 'Last day of the delivery or service.',
    captions: captions('service_end_date'),
  },
];

const shippingAddress: FieldDefinition = {
  name: 'shipping_address',
  kind: 'address',
  description: 'Where the goods go, its lines joined by commas.',
  captions: captions('shipping_address'),
};

/** What invoices and credit notes have in common, from the parties to the service dates. */
export const billingFields: readonly FieldDefinition[] = [
  purchaseOrder,
  ...partyFields('vendor', {
    role: 'vendor',
    captions: sellerCaptions,
    details: ['name', 'address', 'tax_id', 'email', 'phone', 'website'],
  }),
  ...partyFields('customer', { role: 'customer', captions: buyerCaptions, details: ['name', 'address', 'tax_id'] }),
  customerId,
  shippingAddress,
  subtotal,
  discountAmount,
  shippingAmount,
  taxAmount,
  taxRate,
  totalAmount,
  amountDue,
  amountPaid,
  paymentTerms,
  iban,
  bic,
  bankAccountNumber,
  paymentReference,
  ...serviceDates,
  currency,
  language,
];
