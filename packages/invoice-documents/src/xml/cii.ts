import { pricingOf, toMajor, trimDecimal } from '../amounts.ts';
import type { Buyer, DateRange, InvoiceDocument, InvoiceLine, PostalAddress, Seller, TaxTotal } from '../document.ts';
import { textsOf } from '../texts/texts.ts';
import { element, flatten, leaf, type XmlNode } from './element.ts';

/** What differs between the formats that are written as a Cross Industry Invoice. */
export interface CiiProfile {
  /** Specification identifier (BT-24). */
  readonly guideline: string;
  /** Business process (BT-23); null for none. */
  readonly process: string | null;
  /** Whether a line may name a period that reaches beyond the invoice's. */
  readonly linePeriodsOutside: boolean;
}

const namespaces = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
};

/** Document types (BT-3) by UNTDID 1001. */
const typeCodes = { invoice: '380', credit_note: '381' };

/** Payment means (BT-81) by UNTDID 4461: SEPA credit transfer, and credit transfer in any other currency. */
const sepaTransfer = '58';
const creditTransfer = '30';

/**
 * Writes a UN/CEFACT Cross Industry Invoice (D16B) within EN 16931. Elements stand in the order that its schema
 * prescribes.
 *
 * @param document checked and free of `xmlProblems`
 */
