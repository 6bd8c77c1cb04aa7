/**
 * What the reading of a document is at: `decode` unfolds what the file holds, a page at a time, which a small file can
 * make as dear as it likes; `recognise` reads the picture of a page, whose size is bounded; `understand` works on the
 * words.
 */
export type ReadingStep = 'decode' | 'recognise' | 'understand';

/** Called at the beginning of each step. */
export type OnStep = (step: ReadingStep) => void;
