import { type DocType, docTypes, isDocType } from '@millrace/document-model';
import type { OwnType } from '@millrace/document-model/own-type';
import { bankStatement } from './bank-statement/definition.ts';
import { billOfLading } from './bill-of-lading/definition.ts';
import { businessCard } from './business-card/definition.ts';
import { check } from './check/definition.ts';
import { contract } from './contract/definition.ts';
import { creditNote } from './credit-note/definition.ts';
import type { DocumentType } from './definition.ts';
import { deliveryNote } from './delivery-note/definition.ts';
import { driverLicense } from './driver-license/definition.ts';
import { general } from './general/definition.ts';
import { idCard } from './id-card/definition.ts';
import { insuranceCard } from './insurance-card/definition.ts';
import { invoice } from './invoice/definition.ts';
import { medicalReport } from './medical-report/definition.ts';
import { bareType, type LearnedCaptions, makeOwnType } from './own-type.ts';
import { passport } from './passport/definition.ts';
import { payslip } from './payslip/definition.ts';
import { purchaseOrder } from './purchase-order/definition.ts';
import { quote } from './quote/definition.ts';
import { receipt } from './receipt/definition.ts';
import { resume } from './resume/definition.ts';
import { taxForm } from './tax-form/definition.ts';
import { utilityBill } from './utility-bill/definition.ts';

const typesByName: Readonly<Record<DocType, DocumentType>> = {
  general,
  invoice,
  credit_note: creditNote,
  receipt,
  bank_statement: bankStatement,
  medical_report: medicalReport,
  purchase_order: purchaseOrder,
  quote,
  delivery_note: deliveryNote,
  bill_of_lading: billOfLading,
  utility_bill: utilityBill,
  payslip,
  tax_form: taxForm,
  check,
  passport,
  id_card: idCard,
  driver_license: driverLicense,
  insurance_card: insuranceCard,
  contract,
  business_card: businessCard,
  resume,
};

/** Languages share captions ("total", "date"); each stands once, where it is most usual. */
function withDistinctCaptions(type: DocumentType): DocumentType {
  const distinct = <T extends { readonly captions: readonly string[] }>(item: T): T => ({
    ...item,
    captions: [...new Set(item.captions)],
  });
  return { ...type, fields: type.fields.map(distinct), columns: type.columns.map(distinct) };
}

const distinctTypes = new Map(docTypes.map((name) => [name, withDistinctCaptions(typesByName[name])]));

/** The 21 document types, in the order in which the API's reference lists them. */
export const documentTypes: readonly DocumentType[] = [...distinctTypes.values()];

/** A built-in document type with its fields, columns and evidence. */
export function documentTypeOf(name: DocType): DocumentType {
  return distinctTypes.get(name)!;
}

const ownTypesMade = new WeakMap<OwnType, DocumentType>();

/**
 * A document type by its name: a built-in one, or one of the account's own. A type that is neither has no fields.
 *
 * @param learned captions that confirmed documents of the account's own type showed.
 */
export function documentTypeNamed(
  name: string,
  ownTypes: readonly OwnType[] = [],
  learned: LearnedCaptions | null = null,
): DocumentType {
  if (isDocType(name)) return documentTypeOf(name);
  const own = ownTypes.find((type) => type.name === name);
  if (!own) return bareType(name);
  if (learned && learned.size > 0) return makeOwnType(own, documentTypes, learned);
  const known = ownTypesMade.get(own) ?? makeOwnType(own, documentTypes);
  ownTypesMade.set(own, known);
  return known;
}
