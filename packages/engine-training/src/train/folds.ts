import type { Truth } from '../labelled/cases.ts';
import { hashOf } from './examples.ts';

/** The parts into which the training documents are divided; each is scored by models trained on the others. */
export const foldCount = 4;

const issuerFields = ['vendor_name', 'merchant_name', 'bank_name', 'employer_name', 'provider_name', 'insurer_name'];

/**
 * What a document shares with those that look like it: its issuer's name as it is labelled, or else its own key. Documents
 * of one issuer fall into one fold, so that the judgement is of issuers which the models have never seen.
 */
export function familyOf(key: string, fields: Truth['fields']): string {
  const [issuer] = issuerFields.flatMap((name) => fields[name] ?? []);
  return typeof issuer === 'string' ? issuer.toLowerCase().replace(/[^\p{L}]/gu, '') : key;
}

/** The part that a family of documents belongs to. */
export function foldOf(family: string): number {
  return hashOf(family) % foldCount;
}

/** Where training leaves what the folds' models said of the documents that they had not seen: a list of `ScoredKey`. */
export const foldJudgementsPath = new URL('../../../../.cache/folds/judgements.json', import.meta.url);

/** Where training leaves the weights of models that have not seen a fold's documents, for evaluation to score these by. */
export function foldWeightsPath(fold: number): URL {
  return new URL(`../../../../.cache/folds/${fold}.json`, import.meta.url);
}
