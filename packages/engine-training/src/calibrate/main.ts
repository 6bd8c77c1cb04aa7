import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { calibrationPath } from '@millrace/engine/validate/calibration';
import { runCases } from '../evaluate/run.ts';
import { contractCases } from '../labelled/contracts.ts';
import { labelledDataFolder } from '../labelled/datasets.ts';
import { documentCases } from '../labelled/documents.ts';
import { electronicInvoiceCases } from '../labelled/e-invoices.ts';
import { formCases } from '../labelled/forms.ts';
import { receiptCases } from '../labelled/receipts.ts';
import { isHeldOut } from '../labelled/split.ts';
import { type GivenValue, givenValues, trainCalibration } from './confidence.ts';
import { calibrationReport } from './report.ts';

/**
 * Trains the calibration on what models that had not seen a document's issuer, which `npm run train` leaves in the
 * cache, make of the real documents that are not held out; writes its weights and its report.
 */
async function main(): Promise<number> {
  const dataFolder = labelledDataFolder();
  if (!dataFolder) {
    process.stderr.write('The labelled documents are not here: set MILLRACE_SHARED_DATA to their folder.\n');
    return 2;
  }
  const sets = {
    receipts: await receiptCases(dataFolder, 'images'),
    'receipts-words': await receiptCases(dataFolder, 'words'),
    'e-invoices': await electronicInvoiceCases(dataFolder, 'printed'),
    documents: await documentCases(dataFolder),
    forms: await formCases(dataFolder),
    contracts: await contractCases(dataFolder),
  };
  const values: GivenValue[] = [];
  for (const [set, cases] of Object.entries(sets)) {
    const own = cases.filter(({ key }) => !isHeldOut(key));
    const options = { workers: 1, cached: true, outOfFold: true, calibrated: false, onProgress: () => {} };
    values.push(...givenValues(set, await runCases(own, options)));
  }
  const { calibration, unseen } = trainCalibration(values);
  await mkdir(new URL('.', calibrationPath), { recursive: true });
  await writeFile(calibrationPath, `${JSON.stringify(calibration)}\n`);
  await writeFile(path.join(import.meta.dirname, 'calibration.md'), calibrationReport(calibration, unseen));
  return 0;
}

process.exitCode = await main();
