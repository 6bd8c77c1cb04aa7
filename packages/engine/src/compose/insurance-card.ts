import type { ExtractedValue, Layout } from '@millrace/document-model';
import { isFormPhrase, isHeading } from '../candidates/headings.ts';
import { textsAtCaption } from './captioned.ts';
import type { ComposedFields, Findings } from './compose.ts';
import { hasGivenName } from './given-names.ts';
import { isOrganizationName, isPersonName, titleCased } from './names.ts';
import { composedValue } from './value.ts';

/** What names of health plans have in them. */
const planWord =
  /(?<!\p{L})(?:PPO|HMO|Open Access|Open Choice|Choice Plus|Select Plus|EPO|POS|HDHP|HSA|HRA|Medicare Advantage|Medicaid|Bronze|Silver|Gold|Platinum)(?!\p{L})/u;
/** Lines about what is paid and whom to call. */
const otherwise = /copay|co-pay|office|visit|deductible|payer|network|out of|bin|pcn|grp|call|claims|[:$%#@]|\d{2}/iu;

/** The plan of an insurance card, where it is printed without a caption, and what its prescriptions are routed by. */
export function composeInsuranceCard({ type, layout }: Findings): ComposedFields {
  const plans = layout.lines.filter(
    ({ text }) => text.length <= 60 && planWord.test(text) && !otherwise.test(text) && text.split(' ').length <= 7,
  );
  const [longest] = plans.toSorted((a, b) => b.text.length - a.text.length);
  const control = textsAtCaption(type, 'rx_pcn', layout).find(
    ({ text, place }) => place !== 'below' && /^[A-Z]{2,10}$/.test(text),
  );
  return {
    member_name: memberOf(layout),
    plan_name: longest ? composedValue(longest.text, 74, [{ line: longest }]) : null,
    // A processor's control number may have no digit, as `ADV` has none.
    rx_pcn: control ? composedValue(control.text, 80, [control.stretch]) : null,
  };
}

/** The one person that a card names, where no caption says whose it is. */
function memberOf(layout: Layout): ExtractedValue | null {
  const named = layout.lines.flatMap((line) => {
    const [, name] = /^(?:\d{2} )?(\p{Lu}[\p{L} .'’-]{3,40})$/u.exec(line.text.trim()) ?? [];
    if (name === undefined || isHeading(name) || isFormPhrase(name) || isOrganizationName(name) !== null) return [];
    const cased = titleCased(name);
    return isPersonName(cased) && hasGivenName(cased) ? [{ name, line, start: line.text.indexOf(name) }] : [];
  });
  const [first, ...others] = named;
  return first && others.length === 0 ? composedValue(first.name, 58, [first]) : null;
}
