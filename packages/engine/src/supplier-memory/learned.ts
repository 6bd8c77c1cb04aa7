import type { Extraction, Layout } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import type { ScoredField } from '../score/score.ts';
import type { DocumentType } from '../types/definition.ts';
import { type AppliedLessons, applyLessons, flagTaught } from './apply.ts';
import { applyConstants } from './constants.ts';
import type { KnownSender } from './lesson.ts';
import { recogniseSender } from './recognise.ts';

/** What the confirmed documents of a document's sender say of it; nothing where the sender is not known. */
export interface Learned extends AppliedLessons {
  /** An extraction that was validated, with its taught values marked and what is the sender's own. */
  readonly complete: (extraction: Extraction) => Extraction;
}

/** Recognises a document's sender, and applies what its confirmed documents taught. */
export function applyLearned(
  scored: readonly ScoredField[],
  document: {
    readonly type: DocumentType;
    readonly layout: Layout;
    readonly candidates: readonly PlacedCandidate[];
    /** Names of the fields that are asked for; null for all. */
    readonly only: readonly string[] | null;
  },
  senders: readonly KnownSender[],
): Learned {
  const { type, layout, candidates, only } = document;
  const recognition = recogniseSender(type.name, layout, candidates, senders);
  if (!recognition) return { scored, taught: new Map(), removed: new Map(), complete: (extraction) => extraction };
  const lessons = applyLessons(scored, candidates, recognition);
  const { id, name } = recognition.sender;
  return {
    ...lessons,
    complete: (extraction) => ({
      ...applyConstants(type, flagTaught(type, extraction, lessons.taught), layout, candidates, recognition, only),
      sender: { id, name, certain: recognition.certain },
    }),
  };
}
