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
import { composeBillOfLading } from './bill-of-lading/compose.ts';
import {
  asAmerican,
  withBareNumber,
  withoutNetWeights,
  withoutRegistration,
  withoutVessels,
  withRoadWeight,
} from './bill-of-lading/weights.ts';
import { composeBusinessCard } from './business-card/compose.ts';
import { checkRules } from './check/rules.ts';
import { contractRules } from './contract/rules.ts';
import { creditNoteRules } from './credit-note/rules.ts';
import type { DocumentType } from './definition.ts';
import { driverLicenseRules } from './driver-license/rules.ts';
import { composeGeneral } from './general/compose.ts';
import { idCardRules } from './id-card/rules.ts';
import { insuranceCardRules } from './insurance-card/rules.ts';
import { invoiceRules } from './invoice/rules.ts';
import { medicalReportRules } from './medical-report/rules.ts';
import { passportRules } from './passport/rules.ts';
import { payslipRules } from './payslip/rules.ts';
import { quoteRules } from './quote/rules.ts';
import { receiptRules } from './receipt/rules.ts';
import { composeResume } from './resume/compose.ts';
import { composeTaxForm } from './tax-form/compose.ts';
import { withoutPayersAddress } from './tax-form/payers-address.ts';
import { utilityBillRules } from './utility-bill/rules.ts';

const rulesByName: Readonly<Partial<Record<DocType, TypeRules>>> = {
  general: { compose: composeGeneral },
  invoice: invoiceRules,
  credit_note: creditNoteRules,
  quote: quoteRules,
  receipt: receiptRules,
  bank_statement: bankStatementRules,
  medical_report: medicalReportRules,
  bill_of_lading: {
    compose: composeBillOfLading,
    sift: (scored) => withoutRegistration(withoutVessels(withoutNetWeights(scored))),
    check: (fields, _rows, { layout, locale }) =>
      asAmerican(withBareNumber(withRoadWeight(fields, layout)), layout, locale),
  },
  utility_bill: utilityBillRules,
  payslip: payslipRules,
  tax_form: { compose: composeTaxForm, check: withoutPayersAddress },
  check: checkRules,
  passport: passportRules,
  id_card: idCardRules,
  driver_license: driverLicenseRules,
  insurance_card: insuranceCardRules,
  contract: contractRules,
  business_card: { compose: composeBusinessCard },
  resume: { compose: composeResume },
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
