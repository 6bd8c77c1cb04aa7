import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import type { EvaluationCase } from '../labelled/cases.ts';
import { contractCases } from '../labelled/contracts.ts';
import { labelledDataFolder } from '../labelled/datasets.ts';
import { documentCases } from '../labelled/documents.ts';
import { drawnCases } from '../labelled/drawn.ts';
import { electronicInvoiceCases } from '../labelled/e-invoices.ts';
import { formCases } from '../labelled/forms.ts';
import { receiptCases } from '../labelled/receipts.ts';
import { isHeldOut } from '../labelled/split.ts';
import { foldJudgementsPath } from '../train/folds.ts';
import { type EvaluatedSet, overviewOf, reliabilityPicture } from './overview.ts';
import { errorListOf, reportOf } from './report.ts';
import { runCases } from './run.ts';
import { scoreCases } from './score.ts';

const usage = `npm run evaluate -- [SET…] [--part held-out|training|all] [--cached] [--out-of-fold] [--workers n] [--show-errors] [--write]

Sets: receipts, receipts-words, e-invoices, e-invoices-printed, e-invoices-unseen, documents, forms, contracts, drawn (of the
training part alone), all (the default).
--cached       take the words of earlier readings from the cache; times leave the reading out
--out-of-fold  score each document by models that were trained and calibrated without its issuer, which training leaves
               in the cache; takes cached words, and is how e-invoices-unseen is scored
--show-errors  list the wrong answers; of the training part only, so that nobody tunes on the held-out one
--write        write the report to packages/engine-training/evaluation.md as well
`;

const sets: Readonly<
  Record<
    string,
    {
      readonly title: string;
      readonly cases: (dataFolder: string) => Promise<readonly EvaluationCase[]>;
      /** Scores by models that know none of a document's issuer, as `--out-of-fold` does. */
      readonly unseen?: true;
    }
  >
> = {
  receipts: { title: 'Receipts, from images', cases: (folder) => receiptCases(folder, 'images') },
  'receipts-words': { title: "Receipts, from the labels' own words", cases: (folder) => receiptCases(folder, 'words') },
  'e-invoices': { title: 'E-invoices, embedded XML', cases: (folder) => electronicInvoiceCases(folder, 'embedded') },
  'e-invoices-printed': {
    title: 'E-invoices, printed layer alone',
    cases: (folder) => electronicInvoiceCases(folder, 'printed'),
  },
  'e-invoices-unseen': {
    title: 'E-invoices, printed layer alone, of issuers that the models know nothing of',
    cases: (folder) => electronicInvoiceCases(folder, 'printed'),
    unseen: true,
  },
  documents: { title: 'Mixed documents', cases: documentCases },
  forms: { title: 'Forms of many types', cases: formCases },
  contracts: { title: 'Contracts', cases: contractCases },
  drawn: { title: 'Drawn documents', cases: drawnCases },
};

const parts = ['held-out', 'training', 'all'];

/** Sets of documents that another set has as well. */
const withoutOverview = new Set(['e-invoices', 'e-invoices-unseen', 'receipts-words']);

