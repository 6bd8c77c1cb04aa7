import type { DocType } from '@millrace/document-model';
import { bankStatementGenerator } from './bank-statement/generator.ts';
import { billOfLadingGenerator } from './bill-of-lading/generator.ts';
import { businessCardGenerator } from './business-card/generator.ts';
import { checkGenerator } from './check/generator.ts';
import { contractGenerator } from './contract/generator.ts';
import { creditNoteGenerator } from './credit-note/generator.ts';
import { deliveryNoteGenerator } from './delivery-note/generator.ts';
import { driverLicenseGenerator } from './driver-license/generator.ts';
import { generalGenerator } from './general/generator.ts';
import type { Generator } from './generator.ts';
import { idCardGenerator } from './id-card/generator.ts';
import { insuranceCardGenerator } from './insurance-card/generator.ts';
import { invoiceGenerator } from './invoice/generator.ts';
import { medicalReportGenerator } from './medical-report/generator.ts';
import { passportGenerator } from './passport/generator.ts';
import { payslipGenerator } from './payslip/generator.ts';
import { purchaseOrderGenerator } from './purchase-order/generator.ts';
import { quoteGenerator } from './quote/generator.ts';
import { receiptGenerator } from './receipt/generator.ts';
import { resumeGenerator } from './resume/generator.ts';
import { taxFormGenerator } from './tax-form/generator.ts';
import { utilityBillGenerator } from './utility-bill/generator.ts';

/** The generators of all types. */
export const generators: Readonly<Record<DocType, Generator>> = {
  general: generalGenerator,
  invoice: invoiceGenerator,
  credit_note: creditNoteGenerator,
  receipt: receiptGenerator,
  bank_statement: bankStatementGenerator,
  medical_report: medicalReportGenerator,
  purchase_order: purchaseOrderGenerator,
  quote: quoteGenerator,
  delivery_note: deliveryNoteGenerator,
  bill_of_lading: billOfLadingGenerator,
  utility_bill: utilityBillGenerator,
  payslip: payslipGenerator,
  tax_form: taxFormGenerator,
  check: checkGenerator,
  passport: passportGenerator,
  id_card: idCardGenerator,
  driver_license: driverLicenseGenerator,
  insurance_card: insuranceCardGenerator,
  contract: contractGenerator,
  business_card: businessCardGenerator,
  resume: resumeGenerator,
};
