import type { TypeRules } from '../../compose/compose.ts';
import type { ScoredField } from '../../score/score.ts';
import { composeInsuranceCard, isPlanName } from './compose.ts';

/** The fields without plans among what may be the insurer: `Select Choice PPO`. */
function withoutPlans(scored: readonly ScoredField[]): readonly ScoredField[] {
  return scored.map((entry) =>
    entry.field.name === 'insurer_name'
      ? { ...entry, ranked: entry.ranked.filter(({ candidate }) => !isPlanName(candidate.text)) }
      : entry,
  );
}

export const insuranceCardRules: TypeRules = { compose: composeInsuranceCard, sift: withoutPlans };