const reportPath = path.resolve(import.meta.dirname, '../../evaluation.md');
const picturePath = path.resolve(import.meta.dirname, '../../evaluation.svg');

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      part: { type: 'string', default: 'held-out' },
      workers: { type: 'string', default: '2' },
      cached: { type: 'boolean', default: false },
      'out-of-fold': { type: 'boolean', default: false },
      'show-errors': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const names = positionals.length === 0 || positionals.includes('all') ? Object.keys(sets) : positionals;
  const workers = Number(values.workers);
  const known = names.every((name) => name in sets) && parts.includes(values.part) && Number.isInteger(workers);
  if (values.help || !known || workers < 1) {
    process.stderr.write(usage);
    return values.help ? 0 : 2;
  }
  if (values['show-errors'] && values.part !== 'training') {
    process.stderr.write('Errors are shown of the training part only: add --part training.\n');
    return 2;
  }
  const dataFolder = labelledDataFolder();
  if (!dataFolder) {
    process.stderr.write('The labelled documents are not here: set MILLRACE_SHARED_DATA to their folder.\n');
    return 2;
  }

  const reports: string[] = [];
  const overviewed: EvaluatedSet[] = [];
  for (const name of names) {
    const { title, cases: listCases, unseen = false } = sets[name]!;
    if (unseen && !existsSync(foldJudgementsPath)) {
      process.stderr.write(`${name} is left out: "npm run train" makes the models that it takes.\n`);
      continue;
    }
    const outOfFold = values['out-of-fold'] || unseen;
    const cached = values.cached || outOfFold;
    const cases = (await listCases(dataFolder)).filter(({ key }) => isInPart(key, values.part));
    if (cases.length === 0) continue;
    const bar = new SingleBar({ format: `${name} {bar} {value}/{total} {eta_formatted}`, stream: process.stderr });
    bar.start(cases.length, 0);
    const evaluated = await runCases(cases, {
      workers,
      cached,
      outOfFold,
      floors: values.write && !withoutOverview.has(name),
      onProgress: (done) => bar.update(done),
    });
    bar.stop();
    const score = scoreCases(evaluated);
    if (!withoutOverview.has(name)) overviewed.push({ name, cases: evaluated });
    const report = reportOf(`${title} (${partTitles[values.part]})`, evaluated, score, cached);
    reports.push(report);
    process.stdout.write(`${report}\n`);
    if (values['show-errors']) process.stdout.write(`${errorListOf(score)}\n\n`);
  }
  if (values.write) {
    await writeFile(reportPath, [introduction, overviewOf(overviewed), ...reports].join('\n'));
    await writeFile(picturePath, reliabilityPicture(overviewed));
  }
  return 0;
}

const partTitles: Readonly<Record<string, string>> = {
  'held-out': 'held-out part',
  training: 'training part',
  all: 'all documents',
};

const introduction = `# Evaluation

Written by \`npm run evaluate -- --write\`. An answer is right when it equals the label after normalising case, spaces
and punctuation; dates and numbers are compared as such. *Right* is the share of the documents whose label has the
field, *Precision* the share of the answers given. A line item is right when its description is at least 80 % alike and
its quantity and amount agree.

Of the printed layer the truth is what is printed. *Right where printed* and *With a printed label* leave out the labels
that a search of the page's words does not find in any way of writing them: for a field anywhere in the document, for a
line item's cell at the height of the answered row, such as a net price beside which the page prints the gross one.
A name is right as well with the company form, without the salutation or the numbers of the party that an XML writes
before it, an address with the country, where the page prints it so; of a credit note amounts and quantities are right
with either sign, since the XML does not always state them as the page does. Where an XML counts the tax into the amounts
of its lines against its own sum of lines, the net amounts are right as well. Line items are scored if the XML has any.
The labels of contracts abbreviate names: a party is right as well with \`&\`, \`Limited\` or \`Incorporated\`.
Confidence is that a value is the label, whatever the page prints.

Documents are held out by the SHA-256 of their key; nothing was trained or calibrated on them, and none of them and none
of their wrong answers was looked at, only figures such as these. Many labelled lines of the receipts break off at a
comma, so that few addresses can be scored by the labels' own words. Many of the e-invoices are variants of one another,
so that most of those held out have a sibling of the same print in the training part; the set of unseen issuers scores the
same documents by models that were trained and calibrated without any document of their issuer. Their truth is their own
embedded XML: for the set that reads it, the figures say that nothing is lost on the way from the attachment to the
answer, and the tests hold the reading of the XML itself against text searches.
`;

function isInPart(key: string, part: string): boolean {
  return part === 'all' || isHeldOut(key) === (part === 'held-out');
}

process.exitCode = await main();
