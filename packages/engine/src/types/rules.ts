import {
  type Candidate,
  type DocType,
  type ExtractedFields,
  type ExtractedValue,
  isDocType,
  type Layout,
  type Locale,
} from '@millrace/document-model';
import type { ComposedFields, TypeRules } from '../compose/compose.ts';
import { composeOwn } from '../compose/own-type.ts';
import { bankStatementRules } from './bank-statement/rules.ts';
import { billOfLadingRules } from './bill-of-lading/rules.ts';
import { businessCardRules } from './business-card/rules.ts';
import { checkRules } from './check/rules.ts';
import { contractRules } from './contract/rules.ts';
import { creditNoteRules } from './credit-note/rules.ts';
import type { DocumentType } from './definition.ts';
import { driverLicenseRules } from './driver-license/rules.ts';
import { generalRules } from './general/rules.ts';
import { idCardRules } from './id-card/rules.ts';
import { insuranceCardRules } from './insurance-card/rules.ts';
import { invoiceRules } from './invoice/rules.ts';
import { medicalReportRules } from './medical-report/rules.ts';
import { passportRules } from './passport/rules.ts';
import { payslipRules } from './payslip/rules.ts';
import { receiptRules } from './receipt/rules.ts';
import { resumeRules } from './resume/rules.ts';
import { taxFormRules } from './tax-form/rules.ts';
import { utilityBillRules } from './utility-bill/rules.ts';

const rulesByName: Readonly<Partial<Record<DocType, TypeRules>>> = {
  general: generalRules,
  invoice: invoiceRules,
  credit_note: creditNoteRules,
  receipt: receiptRules,
  bank_statement: bankStatementRules,
  medical_report: medicalReportRules,
  bill_of_lading: billOfLadingRules,
  utility_bill: utilityBillRules,
  payslip: payslipRules,
  tax_form: taxFormRules,
  check: checkRules,
  passport: passportRules,
  id_card: idCardRules,
  driver_license: driverLicenseRules,
  insurance_card: insuranceCardRules,
  contract: contractRules,
  business_card: businessCardRules,
  resume: resumeRules,
};

const ownRules: TypeRules = { compose: composeOwn };

/** What a type knows beyond its definition; nothing of a type without rules of its own. */
export function rulesOf(type: DocumentType): TypeRules {
  if (type.isOwn) return ownRules;
  return (isDocType(type.name) && rulesByName[type.name]) || {};
}

/** The fields of a type that are made by code of its own rather than picked among candidates. */
export function composeFields(
  type: DocumentType,
  layout: Layout,
  locale: Locale,
  candidates: readonly Candidate[],
): ExtractedFields {
  const composed: ComposedFields = rulesOf(type).compose?.({ type, layout, locale, candidates }) ?? {};
  return Object.fromEntries(
    Object.entries(composed).filter((entry): entry is [string, ExtractedValue] => entry[1] !== null),
  );
}
