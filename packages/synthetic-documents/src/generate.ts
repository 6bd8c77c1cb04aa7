import type { DocType } from '@millrace/document-model';
import { bankStatementLayouts, drawBankStatement } from './bank-statement.ts';
import {
  businessCardLayouts,
  checkLayouts,
  drawBusinessCard,
  drawCheck,
  drawInsuranceCard,
  insuranceCardLayouts,
} from './cards.ts';
import type { GeneratedDocument } from './generated.ts';
import { drawPayslip, drawUtilityBill, payslipLayouts, utilityBillLayouts } from './household.ts';
import { drawIdentity, identityLayouts } from './identity.ts';
import { drawMedicalReport, medicalReportLayouts } from './medical-report.ts';
import { writePdf } from './pdf.ts';
import { contractLayouts, drawContract, drawGeneral, drawResume, generalLayouts, resumeLayouts } from './prose.ts';
import { drawReceipt, receiptLayouts } from './receipt.ts';
import type { Language } from './regions.ts';
import { Scene, type Wording } from './scene.ts';
import { billOfLadingLayouts, drawBillOfLading } from './shipping.ts';
import { drawTaxForm, taxFormLayouts } from './tax-form.ts';
import { drawTrade, tradeLayouts } from './trade.ts';

export interface GenerateRequest {
  readonly type: DocType;
  /** The same request gives the same document, on every machine. */
  readonly seed: string | number;
  readonly language?: Language;
  /** A region such as `de-AT`; goes before the language. */
  readonly region?: string;
  /** One of the type's layouts; any by default. */
  readonly layout?: string;
  /** `usual` by default. */
  readonly wording?: Wording;
}

interface Drawer {
  readonly draw: (scene: Scene, layout?: string) => GeneratedDocument;
  readonly layouts: readonly string[];
}

const drawers: Readonly<Record<DocType, Drawer>> = {
  general: { draw: drawGeneral, layouts: generalLayouts },
  invoice: { draw: (scene, layout) => drawTrade(scene, 'invoice', layout), layouts: tradeLayouts },
  credit_note: { draw: (scene, layout) => drawTrade(scene, 'credit_note', layout), layouts: tradeLayouts },
  receipt: { draw: drawReceipt, layouts: receiptLayouts },
  bank_statement: { draw: drawBankStatement, layouts: bankStatementLayouts },
  medical_report: { draw: drawMedicalReport, layouts: medicalReportLayouts },
  purchase_order: { draw: (scene, layout) => drawTrade(scene, 'purchase_order', layout), layouts: tradeLayouts },
  quote: { draw: (scene, layout) => drawTrade(scene, 'quote', layout), layouts: tradeLayouts },
  delivery_note: { draw: (scene, layout) => drawTrade(scene, 'delivery_note', layout), layouts: tradeLayouts },
  bill_of_lading: { draw: drawBillOfLading, layouts: billOfLadingLayouts },
  utility_bill: { draw: drawUtilityBill, layouts: utilityBillLayouts },
  payslip: { draw: drawPayslip, layouts: payslipLayouts },
  tax_form: { draw: drawTaxForm, layouts: taxFormLayouts },
  check: { draw: drawCheck, layouts: checkLayouts },
  passport: { draw: (scene, layout) => drawIdentity(scene, 'passport', layout), layouts: identityLayouts.passport },
  id_card: { draw: (scene, layout) => drawIdentity(scene, 'id_card', layout), layouts: identityLayouts.id_card },
  driver_license: {
    draw: (scene, layout) => drawIdentity(scene, 'driver_license', layout),
    layouts: identityLayouts.driver_license,
  },
  insurance_card: { draw: drawInsuranceCard, layouts: insuranceCardLayouts },
  contract: { draw: drawContract, layouts: contractLayouts },
  business_card: { draw: drawBusinessCard, layouts: businessCardLayouts },
  resume: { draw: drawResume, layouts: resumeLayouts },
};

/** The layouts in which a type can be drawn. */
export function layoutsOf(type: DocType): readonly string[] {
  return drawers[type].layouts;
}

/**
 * Makes a fictional document of a type, with the truth of what it says and its words as the engine's reader returns
 * them. Takes a few milliseconds; the PDF is written by `pdfOf`.
 */
export function generateDocument(request: GenerateRequest): GeneratedDocument {
  return drawers[request.type].draw(new Scene(request), request.layout);
}

/** Writes a generated document as a PDF with a text layer. */
export function pdfOf(generated: GeneratedDocument): Promise<Uint8Array> {
  return writePdf(generated.pages, generated.truth.docType.replaceAll('_', ' '));
}
