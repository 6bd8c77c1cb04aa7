import {
  type Candidate,
  type DocType,
  type ExtractedFields,
  type ExtractedValue,
  isDocType,
  type Layout,
  type Locale,
} from '@millrace/document-model';
import type { DocumentType } from '../types/definition.ts';
import { composeBankStatement } from './bank-statement.ts';
import { composeBillOfLading } from './bill-of-lading.ts';
import { composeBusinessCard } from './business-card.ts';
import { composeCheck } from './check.ts';
import { composeContract } from './contract.ts';
import { composeGeneral } from './general.ts';
import { composeIdentity } from './identity.ts';
import { composeInsuranceCard } from './insurance-card.ts';
import { composeInvoice } from './invoice.ts';
import { composeMedicalReport } from './medical-report.ts';
import { composeOwn } from './own-type.ts';
import { composePayslip } from './payslip.ts';
import { composeReceipt } from './receipt.ts';
import { composeResume } from './resume.ts';
import { composeTaxForm } from './tax-form.ts';
import { composeUtilityBill } from './utility-bill.ts';

/** What a composer knows of a document. */
export interface Findings {
  readonly type: DocumentType;
  readonly layout: Layout;
  readonly locale: Locale;
  readonly candidates: readonly Candidate[];
}

/** Fields found; null is a field that is not on the document. */
export type ComposedFields = Readonly<Record<string, ExtractedValue | null>>;

const composers: Readonly<Partial<Record<DocType, (findings: Findings) => ComposedFields>>> = {
  general: composeGeneral,
  medical_report: composeMedicalReport,
  bank_statement: composeBankStatement,
  bill_of_lading: composeBillOfLading,
  tax_form: composeTaxForm,
  check: composeCheck,
  passport: composeIdentity,
  id_card: composeIdentity,
  driver_license: composeIdentity,
  contract: composeContract,
  business_card: composeBusinessCard,
  resume: composeResume,
  insurance_card: composeInsuranceCard,
  receipt: composeReceipt,
  invoice: composeInvoice,
  credit_note: composeInvoice,
  payslip: composePayslip,
  utility_bill: composeUtilityBill,
};

/** The fields of a type that are made by code of its own rather than picked among candidates. */
export function composeFields(
  type: DocumentType,
  layout: Layout,
  locale: Locale,
  candidates: readonly Candidate[],
): ExtractedFields {
  const compose = type.isOwn ? composeOwn : isDocType(type.name) ? composers[type.name] : undefined;
  const composed: ComposedFields = compose?.({ type, layout, locale, candidates }) ?? {};
  return Object.fromEntries(
    Object.entries(composed).filter((entry): entry is [string, ExtractedValue] => entry[1] !== null),
  );
}
