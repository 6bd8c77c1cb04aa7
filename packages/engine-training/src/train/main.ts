import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { classifierWeightsPath } from '@millrace/engine/classify/classify';
import { spellingPath } from '@millrace/engine/read/ocr/spelling';
import { createReader } from '@millrace/engine/read/reader';
import { modelVersion } from '@millrace/engine/score/model-version';
import { weightsPath } from '@millrace/engine/score/weights';
import { labelledDataFolder } from '../labelled/datasets.ts';
import { readCached } from '../labelled/read-cached.ts';
import { trainClassifier } from './classifier.ts';
import { generatedClassifierExamples, realClassifierExamples } from './classifier-examples.ts';
import { generatedDocuments, type ReadTrainingFile, realDocuments } from './documents.ts';
import { foldJudgementsPath, foldWeightsPath } from './folds.ts';
import { trainingReport } from './report.ts';
import { trainSpelling } from './spelling.ts';
import { spellingWords } from './spelling-words.ts';
import { trainModels } from './train.ts';

const usage = `npm run train -- [--only NAMES] [--dry]

--only  trains and reports these models alone (receipt.total_amount, date, …) and writes nothing; "classifier" trains and
        writes the classifier alone, "spelling" how words are spelled, by which pictures are read
--dry   writes nothing but the folds' weights and judgements, by which "npm run evaluate -- --out-of-fold" scores
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      dry: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const dataFolder = labelledDataFolder();
  if (!dataFolder) {
    process.stderr.write('The labelled documents are not here: set MILLRACE_SHARED_DATA to their folder.\n');
    return 2;
  }
  const reader = createReader();
  try {
    if (values.only === 'classifier') {
      await writeClassifier(dataFolder, (file) => readCached(file, reader));
      return 0;
    }
    if (values.only === 'spelling') {
      const words: string[] = [];
      for await (const word of spellingWords(dataFolder, (file) => readCached(file, reader))) words.push(word);
      await mkdir(new URL('.', spellingPath), { recursive: true });
      await writeFile(spellingPath, `${JSON.stringify(trainSpelling(words))}\n`);
      return 0;
    }
    const { weights, folds, scored } = await trainModels(
      allDocuments(dataFolder, (file, passes) => readCached(file, reader, { passes })),
      {
        modelVersion,
        only: values.only?.split(',') ?? null,
        log: (message) => process.stderr.write(`${message}\n`),
      },
    );
    const report = trainingReport(modelVersion, scored);
    if (!values.only) {
      await mkdir(new URL('.', foldWeightsPath(0)), { recursive: true });
      for (const [fold, own] of folds.entries()) await writeFile(foldWeightsPath(fold), JSON.stringify(own));
      const judgements = scored.map(({ key, judgements }) => ({ key, judgements }));
      await writeFile(foldJudgementsPath, JSON.stringify(judgements));
    }
    if (values.dry || values.only) process.stdout.write(report);
    else {
      await mkdir(new URL('.', weightsPath), { recursive: true });
      await writeFile(weightsPath, `${JSON.stringify(weights)}\n`);
      await writeClassifier(dataFolder, (file) => readCached(file, reader));
      await writeFile(path.join(import.meta.dirname, 'report.md'), report);
    }
  } finally {
    await reader.close();
  }
  return 0;
}

async function writeClassifier(dataFolder: string, read: Parameters<typeof realClassifierExamples>[1]): Promise<void> {
  const real = await realClassifierExamples(dataFolder, read);
  const { weights, compared } = trainClassifier({ ...generatedClassifierExamples(), real });
  await writeFile(classifierWeightsPath, `${JSON.stringify(weights)}\n`);
  for (const [docType, own] of Map.groupBy(compared, (each) => each.docType)) {
    const right = own.filter((each) => each.right).length;
    process.stderr.write(`classifier, real documents it had not seen: ${docType} ${right} of ${own.length}\n`);
  }
  process.stderr.write(`classifier: temperature ${weights.temperature}, ceiling ${weights.ceiling}\n`);
}

async function* allDocuments(dataFolder: string, read: ReadTrainingFile) {
  yield* realDocuments(dataFolder, read);
  yield* generatedDocuments();
}

process.exitCode = await main();
