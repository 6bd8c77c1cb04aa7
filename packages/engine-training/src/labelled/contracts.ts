import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AcceptedValues, EvaluationCase, Truth } from './cases.ts';

/** A line of `contracts/labels.jsonl`: what is stated of an agreement; an empty list where it states nothing. */
interface LabelledContract {
  readonly file: string;
  readonly effective_date: readonly string[];
  readonly jurisdiction: readonly string[];
  readonly party: readonly string[];
  readonly term: readonly string[];
}

/** Agreements from public filings. Of what one does not state there is no truth, so that invented answers are not counted. */
export async function contractCases(dataFolder: string): Promise<readonly EvaluationCase[]> {
  const folder = path.join(dataFolder, 'contracts');
  const text = await readFile(path.join(folder, 'labels.jsonl'), 'utf8');
  const contracts = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): LabelledContract => JSON.parse(line));
  return contracts.map((contract) => {
    const truth = truthOf(contract);
    return {
      key: contract.file,
      path: path.join(folder, contract.file),
      words: null,
      docType: 'contract',
      ignoreEmbedded: true,
      truth: async () => truth,
      countPrinted: false,
    };
  });
}

function truthOf({ effective_date: dates, jurisdiction, party, term }: LabelledContract): Truth {
  const laws = jurisdiction.flatMap((name) =>
    ['', 'State of ', 'the State of ', 'Commonwealth of ', 'the Commonwealth of '].map((before) => `${before}${name}`),
  );
  const stated: readonly (readonly [string, readonly string[]])[] = [
    ['effective_date', dates],
    ['governing_law', laws],
    ['term', term],
  ];
  const fields = stated.filter(([, values]) => values.length > 0) as (readonly [string, AcceptedValues])[];
  return {
    fields: { ...Object.fromEntries(fields), ...(party.length > 0 && { parties: printingsOf(party) }) },
    rows: null,
    docType: 'contract',
  };
}

/** The labels abbreviate what an agreement may write out. */
const abbreviations: readonly (readonly [RegExp, string])[] = [
  [/ and /g, ' & '],
  [/ ltd\.?$/i, ' Limited'],
  [/ inc\.?$/i, ' Incorporated'],
];
const mostPrintings = 64;

/** The parties in every way of printing their names: each with its abbreviations as they are, or all written out. */
function printingsOf(parties: readonly string[]): AcceptedValues {
  const lists = parties.reduce<readonly (readonly string[])[]>(
    (known, name) => {
      const ways = abbreviations.reduce<readonly string[]>(
        (names, [short, long]) => [...new Set(names.flatMap((way) => [way, way.replace(short, long)]))],
        [name],
      );
      return known.flatMap((list) => ways.map((way) => [...list, way])).slice(0, mostPrintings);
    },
    [[]],
  );
  const [asLabelled, ...others] = lists.map((list) => [...list]);
  return [asLabelled!, ...others];
}
