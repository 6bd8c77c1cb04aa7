import type { PlacedCandidate } from '../candidates/placed.ts';
import type { ScoredField, ScoredValue } from '../score/score.ts';

/**
 * A second opinion as evidence. The engine's confidence is the probability before it; what the opinion adds is a factor
 * on the odds (Bayes' rule), the same whoever gave the opinion, and a modest one: it takes an opinion that is right four
 * times in five, and half of whose errors are the error that the engine would make as well.
 */
const rightShare = 0.8;
const sameErrorShare = 0.5;
const factors = {
  /** Of a value that the opinion names. */
  agreement: rightShare / ((1 - rightShare) * sameErrorShare),
  /** Of a value beside which the opinion names another. */
  contradiction: (1 - rightShare) / rightShare,
  /** Of a value where the opinion finds none. */
  absence: 0.4,
} as const;

/** How likely a value of which the engine has no opinion is right before it is named, 0 to 100. */
export const unratedConfidence = { standing: 18, ranked: 3, nowhere: 2 } as const;

/** No second opinion makes a value surer than this; nor one that is not in the document than that. */
const mostConfidence = 99;
export const nowhereConfidence = 30;

/** A confidence, 0 to 100, after an opinion on its value. */
export function weighed(confidence: number, opinion: keyof typeof factors): number {
  const odds = oddsOf(confidence) * factors[opinion];
  const after = (100 * odds) / (1 + odds);
  // What a proof made surer than an opinion can is not doubted by one that agrees.
  const most = opinion === 'agreement' ? Math.max(mostConfidence, confidence) : confidence;
  return Math.round(Math.min(after, most) * 10) / 10;
}

/** What an opinion names as a field's value: the candidates that say it, or one without words where nothing does. */
export interface NamedValue {
  readonly candidates: readonly [PlacedCandidate, ...PlacedCandidate[]];
  /** Whether a value of the engine is this one. */
  readonly isSame: (value: ScoredValue) => boolean;
}

/** A field's ranked values after an opinion: the one that it names, or that there is none. */
export function weighField(entry: ScoredField, named: NamedValue | null): ScoredField {
  const scaled = entry.ranked.map((value) => {
    const opinion = named === null ? 'absence' : named.isSame(value) ? 'agreement' : 'contradiction';
    return { ...value, confidence: weighed(Math.max(value.confidence, unratedConfidence.nowhere), opinion) };
  });
  if (named && !scaled.some((value) => named.isSame(value))) scaled.push(unranked(entry, named));
  const found = entry.ranked.reduce((sum, { probability }) => sum + probability, 0);
  const none = oddsOf(100 * (1 - found)) * (named ? factors.contradiction : 1);
  // The calibrated confidences, since an improbable value may well be right where every other is more so.
  const all = scaled.reduce((sum, { confidence }) => sum + oddsOf(confidence), none);
  const ranked = scaled
    .map((value) => ({ ...value, probability: oddsOf(value.confidence) / all }))
    .sort((a, b) => b.probability - a.probability);
  if (named === null) return { ...entry, ranked };
  // There is a value: the likeliest is taken, and none that is much less likely in its place.
  return { ...entry, ranked, threshold: Math.min(entry.threshold, 0.6 * (ranked[0]?.probability ?? 0)) };
}

/** The odds of a confidence, 0 to 100. */
function oddsOf(confidence: number): number {
  const share = Math.min(Math.max(confidence, 0.1), 99.9) / 100;
  return share / (1 - share);
}

function unranked({ ranked }: ScoredField, { candidates }: NamedValue): ScoredValue {
  const isRated = candidates[0].kind !== 'text' && candidates[0].lines.length > 0 && ranked.length > 0;
  const before =
    candidates[0].words.length === 0
      ? unratedConfidence.nowhere
      : isRated
        ? unratedConfidence.ranked
        : unratedConfidence.standing;
  const confidence = weighed(before, 'agreement');
  return { candidate: candidates[0], candidates, probability: confidence / 100, confidence };
}
