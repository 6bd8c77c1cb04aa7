import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type CalibrationWeights, calibrationPath, shippedCalibration } from '@millrace/engine/validate/calibration';
import { runCases } from '../evaluate/run.ts';
import type { EvaluatedCase, EvaluationCase } from '../labelled/cases.ts';
import { contractCases } from '../labelled/contracts.ts';
import { labelledDataFolder } from '../labelled/datasets.ts';
import { documentCases } from '../labelled/documents.ts';
import { drawnCases } from '../labelled/drawn.ts';
import { electronicInvoiceCases } from '../labelled/e-invoices.ts';
import { formCases } from '../labelled/forms.ts';
import { receiptCases } from '../labelled/receipts.ts';
import { isHeldOut } from '../labelled/split.ts';
import { drawnSet } from '../train/documents.ts';
import { type GivenValue, givenValues, leastProbability, ruleLines, trainCalibration } from './confidence.ts';
import { calibrationReport } from './report.ts';

const usage = `npm run calibrate -- [--rules]

--rules  calibrates the fields that rules alone make, for which no trained models are needed, and keeps the rest as it is
`;

/**
 * Trains the calibration on what models that had not seen a document's issuer, which `npm run train` leaves in the
 * cache, make of the drawn documents and of the real ones that are not held out; writes its weights and its report.
 */
async function main(): Promise<number> {
  const { values: asked } = parseArgs({
    options: { rules: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (asked.help) {
    process.stdout.write(usage);
    return 0;
  }
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
  const options = { workers: 1, cached: true, outOfFold: !asked.rules, calibrated: false, onProgress: () => {} };
  if (asked.rules) {
    // No other set has a field that rules alone make and that is labelled in enough documents.
    const contracts = await runCases(trainingPart(sets.contracts), options);
    await writeCalibration({ ...shippedCalibration(), least: leastProbability, rules: ruleLines(contracts) });
    return 0;
  }
  const drawn = await drawnCases();
  const values: GivenValue[] = [];
  for (const isKnown of [true, false]) {
    const own = await runCases(
      drawn.filter((each) => each.isKnown === isKnown),
      options,
    );
    values.push(...givenValues(drawnSet, own, isKnown));
  }
  const evaluated: EvaluatedCase[] = [];
  for (const [set, cases] of Object.entries(sets)) {
    const own = await runCases(trainingPart(cases), options);
    evaluated.push(...own);
    values.push(...givenValues(set, own));
  }
  const { calibration, unseen } = trainCalibration(values);
  await writeCalibration({ ...calibration, rules: ruleLines(evaluated) });
  await writeFile(path.join(import.meta.dirname, 'calibration.md'), calibrationReport(calibration, unseen));
  return 0;
}

function trainingPart(cases: readonly EvaluationCase[]): readonly EvaluationCase[] {
  return cases.filter(({ key }) => !isHeldOut(key));
}

async function writeCalibration(calibration: CalibrationWeights): Promise<void> {
  await mkdir(new URL('.', calibrationPath), { recursive: true });
  await writeFile(calibrationPath, `${JSON.stringify(calibration)}\n`);
}

process.exitCode = await main();
