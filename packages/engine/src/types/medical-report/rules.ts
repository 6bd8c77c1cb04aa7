import type { TypeRules } from '../../compose/compose.ts';
import { composeMedicalReport } from './compose.ts';

export const medicalReportRules: TypeRules = { compose: composeMedicalReport };
