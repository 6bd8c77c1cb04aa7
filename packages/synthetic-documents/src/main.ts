import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { docTypes } from '@millrace/document-model';
import { degrade, scannedPdfOf } from './degrade.ts';
import { generateDocument } from './generate.ts';
import type { GeneratedDocument } from './generated.ts';
import { pdfOf } from './pdf.ts';
import type { Sample } from './types/generator.ts';
import { generators } from './types/generators.ts';

async function fileOf(generated: GeneratedDocument, as: Sample['as']): Promise<Uint8Array> {
  if (as === undefined) return await pdfOf(generated);
  return 'scan' in as ? await scannedPdfOf(generated, as.scan) : (await degrade(generated, as.picture))[0]!.bytes;
}

async function main(): Promise<void> {
  const folder = path.resolve(import.meta.dirname, '../../../samples');
  await mkdir(folder, { recursive: true });
  const rows: string[] = [];
  const samples = docTypes.flatMap((type) => (generators[type].samples ?? []).map((sample) => ({ ...sample, type })));
  for (const { as, description, file, ...request } of samples) {
    const bytes = await fileOf(generateDocument(request), as);
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
