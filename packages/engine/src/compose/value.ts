import type { Candidate, ExtractedValue, JsonValue, Provenance, TextLine, ValueFlag } from '@millrace/document-model';
import { wordsWithin } from '../candidates/placed.ts';
import { boxAround } from '../layout/geometry.ts';

/** A stretch of a line, in characters of its text; the whole line where the ends are left out. */
export interface Stretch {
  readonly line: TextLine;
  readonly start?: number;
  readonly end?: number;
}

/** A value with the places it was read from. Its confidence stays below 90 unless a check digit or a second place proves it. */
export function composedValue(
  value: JsonValue,
  confidence: number,
  stretches: readonly Stretch[],
  flags: readonly ValueFlag[] = [],
): ExtractedValue {
  const provenance = stretches.flatMap(({ line, start = 0, end = line.text.length }): Provenance[] => {
    const words = wordsWithin(line, start, end).map(({ word }) => word);
    const first = words[0];
    if (!first) return [];
    return [
      {
        page: line.page,
        box: boxAround(words),
        text: words.map(({ text }) => text).join(' '),
        source: first.source,
      },
    ];
  });
  return { value, confidence, provenance, flags };
}

/** A candidate's value under a confidence of its own. */
export function candidateValue(
  candidate: Candidate,
  confidence: number,
  flags: readonly ValueFlag[] = [],
): ExtractedValue {
  return {
    value: candidate.value,
    confidence,
    provenance: [
      { page: candidate.page, box: candidate.box, text: candidate.text, source: candidate.words[0]?.source ?? 'text' },
    ],
    flags,
  };
}

/** The value that all of these candidates have; null where there is none, or they have several. */
export function onlyValue(candidates: readonly Candidate[], confidence: number): ExtractedValue | null {
  const [first] = candidates;
  return first && candidates.every(({ value }) => value === first.value) ? candidateValue(first, confidence) : null;
}

/** Several candidates' values as one array, each once. */
export function repeatedValue(
  candidates: readonly Candidate[],
  confidence: number,
  flags: readonly ValueFlag[] = [],
): ExtractedValue | null {
  const distinct = candidates.filter(
    (candidate, index) => candidates.findIndex(({ value }) => value === candidate.value) === index,
  );
  if (distinct.length === 0) return null;
  return {
    value: distinct.map(({ value }) => value),
    confidence,
    provenance: distinct.flatMap((candidate) => candidateValue(candidate, confidence).provenance),
    flags,
  };
}
