import { hashOf } from './examples.ts';

/** The parts into which the training documents are divided; each is judged by models trained on the others. */
export const foldCount = 4;

/** The part that a document belongs to: variants of one document share their key, and so their part. */
export function foldOf(key: string): number {
  return hashOf(key) % foldCount;
}

/** Where training leaves the weights of models that have not seen a fold's documents, for evaluation to score these by. */
export function foldWeightsPath(fold: number): URL {
  return new URL(`../../../../.cache/folds/${fold}.json`, import.meta.url);
}