export function crossIndustryInvoice(document: InvoiceDocument, profile: CiiProfile): string {
  const root = element(
    'rsm:CrossIndustryInvoice',
    [
      element('rsm:ExchangedDocumentContext', [
        element('ram:BusinessProcessSpecifiedDocumentContextParameter', leaf('ram:ID', profile.process)),
        element('ram:GuidelineSpecifiedDocumentContextParameter', leaf('ram:ID', profile.guideline)),
      ]),
      element('rsm:ExchangedDocument', [
        leaf('ram:ID', document.number),
        leaf('ram:TypeCode', typeCodes[document.kind]),
        element('ram:IssueDateTime', dateString('udt', document.issueDate)),
        document.notes.map((note) => element('ram:IncludedNote', leaf('ram:Content', note))),
      ]),
      element('rsm:SupplyChainTradeTransaction', [
        document.lines.map((line, index) => tradeLine(line, index, document, profile)),
        agreement(document),
        delivery(document),
        settlement(document),
      ]),
    ],
    namespaces,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${flatten(root)}\n`;
}

function tradeLine(line: InvoiceLine, index: number, document: InvoiceDocument, profile: CiiProfile): XmlNode {
  const { quantity, unitPrice } = pricingOf(line);
  const period = profile.linePeriodsOutside || isWithin(line.period, document.period) ? line.period : null;
  return element('ram:IncludedSupplyChainTradeLineItem', [
    element('ram:AssociatedDocumentLineDocument', leaf('ram:LineID', String(index + 1))),
    element('ram:SpecifiedTradeProduct', [leaf('ram:Name', line.name), leaf('ram:Description', line.description)]),
    element(
      'ram:SpecifiedLineTradeAgreement',
      element('ram:NetPriceProductTradePrice', leaf('ram:ChargeAmount', trimDecimal(unitPrice))),
    ),
    element(
      'ram:SpecifiedLineTradeDelivery',
      leaf('ram:BilledQuantity', trimDecimal(quantity), { unitCode: line.unitCode }),
    ),
    element('ram:SpecifiedLineTradeSettlement', [
      element('ram:ApplicableTradeTax', [
        leaf('ram:TypeCode', 'VAT'),
        leaf('ram:CategoryCode', line.taxCategory),
        line.taxCategory !== 'O' && leaf('ram:RateApplicablePercent', trimDecimal(line.taxRate)),
      ]),
      billingPeriod(period),
      element(
        'ram:SpecifiedTradeSettlementLineMonetarySummation',
        leaf('ram:LineTotalAmount', amount(line.amountMinor, document)),
      ),
    ]),
  ]);
}

function isWithin(inner: DateRange | null, outer: DateRange | null): boolean {
  return inner !== null && outer !== null && outer.from <= inner.from && inner.to <= outer.to;
}

function agreement(document: InvoiceDocument): XmlNode {
  const { seller, buyer } = document;
  return element('ram:ApplicableHeaderTradeAgreement', [
    leaf('ram:BuyerReference', buyer.reference),
    sellerParty(seller, hasNoVatScope(document)),
    buyerParty(buyer, hasNoVatScope(document)),
  ]);
}

/** Outside the scope of VAT, an invoice must not name VAT identifiers (BR-O-02). */
function hasNoVatScope({ taxes }: InvoiceDocument): boolean {
  return taxes.some((tax) => tax.category === 'O');
}

function sellerParty(seller: Seller, withoutVatId: boolean): XmlNode {
  const { registration, vatId, taxNumber } = seller;
  const identifier = withoutVatId && registration === undefined ? (taxNumber ?? vatId) : undefined;
  return element('ram:SellerTradeParty', [
    leaf('ram:ID', identifier),
    leaf('ram:Name', seller.name),
    element('ram:SpecifiedLegalOrganization', leaf('ram:ID', registration)),
    element('ram:DefinedTradeContact', [
      leaf('ram:PersonName', seller.contactName),
      element('ram:TelephoneUniversalCommunication', leaf('ram:CompleteNumber', seller.phone)),
      element('ram:EmailURIUniversalCommunication', leaf('ram:URIID', seller.email)),
    ]),
    postalAddress(seller.address),
    electronicAddress(seller.email),
    !withoutVatId && taxRegistration('VA', vatId),
    taxRegistration('FC', taxNumber),
  ]);
}

function buyerParty(buyer: Buyer, withoutVatId: boolean): XmlNode {
  return element('ram:BuyerTradeParty', [
    leaf('ram:Name', buyer.name),
    element('ram:DefinedTradeContact', leaf('ram:PersonName', buyer.contactName)),
    postalAddress(buyer.address),
    electronicAddress(buyer.email),
    !withoutVatId && taxRegistration('VA', buyer.vatId),
  ]);
}

function postalAddress({ lines, postalCode, city, countryCode }: PostalAddress): XmlNode {
  const [first, second, ...rest] = lines.map((line) => line.trim()).filter((line) => line !== '');
  return element('ram:PostalTradeAddress', [
    leaf('ram:PostcodeCode', postalCode),
    leaf('ram:LineOne', first),
    leaf('ram:LineTwo', second),
    leaf('ram:LineThree', rest.join(', ')),
    leaf('ram:CityName', city),
    leaf('ram:CountryID', countryCode),
  ]);
}

function electronicAddress(email: string | undefined): XmlNode {
  return element('ram:URIUniversalCommunication', leaf('ram:URIID', email, { schemeID: 'EM' }));
}

function taxRegistration(schemeID: 'VA' | 'FC', id: string | undefined): XmlNode {
  return element('ram:SpecifiedTaxRegistration', leaf('ram:ID', id, { schemeID }));
}

/** A supply within the EU has to say where to and when (BR-IC-11, BR-IC-12). */
function delivery({ taxes, buyer, period, issueDate }: InvoiceDocument): XmlNode {
  const isWithinEu = taxes.some((tax) => tax.category === 'K');
  const content = isWithinEu && [
    element('ram:ShipToTradeParty', [leaf('ram:Name', buyer.name), postalAddress(buyer.address)]),
    period === null &&
      element('ram:ActualDeliverySupplyChainEvent', element('ram:OccurrenceDateTime', dateString('udt', issueDate))),
  ];
  return element('ram:ApplicableHeaderTradeDelivery', content) ?? '<ram:ApplicableHeaderTradeDelivery/>';
}

function settlement(document: InvoiceDocument): XmlNode {
  const { currency, seller, taxes, period, paymentTerms, dueDate, precedingInvoice } = document;
  return element('ram:ApplicableHeaderTradeSettlement', [
    leaf('ram:PaymentReference', document.number),
    leaf('ram:InvoiceCurrencyCode', currency),
    seller.bank !== null &&
      element('ram:SpecifiedTradeSettlementPaymentMeans', [
        leaf('ram:TypeCode', currency === 'EUR' ? sepaTransfer : creditTransfer),
        element('ram:PayeePartyCreditorFinancialAccount', [
          leaf('ram:IBANID', compact(seller.bank.iban)),
          leaf('ram:AccountName', seller.bank.accountName),
        ]),
        element('ram:PayeeSpecifiedCreditorFinancialInstitution', leaf('ram:BICID', compact(seller.bank.bic ?? ''))),
      ]),
    taxes.map((tax) => tradeTax(tax, document)),
    billingPeriod(period),
    element('ram:SpecifiedTradePaymentTerms', [
      leaf('ram:Description', paymentTerms),
      dueDate !== null && element('ram:DueDateDateTime', dateString('udt', dueDate)),
    ]),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      leaf('ram:LineTotalAmount', amount(document.linesMinor, document)),
      leaf('ram:TaxBasisTotalAmount', amount(document.linesMinor, document)),
      leaf('ram:TaxTotalAmount', amount(document.taxMinor, document), { currencyID: currency }),
      leaf('ram:GrandTotalAmount', amount(document.totalMinor, document)),
      document.paidMinor !== 0 && leaf('ram:TotalPrepaidAmount', amount(document.paidMinor, document)),
      leaf('ram:DuePayableAmount', amount(document.dueMinor, document)),
    ]),
    precedingInvoice !== null &&
      element('ram:InvoiceReferencedDocument', [
        leaf('ram:IssuerAssignedID', precedingInvoice.number),
        element('ram:FormattedIssueDateTime', dateString('qdt', precedingInvoice.issueDate)),
      ]),
  ]);
}

function tradeTax(tax: TaxTotal, document: InvoiceDocument): XmlNode {
  const reason = tax.exemptionReason ?? textsOf(document.language).exemptionReasons[tax.category];
  return element('ram:ApplicableTradeTax', [
    leaf('ram:CalculatedAmount', amount(tax.taxMinor, document)),
    leaf('ram:TypeCode', 'VAT'),
    tax.category !== 'S' && tax.category !== 'Z' && leaf('ram:ExemptionReason', reason),
    leaf('ram:BasisAmount', amount(tax.basisMinor, document)),
    leaf('ram:CategoryCode', tax.category),
    leaf('ram:RateApplicablePercent', trimDecimal(tax.rate)),
  ]);
}

function billingPeriod(period: DateRange | null): XmlNode {
  return (
    period &&
    element('ram:BillingSpecifiedPeriod', [
      element('ram:StartDateTime', dateString('udt', period.from)),
      element('ram:EndDateTime', dateString('udt', period.to)),
    ])
  );
}

/** Format 102 of UNTDID 2379: `YYYYMMDD`. */
function dateString(prefix: 'udt' | 'qdt', date: string): XmlNode {
  return leaf(`${prefix}:DateTimeString`, date.replaceAll('-', ''), { format: '102' });
}

/** Amounts have at most two decimals (BR-DEC): `xmlProblems` has refused what needs a third. */
function amount(amountMinor: number, { minorUnit }: InvoiceDocument): string {
  return minorUnit === 3 ? toMajor(Math.round(amountMinor / 10), 2) : toMajor(amountMinor, minorUnit);
}

function compact(text: string): string {
  return text.replaceAll(/\s/g, '');
}
