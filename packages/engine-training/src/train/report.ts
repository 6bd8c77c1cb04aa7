import { confidenceOf } from '@millrace/engine/score/weights';
import { isOfField } from './calibration.ts';
import { bestThreshold, type Judgement } from './judge.ts';

/** A model with what its folds said of documents that they had not seen. */
export interface ScoredModel {
  readonly key: string;
  readonly judgements: readonly Judgement[];
  readonly threshold: number;
  readonly calibration: readonly (readonly [number, number])[];
}

const bands = [0, 50, 70, 80, 90, 95, 101];

/** The training report in Markdown: F1 of each field on documents that its model had not seen, and how far confidence can be relied on. */
export function trainingReport(version: string, models: readonly ScoredModel[]): string {
  const fieldRows = models.flatMap(({ key, judgements, threshold }) =>
    [
      ...Map.groupBy(
        judgements.filter(({ printed }) => printed),
        (judgement) => `${judgement.set} | ${isOfField(key) ? key : `${key}: ${judgement.field}`}`,
      ),
    ]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, own]) => {
        const { f1, precision, recall, count } = atThreshold(own, threshold);
        return `| ${name} | ${count} | ${percent(precision)} | ${percent(recall)} | ${percent(f1)} | ${percent(bestThreshold(own).f1)} |`;
      }),
  );
  const values = models.flatMap(({ judgements, calibration, threshold, key }) =>
    judgements
      .filter(({ probability, real }) => probability >= threshold && real && isOfField(key))
      .map(({ probability, right, set }) => ({ set, confidence: confidenceOf({ calibration }, probability), right })),
  );
  const sets = [...Map.groupBy(values, ({ set }) => set)].sort(([a], [b]) => (a < b ? -1 : 1));
  const reliability = [['all', values] as const, ...sets].flatMap(([set, own]) =>
    bands.slice(0, -1).map((from, index) => {
      const within = own.filter(({ confidence }) => confidence >= from && confidence < bands[index + 1]!);
      const share = within.length > 0 ? percent(within.filter(({ right }) => right).length / within.length) : '–';
      return `| ${set} | ${from}–${Math.min(100, bands[index + 1]!)} | ${within.length} | ${share} |`;
    }),
  );
  return `# Training report, ${version}

Written by \`npm run train\`. Every figure is of documents that the model had not seen: each of four folds of the training
part is scored by a model trained on the other three. The held-out part is not touched here; \`npm run evaluate\` reports it.

## Fields

Of the labels that a page prints.

| Set | Field | Documents | Precision | Recall | F1 | F1 at the set's own threshold |
|---|---|---|---|---|---|---|
${fieldRows.join('\n')}

## Reliability of the scorer's confidence on real documents, before validation

By all labels, also those of an e-invoice's XML that its page does not print.

| Set | Confidence | Values | Right |
|---|---|---|---|
${reliability.join('\n')}
`;
}

function atThreshold(judgements: readonly Judgement[], threshold: number) {
  const present = judgements.filter((judgement) => judgement.present).length;
  const given = judgements.filter(({ probability }) => probability >= threshold);
  const right = given.filter((judgement) => judgement.right).length;
  const precision = given.length > 0 ? right / given.length : 0;
  const recall = present > 0 ? right / present : 0;
  return { count: present, precision, recall, f1: right > 0 ? (2 * precision * recall) / (precision + recall) : 0 };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
