import type { ExtractedValue } from '@millrace/document-model';
import type { TypeRules } from '../../compose/compose.ts';
import { labelBefore } from '../../compose/labelled-rows.ts';
import { type OtherValues, withoutOthers } from '../../score/sift.ts';
import { composeInsuranceCard, isBenefit, isPlanName } from './compose.ts';

/** Days on which a card was made. */
const madeOn = /(?<!\p{L})(?:issued?|printed|print date|card date|created)(?!\p{L})/u;

/** Plans among what may be the insurer, and benefits among the plans. */
const isOther: OtherValues = {
  insurer_name: ({ candidate }) => isPlanName(candidate.text),
  plan_name: ({ candidate }) => isBenefit(candidate.text),
  effective_date: ({ candidate }) => madeOn.test(labelBefore(candidate)),
};

/** What a card calls itself beside its insurer's logo. */
const cardTitle =
  /(?<=\p{L}{3} )(?:carte de tiers payant|carte d['’]assuré|health insurance card|(?:member|insurance|identification) card)$/iu;

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

export const insuranceCardRules: TypeRules = {
  compose: composeInsuranceCard,
  sift: (scored) => withoutOthers(scored, isOther),
  check: (fields) => withoutMember(withoutPersonNumber(fields)),
};
