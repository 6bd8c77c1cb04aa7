import type { ExtractedValue } from '@millrace/document-model';
import type { TypeRules } from '../../compose/compose.ts';
import { composeMedicalReport } from './compose.ts';
import { withoutOrderNumbers } from './numbers.ts';

const titles: readonly (readonly [title: RegExp, sex: string])[] = [
  [/^(?:mrs|ms|miss|frau|mme|mlle|madame|sra|do[ñn]a|d[ñn]a|sig\.?ra|mevr)\.? \p{Lu}/iu, 'F'],
  [/^(?:mr|herrn?|monsieur|sr|don|sig|dhr)\.? \p{Lu}|^M\. \p{Lu}/iu, 'M'],
];

/** The fields with the patient's sex as the form of address says it, where nothing else does. */
function withSexOfTitle(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { patient_name: patient, sex } = fields;
  const said = patient && titles.find(([title]) => title.test(String(patient.value)))?.[1];
  if (sex || !patient || said === undefined) return { ...fields };
  return { ...fields, sex: { ...patient, value: said, confidence: Math.min(patient.confidence, 84), flags: [] } };
}

export const medicalReportRules: TypeRules = {
  compose: composeMedicalReport,
  sift: withoutOrderNumbers,
  check: withSexOfTitle,
};
