import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DocType } from '@millrace/document-model';
import type { AcceptedValues, EvaluationCase, Truth } from './cases.ts';
import { type LabelledFile, listDocuments } from './datasets.ts';

/** The type of a document by its folder, or by its folder and name where a folder has several. */
const typesByPath: readonly (readonly [RegExp, DocType])[] = [
  [/^invoice\//, 'invoice'],
  [/^receipt\//, 'receipt'],
  [/^(tax|labelled-w9|labelled-1099)\//, 'tax_form'],
  [/^contract\//, 'contract'],
  [/^business-card\//, 'business_card'],
  [/^health-insurance-card\//, 'insurance_card'],
  [/^id-card\/(.*passport)/i, 'passport'],
  [/^id-card\/(driverlicense|id-license)/i, 'driver_license'],
  [/^id-card\//, 'id_card'],
  [/^read\/read-resume/, 'resume'],
];

/**
 * Names that a labeller gave to fields, and ours. A field whose labels are several texts has them joined in order; of two
 * numbers of a taxpayer, as a sample of a W-9 has filled in, either is right.
 */
const labelledFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'labelled-w9': {
    Name: 'recipient_name',
    SSN: 'recipient_tax_id',
    EIN: 'recipient_tax_id',
    Address: 'recipient_address',
    CityStateZip: 'recipient_address',
  },
  'labelled-1099': {
    PayerName: 'payer_name',
    PayerTIN: 'payer_tax_id',
    RecipientName: 'recipient_name',
    RecipientTIN: 'recipient_tax_id',
    RecipientAddress: 'recipient_address',
  },
};

/** Documents whose values another service found, read over by people: file to the accepted values of our fields. */
const knownFields: Readonly<Record<string, Readonly<Record<string, AcceptedValues>>>> = {
  'sample-invoice.pdf': {
    invoice_number: ['INV-100'],
    invoice_date: ['2019-11-15'],
    due_date: ['2019-12-15'],
    purchase_order: ['PO-3333'],
    vendor_name: ['CONTOSO LTD.'],
    vendor_address: ['123 456th St New York, NY, 10001'],
    customer_name: ['MICROSOFT CORPORATION', 'Microsoft Corp'],
    customer_id: ['CID-12345'],
    shipping_address: ['123 Ship St, Redmond WA, 98052'],
    subtotal: [100],
    tax_amount: [10],
    total_amount: [110],
    amount_due: [610],
    service_start_date: ['2019-10-14'],
    service_end_date: ['2019-11-14'],
  },
  'contoso-receipt.png': {
    merchant_name: ['Contoso'],
    merchant_address: ['123 Main Street Redmond, WA 98052'],
    merchant_phone: ['123-456-7890', '+11234567890'],
    transaction_date: ['2019-06-10'],
    transaction_time: ['13:59', '13:59:00'],
    subtotal: [1098.99],
    tax_amount: [104.4],
    total_amount: [1203.39],
  },
  'business_card.jpg': {
    name: ['Chris Smith'],
    job_title: ['Senior Researcher'],
    company_name: ['Contoso'],
    emails: [['chris.smith@contoso.com']],
    website: ['https://www.contoso.com/'],
    address: ['4001 1st Ave NE Redmond, WA 98052'],
  },
  'Passport.png': {
    document_number: ['ZE000509'],
    surname: ['BROWN'],
    given_names: ['HOLLIE'],
    nationality: ['CA', 'CAN'],
    issuing_country: ['CA', 'CAN'],
    date_of_birth: ['1985-01-01'],
    expiry_date: ['2023-01-14'],
    sex: ['F'],
  },
  'DriverLicense.png': {
    document_number: ['WDLABCD456DG'],
    surname: ['TALBOT'],
    given_names: ['LIAM R.'],
    address: ['123 STREET ADDRESS YOUR CITY WA 99999-1234'],
    date_of_birth: ['1958-01-06'],
    expiry_date: ['2020-08-12'],
    sex: ['M'],
  },
};

interface LabelFile {
  labels: { label: string; value: { text: string }[] }[];
}

/** The mixed documents: their types are scored, and the fields of those with labels. */
export async function documentCases(dataFolder: string): Promise<readonly EvaluationCase[]> {
  const root = path.join(dataFolder, 'documents');
  const cases = (await listDocuments(dataFolder)).map(async (file): Promise<EvaluationCase> => {
    const place = path.relative(root, file.path);
    const docType = typesByPath.find(([pattern]) => pattern.test(place))?.[1] ?? null;
    const fields = knownFields[file.name] ?? (await readLabels(file, place.split(path.sep)[0]!));
    const truth: Truth = { fields, rows: null, docType };
    return {
      key: file.name,
      path: file.path,
      words: null,
      docType: docType ?? 'general',
      ignoreEmbedded: false,
      truth: async () => truth,
      countPrinted: false,
    };
  });
  return Promise.all(cases);
}

async function readLabels(file: LabelledFile, folder: string): Promise<Truth['fields']> {
  const labelsPath = `${file.path}.labels.json`;
  const names = labelledFields[folder];
  if (!names || !existsSync(labelsPath)) return {};
  const { labels }: LabelFile = JSON.parse(await readFile(labelsPath, 'utf8'));
  const texts: Record<string, readonly [string, ...string[]]> = {};
  for (const { label, value } of labels) {
    const name = names[label];
    const text = value.map((part) => part.text).join(' ');
    if (!name || text === '') continue;
    const [first, ...others] = texts[name] ?? [];
    texts[name] = first === undefined ? [text] : [first, ...others, text];
  }
  return Object.fromEntries(
    Object.entries(texts).map(([name, parts]) => [name, name.endsWith('_tax_id') ? parts : [parts.join(' ')]] as const),
  );
}
