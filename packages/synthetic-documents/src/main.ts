import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { degrade, scannedPdfOf } from './degrade.ts';
import { type GenerateRequest, generateDocument, pdfOf } from './generate.ts';
import type { GeneratedDocument } from './generated.ts';

/** The project's sample documents: what is drawn, and how it reaches the file. */
interface Sample {
  readonly file: string;
  readonly request: GenerateRequest;
  readonly description: string;
  readonly write: (generated: GeneratedDocument) => Promise<Uint8Array>;
}

const first = async (pictures: Promise<readonly { readonly bytes: Uint8Array }[]>) => (await pictures)[0]!.bytes;

const samples: readonly Sample[] = [
  {
    file: 'invoice-en.pdf',
    request: { type: 'invoice', seed: 'sample 70', region: 'en-GB', layout: 'banner' },
    description: 'Invoice, English, with a text layer',
    write: pdfOf,
  },
  {
    file: 'invoice-de.pdf',
    request: { type: 'invoice', seed: 'sample 42', region: 'de-DE', layout: 'letter' },
    description: 'Invoice, German, laid out as DIN 5008 asks',
    write: pdfOf,
  },
  {
    file: 'invoice-fr.pdf',
    request: { type: 'invoice', seed: 'sample 321', region: 'fr-FR', layout: 'classic' },
    description: 'Invoice, French',
    write: pdfOf,
  },
  {
    file: 'invoice-scan.pdf',
    request: { type: 'invoice', seed: 'sample 156', region: 'en-US', layout: 'columns' },
    description: 'Invoice, American, scanned a little askew: no text layer',
    write: (generated) => scannedPdfOf(generated, { seed: 'sample', look: 'scan', dotsPerInch: 150, quality: 62 }),
  },
  {
    file: 'credit-note-es.pdf',
    request: { type: 'credit_note', seed: 'sample 26', region: 'es-ES', layout: 'boxed' },
    description: 'Credit note, Spanish',
    write: pdfOf,
  },
  {
    file: 'receipt.jpg',
    request: { type: 'receipt', seed: 'sample 324', region: 'en-GB', layout: 'till' },
    description: 'Till receipt, photographed on a table',
    write: (generated) =>
      first(degrade(generated, { seed: 'sample', format: 'jpeg', look: 'photo', dotsPerInch: 220, quality: 70 })),
  },
  {
    file: 'receipt-turned.jpg',
    request: { type: 'receipt', seed: 'sample 32', region: 'de-DE', layout: 'restaurant' },
    description: 'Restaurant bill, German, photographed with the camera held sideways',
    write: (generated) =>
      first(
        degrade(generated, {
          seed: 'sample turned',
          format: 'jpeg',
          look: 'photo',
          dotsPerInch: 200,
          turnDegrees: 90,
          exifTurn: true,
          quality: 70,
        }),
      ),
  },
  {
    file: 'bank-statement.pdf',
    request: { type: 'bank_statement', seed: 'sample 29', region: 'en-GB', layout: 'summary' },
    description: 'Bank statement of several pages with running balances',
    write: pdfOf,
  },
  {
    file: 'medical-report.pdf',
    request: { type: 'medical_report', seed: 'sample 28', region: 'en-US', layout: 'laboratory' },
    description: 'Laboratory report with a table of values',
    write: pdfOf,
  },
  {
    file: 'passport.png',
    request: { type: 'passport', seed: 'sample 7', region: 'nl-NL' },
    description: 'Data page of a passport with its machine-readable zone',
    write: (generated) => first(degrade(generated, { seed: 'sample', format: 'png', look: 'clean', dotsPerInch: 180 })),
  },
  {
    file: 'contract.pdf',
    request: { type: 'contract', seed: 'sample 17', region: 'en-US' },
    description: 'Service contract between two companies',
    write: pdfOf,
  },
  {
    file: 'payslip.pdf',
    request: { type: 'payslip', seed: 'sample 12', region: 'de-DE', layout: 'columns' },
    description: 'Payslip, German',
    write: pdfOf,
  },
  {
    file: 'letter.pdf',
    request: { type: 'general', seed: 'sample 7', region: 'en-GB', layout: 'letter' },
    description: 'Letter, for the type `general`',
    write: pdfOf,
  },
];

async function main(): Promise<void> {
  const folder = path.resolve(import.meta.dirname, '../../../samples');
  await mkdir(folder, { recursive: true });
  const rows: string[] = [];
  for (const { file, request, description, write } of samples) {
    const bytes = await write(generateDocument(request));
    await writeFile(path.join(folder, file), bytes);
    rows.push(`| \`${file}\` | \`${request.type}\` | ${description} |`);
    process.stdout.write(`${file}  ${Math.ceil(bytes.length / 1024)} KB\n`);
  }
  const readme = `# Samples

Fictional documents, made by \`npm run samples\`. No person, company, number or account in them is real.

| File | \`doc_type\` | What it is |
|---|---|---|
${rows.join('\n')}
`;
  await writeFile(path.join(folder, 'README.md'), readme);
}

await main();
