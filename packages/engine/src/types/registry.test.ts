import assert from 'node:assert/strict';
import { test } from 'node:test';
import { docTypes } from '@millrace/document-model';
import { documentTypeOf, documentTypes } from './registry.ts';

const party = (prefix: string, ...details: string[]) => details.map((detail) => `${prefix}_${detail}`);
const billing = [
  'due_date',
  'purchase_order',
  ...party('vendor', 'name', 'address', 'tax_id', 'email', 'phone', 'website'),
  ...party('customer', 'name', 'address', 'id', 'tax_id'),
  'shipping_address',
  'subtotal',
  'discount_amount',
  'shipping_amount',
  'tax_amount',
  'tax_rate',
  'total_amount',
  'amount_due',
  'amount_paid',
  'payment_terms',
  'iban',
  'bic',
  'bank_account_number',
  'payment_reference',
  'service_start_date',
  'service_end_date',
  'currency',
];
const totals = ['subtotal', 'tax_amount', 'total_amount', 'currency'];
const holder = [
  'document_number',
  'surname',
  'given_names',
  'nationality',
  'issuing_country',
  'date_of_birth',
  'sex',
  'expiry_date',
  'issue_date',
  'personal_number',
  'mrz',
];
const card = [...holder, 'address', 'issuing_authority'];

/** The fields that the specification names, by type. */
const documentedFields: Readonly<Record<string, readonly string[]>> = {
  general: ['title', 'date', 'people', 'organizations', 'amounts', 'key_values', 'currency'],
  invoice: ['invoice_number', 'invoice_date', ...billing],
  credit_note: ['credit_note_number', 'credit_note_date', 'original_invoice_number', ...billing],
  receipt: [
    'merchant_name',
    'merchant_address',
    'merchant_phone',
    'merchant_tax_id',
    'receipt_number',
    'transaction_date',
    'transaction_time',
    'subtotal',
    'tax_amount',
    'tip_amount',
    'total_amount',
    'payment_method',
    'card_last4',
    'cash_received',
    'change_amount',
    'currency',
  ],
  bank_statement: [
    'bank_name',
    'bank_address',
    'account_holder',
    'account_number',
    'iban',
    'bic',
    'statement_number',
    'statement_start_date',
    'statement_end_date',
    'opening_balance',
    'closing_balance',
    'total_credits',
    'total_debits',
    'currency',
  ],
  medical_report: [
    'patient_name',
    'patient_id',
    'date_of_birth',
    'sex',
    'report_date',
    'sample_date',
    'physician_name',
    'facility_name',
    'diagnosis',
    'summary',
  ],
  purchase_order: [
    'order_number',
    'order_date',
    'delivery_date',
    ...party('buyer', 'name', 'address', 'tax_id'),
    ...party('supplier', 'name', 'address', 'tax_id'),
    ...totals,
  ],
  quote: [
    'quote_number',
    'quote_date',
    'valid_until',
    ...party('vendor', 'name', 'address'),
    ...party('customer', 'name', 'address'),
    ...totals,
  ],
  delivery_note: [
    'delivery_number',
    'delivery_date',
    'order_number',
    ...party('sender', 'name', 'address'),
    ...party('recipient', 'name', 'address'),
    'carrier',
    'tracking_number',
  ],
  bill_of_lading: [
    'bl_number',
    'shipper',
    'consignee',
    'notify_party',
    'vessel',
    'voyage',
    'port_of_loading',
    'port_of_discharge',
    'container_numbers',
    'gross_weight',
    'date',
  ],
  utility_bill: [
    'provider_name',
    'account_number',
    'customer_name',
    'service_address',
    'period_start_date',
    'period_end_date',
    'meter_number',
    'consumption',
    'consumption_unit',
    'total_amount',
    'due_date',
    'currency',
  ],
  payslip: [
    'employee_name',
    'employee_id',
    'employer_name',
    'employer_address',
    'period_start_date',
    'period_end_date',
    'pay_date',
    'gross_pay',
    'net_pay',
    'total_deductions',
    'tax_amount',
    'currency',
  ],
  tax_form: [
    'form_type',
    'tax_year',
    'payer_name',
    'payer_tax_id',
    'recipient_name',
    'recipient_tax_id',
    'recipient_address',
    'boxes',
    'currency',
  ],
  check: [
    'bank_name',
    'payer_name',
    'payee_name',
    'amount',
    'amount_words',
    'date',
    'check_number',
    'routing_number',
    'account_number',
    'memo',
    'currency',
  ],
  passport: holder,
  id_card: card,
  driver_license: [...card, 'vehicle_classes', 'restrictions', 'endorsements'],
  insurance_card: [
    'insurer_name',
    'member_name',
    'member_id',
    'group_number',
    'plan_name',
    'effective_date',
    'rx_bin',
    'rx_pcn',
  ],
  contract: [
    'title',
    'parties',
    'effective_date',
    'end_date',
    'term',
    'governing_law',
    'total_amount',
    'signatories',
    'currency',
  ],
  business_card: ['name', 'job_title', 'company_name', 'emails', 'phones', 'website', 'address'],
  resume: ['name', 'email', 'phone', 'address', 'summary', 'skills', 'education', 'experience', 'languages'],
};

test('every document type has the fields that the specification names, and language', () => {
  assert.deepEqual(
    documentTypes.map((type) => type.name),
    [...docTypes],
  );
  for (const name of Object.keys(documentedFields))
    assert.ok(
      docTypes.some((type) => type === name),
      name,
    );
  for (const type of documentTypes) {
    const names = type.fields.map((field) => field.name);
    for (const name of [...(documentedFields[type.name] ?? []), 'language'])
      assert.ok(names.includes(name), `${type.name}.${name}`);
    assert.equal(new Set(names).size, names.length, type.name);
  }
});

test('rows go to lines for the four types that the specification names', () => {
  const withLines = documentTypes.filter((type) => type.rows === 'lines').map((type) => type.name);
  assert.deepEqual(withLines, ['invoice', 'receipt', 'bank_statement', 'medical_report']);
  for (const type of documentTypes) assert.equal(type.columns.length > 0, type.rows !== 'none', type.name);
});

test('captions and evidence are lower case, trimmed, without a colon, each once', () => {
  for (const type of documentTypes) {
    for (const { name, captions } of [...type.fields, ...type.columns]) {
      assert.equal(new Set(captions).size, captions.length, `${type.name}.${name}`);
      for (const caption of captions) assert.match(caption, /^\S(?:.*[^\s:])?$/u, `${type.name}.${name}`);
      for (const caption of captions) assert.equal(caption, caption.toLowerCase());
    }
    for (const [phrase] of type.evidence) assert.equal(phrase, phrase.toLowerCase().trim());
  }
});

test('fields that recognisers propose have captions that identify them', () => {
  for (const type of documentTypes) {
    for (const field of type.fields)
      assert.ok(field.composed || field.captions.length > 0, `${type.name}.${field.name}`);
  }
  assert.equal(documentTypeOf('invoice').title, 'Invoice');
});
