import type { ExtractedValue, Layout } from '@millrace/document-model';
import type { Findings, TypeRules } from '../../compose/compose.ts';
import { labelBefore } from '../../compose/labelled-rows.ts';
import { isOrganizationName } from '../../compose/names.ts';
import { composedValue } from '../../compose/value.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { type OtherValues, withoutOthers } from '../../score/sift.ts';
import { cardTitle, composeInsuranceCard, isBenefit, isPlanName, isTier, supplement } from './compose.ts';

/** Days on which a card was made. */
const madeOn = /(?<!\p{L})(?:issued?|printed|print date|card date|created)(?!\p{L})/u;

/** What calls a name that of who insures its people. */
const ofGroup = /^(?:group|employer|plan sponsor|company|account|policy ?holder group)(?: name)?$/u;

/** What is said of a card to its holder: `How to read your member ID card`. */
const aboutCard = /(?<!\p{L})(?:your|how to|(?:sample|this) (?:\p{L}+ )?card|back of card|front of card)(?!\p{L})/iu;

/** What a card calls itself, which may look like a name: `Benefits Identification Card`. */
const nameOfCard = /(?<!\p{L})(?:identification|card|benefits?|coverage|program|department)(?!\p{L})/iu;

/** What says from when a card holds, which may stand behind a plan or a tier: `Family Eff: 01-01-24`. */
const isDated = /(?<!\p{L})eff(?:ective)?(?: date)?\W{1,3}\d/iu;

/** Plans among what may be the insurer, employers among the members, and benefits among the plans. */
const isOther: OtherValues = {
  insurer_name: ({ candidate }) =>
    isPlanName(candidate.text) || aboutCard.test(candidate.text) || supplement.test(candidate.text),
  member_name: ({ candidate }) =>
    isOrganizationName(candidate.text) !== null ||
    isTier(candidate.text) ||
    nameOfCard.test(candidate.text) ||
    ofGroup.test(labelBefore(candidate)),
  plan_name: ({ candidate }) => isBenefit(candidate.text),
  effective_date: ({ candidate }) => madeOn.test(labelBefore(candidate)),
};

const personNumber = /^[O\d]\d (?=\p{Lu})/u;

/** The fields with the member's name alone, without the number that the card gives each member. */
function withoutPersonNumber(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { member_name: member } = fields;
  if (typeof member?.value !== 'string' || !personNumber.test(member.value)) return { ...fields };
  return { ...fields, member_name: { ...member, value: member.value.replace(personNumber, '') } };
}

/** The fields without an insurer that has the member in its name, as lines of two columns read as one have. */
function withoutMember(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { insurer_name: printed, ...others } = fields;
  const insurer = printed && { ...printed, value: String(printed.value).replace(cardTitle, '').trimEnd() };
  const member = String(fields.member_name?.value ?? '').toLowerCase();
  const isMember = member !== '' && String(insurer?.value).toLowerCase().includes(member);
  return insurer && !isMember ? { ...fields, insurer_name: insurer } : others;
}

/** What a plan's name goes on with: its deductible, and how much it covers. */
const restOfPlan = /^ \d{3,5}(?:\/\d{1,4})?(?: (?:Bronze|Silver|Gold|Platinum|PPO|HMO|EPO|POS|HSA))*$/u;

/** The fields with the plan's name to the end of its line: `Tidewater Choice 2500 Gold`. */
function withWholePlan(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const { plan_name: plan } = fields;
  if (typeof plan?.value !== 'string') return { ...fields };
  for (const line of layout.lines) {
    const at = line.text.indexOf(plan.value);
    const rest = at < 0 ? null : restOfPlan.exec(line.text.slice(at + plan.value.length));
    if (rest)
      return {
        ...fields,
        plan_name: composedValue(plan.value + rest[0], plan.confidence, [{ line, start: at }], plan.flags),
      };
  }
  return { ...fields };
}

/** The groups of a member's number behind the first one, and how long that is at the most: `W4418 20773`. */
const restOfNumber = /^\d{3,6}(?: \d{2,6})?$/;
const firstGroup = 7;

/** The fields with the member's number to its end, of which wide blanks part the groups. */
function withWholeNumber(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const { member_id: number } = fields;
  if (typeof number?.value !== 'string' || number.value.length > firstGroup) return { ...fields };
  for (const line of layout.lines) {
    const { right } = neighboursOf(layout, line);
    const isNear = right !== null && right.box.x0 - line.box.x1 < 1.5 * (line.box.y1 - line.box.y0);
    if (!isNear || !line.text.endsWith(number.value) || !restOfNumber.test(right.text)) continue;
    const stretches = [{ line, start: line.text.length - number.value.length }, { line: right }];
    const whole = composedValue(`${number.value} ${right.text}`, number.confidence, stretches, number.flags);
    return { ...fields, member_id: whole };
  }
  return { ...fields };
}

/** The fields without a plan that is the insurer, or says from when the card holds. */
function withoutOthersPlan(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { plan_name: plan, ...others } = fields;
  return plan && (plan.value === fields.insurer_name?.value || isDated.test(String(plan.value)))
    ? others
    : { ...fields };
}

/** Who manages a plan's pharmacies, whose logo stands beside the numbers of their claims: `OptumRx`. */
const pharmacyManager = /^\p{L}{2,}(?:rx|scripts?|caremark)$/iu;

/** The fields with the plan that is named as one, rather than the logo of who manages its pharmacies. */
function withoutPharmacyManager(
  fields: Readonly<Record<string, ExtractedValue>>,
  findings: Findings,
): Record<string, ExtractedValue> {
  if (!pharmacyManager.test(String(fields.plan_name?.value ?? ''))) return { ...fields };
  const { plan_name: named } = composeInsuranceCard(findings);
  return named ? { ...fields, plan_name: named } : { ...fields };
}

const namedAfterTiers: ReadonlySet<string> = new Set(['plan_name', 'member_name']);

/** The fields without a plan or a member that says who of a family is insured, but with those that are named otherwise. */
function withoutTiers(
  fields: Readonly<Record<string, ExtractedValue>>,
  findings: Findings,
): Record<string, ExtractedValue> {
  const tiers = Object.keys(fields).filter((name) => namedAfterTiers.has(name) && isTier(String(fields[name]!.value)));
  if (tiers.length === 0) return { ...fields };
  const composed = composeInsuranceCard(findings);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const own = tiers.includes(name) ? composed[name] : value;
      return own ? [[name, own]] : [];
    }),
  );
}

export const insuranceCardRules: TypeRules = {
  compose: composeInsuranceCard,
  sift: (scored) => withoutOthers(scored, isOther),
  check: (fields, _rows, findings) => {
    const { layout } = findings;
    const own = withoutMember(withoutPersonNumber(withoutPharmacyManager(withoutTiers(fields, findings), findings)));
    return withoutOthersPlan(withWholeNumber(withWholePlan(own, layout), layout));
  },
};
