import type { ComposedFields, Findings } from './compose.ts';
import { composedValue } from './value.ts';

/** What names of health plans have in them. */
const planWord =
  /(?<!\p{L})(?:PPO|HMO|Open Access|EPO|POS|HDHP|HSA|HRA|Medicare Advantage|Medicaid|Bronze|Silver|Gold|Platinum)(?!\p{L})/u;
/** Lines about what is paid and whom to call. */
const otherwise = /copay|co-pay|office|visit|deductible|payer|network|out of|bin|pcn|grp|call|claims|[:$%#@]|\d{2}/iu;

/** The plan of an insurance card, where it is printed without a caption. */
export function composeInsuranceCard({ layout }: Findings): ComposedFields {
  const plans = layout.lines.filter(
    ({ text }) => text.length <= 60 && planWord.test(text) && !otherwise.test(text) && text.split(' ').length <= 7,
  );
  const [longest] = plans.toSorted((a, b) => b.text.length - a.text.length);
  return { plan_name: longest ? composedValue(longest.text, 74, [{ line: longest }]) : null };
}
