import type { PlacedCandidate } from '../../candidates/placed.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { labelBefore } from '../../compose/labelled-rows.ts';
import { titleCased } from '../../compose/names.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import type { ScoredField } from '../../score/score.ts';
import { withoutOthers } from '../../score/sift.ts';

const orderNumber =
  /(?<!\p{L})(?:auftrags?|order|requisition|accession|specimen|sample|proben?|tagebuch|labor)(?: ?-? ?(?:nr|nummer|no|number|id))(?!\p{L})/u;

const recordNumber = /(?<!\p{L})(?:med(?:ical)? rec(?:ord)?|mrn|m r n|patient(?: id|en)?)(?: (?:nr|no|number|id))?$/u;
const accountNumber = /(?<!\p{L})(?:account|acct|visit|encounter|fin|csn)(?: (?:nr|no|number|id))?$/u;

const attending =
  /(?<!\p{L})(?:attending|ordering|requesting|referring|discharging|treating)(?: (?:physician|provider|doctor|md|dr))?$/u;
const familyPhysician =
  /(?<!\p{L})(?:primary care(?: (?:physician|provider|doctor))?|pcp|family (?:physician|doctor)|gp|hausarzt(?:in)?|medecin traitant)$/u;

/**
 * The scored fields of a report without the numbers of orders and samples among the patient's, nor that of the account or the
 * visit where the patient's record has one, and without headings among physicians, or the patient's family physician where
 * another one attended or ordered.
 */
export function withoutOrderNumbers(scored: readonly ScoredField[]): readonly ScoredField[] {
  const isRecorded = scored.some(
    ({ field, ranked }) =>
      field.name === 'patient_id' && ranked.some(({ candidate }) => recordNumber.test(labelBefore(candidate))),
  );
  const labels = scored.flatMap(({ field, ranked }) =>
    field.name === 'physician_name' ? ranked.map(({ candidate }) => labelBefore(candidate)) : [],
  );
  const isAttended = labels.some((label) => attending.test(label));
  return withoutOthers(scored, {
    patient_id: ({ candidate }) => {
      const label = labelBefore(candidate);
      return orderNumber.test(label) || (isRecorded && accountNumber.test(label));
    },
    physician_name: ({ candidate }) =>
      isSectionHeading(candidate) || (isAttended && familyPhysician.test(labelBefore(candidate))),
  });
}

/** Whether words in capitals are alone in their line above the text of a section: `ANTECEDENTES PERSONALES`. */
function isSectionHeading({ lines: [line, ...more], layout, text }: PlacedCandidate): boolean {
  if (!line || more.length > 0 || line.text.trim() !== text.trim() || /\p{Ll}|\d/u.test(text)) return false;
  const { left, below } = neighboursOf(layout, line);
  const isAbove = below !== null && below.box.y0 - line.box.y1 < line.box.y1 - line.box.y0;
  return !left && isAbove && /^\p{Lu}.*\p{Ll}{3}.*[.:,]/u.test(below.text) && !hasGivenName(titleCased(text));
}
