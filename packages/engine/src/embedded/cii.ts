import type { EmbeddedInvoice } from './invoice.ts';
import {
  addressOf,
  compactText,
  dateOf,
  type EmbeddedValue,
  type EmbeddedValues,
  isFreightCharge,
  joinedText,
  numberOf,
  presentValues,
  sumOf,
  textOf,
  unitOf,
  unitPriceOf,
} from './value.ts';
import { all, first, type XmlElement } from './xml.ts';

/** UNTDID 1001 codes that EN 16931 counts as credit notes. */
const creditNoteCodes = ['81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '502', '503', '532'];

/**
 * Maps a UN/CEFACT Cross Industry Invoice: ZUGFeRD 2 and Factur-X (`CrossIndustryInvoice`, D16B), ZUGFeRD 1.0
 * (`CrossIndustryDocument`) and the drafts before it. The versions differ in the names of the containers and in where
 * a date's text stands, which the alternatives below cover.
 *
 * @returns null for an element that is no cross-industry invoice.
 */
export function readCrossIndustryInvoice(root: XmlElement, complete: boolean): EmbeddedInvoice | null {
  const document = first(root, 'ExchangedDocument|HeaderExchangedDocument');
  const transaction = first(root, 'SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction');
  if (!document || !transaction) return null;
  const agreement = first(transaction, 'ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement');
  const delivery = first(transaction, 'ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery');
  const settlement = first(transaction, 'ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement');
  const totals = first(
    settlement,
    'SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation',
  );
  const seller = first(agreement, 'SellerTradeParty');
  const buyer = first(agreement, 'BuyerTradeParty');
  const crossesBorder = countryOf(seller)?.text !== countryOf(buyer)?.text;
  const currency =
    textOf(first(settlement, 'InvoiceCurrencyCode')) ?? attributeText(first(totals, 'GrandTotalAmount'), 'currencyID');
  const account = all(settlement, 'SpecifiedTradeSettlementPaymentMeans');
  const terms = all(settlement, 'SpecifiedTradePaymentTerms');
  const period = first(settlement, 'BillingSpecifiedPeriod');
  const delivered = dateIn(first(delivery, 'ActualDeliverySupplyChainEvent', 'OccurrenceDateTime'));
  const charges = all(settlement, 'SpecifiedTradeAllowanceCharge').filter(isCharge).filter(isFreight);

  const fields = presentValues({
    invoice_number: textOf(first(document, 'ID')),
    invoice_date: dateIn(first(document, 'IssueDateTime')),
    due_date: firstPresent(terms.map((term) => dateIn(first(term, 'DueDateDateTime')))),
    purchase_order: textOf(first(agreement, 'BuyerOrderReferencedDocument', 'IssuerAssignedID|ID')),
    original_invoice_number: textOf(first(settlement, 'InvoiceReferencedDocument', 'IssuerAssignedID|ID')),
    vendor_name: textOf(first(seller, 'Name')),
    vendor_address: partyAddress(seller, crossesBorder),
    vendor_tax_id: taxIdOf(seller),
    vendor_email: emailOf(seller),
    vendor_phone: textOf(first(seller, 'DefinedTradeContact', 'TelephoneUniversalCommunication', 'CompleteNumber')),
    customer_name: textOf(first(buyer, 'Name')),
    customer_address: partyAddress(buyer, crossesBorder),
    customer_id: textOf(first(buyer, 'ID')) ?? textOf(first(buyer, 'GlobalID')),
    customer_tax_id: taxIdOf(buyer),
    shipping_address: partyAddress(first(delivery, 'ShipToTradeParty'), crossesBorder),
    subtotal: amountIn(totals, 'LineTotalAmount', currency) ?? amountIn(totals, 'TaxBasisTotalAmount', currency),
    discount_amount: amountIn(totals, 'AllowanceTotalAmount', currency),
    shipping_amount: sumOf([
      ...all(settlement, 'SpecifiedLogisticsServiceCharge').map((charge) => first(charge, 'AppliedAmount')),
      ...charges.map((charge) => first(charge, 'ActualAmount')),
    ]),
    tax_amount: amountIn(totals, 'TaxTotalAmount', currency),
    tax_rate: onlyRate(all(settlement, 'ApplicableTradeTax')),
    total_amount: amountIn(totals, 'GrandTotalAmount', currency),
    amount_due: amountIn(totals, 'DuePayableAmount', currency),
    amount_paid: amountIn(totals, 'TotalPrepaidAmount', currency),
    payment_terms: joinedText(
      terms.map((term) => first(term, 'Description')),
      ' ',
    ),
    iban: firstPresent(
      account.map((means) => compactText(first(means, 'PayeePartyCreditorFinancialAccount', 'IBANID'))),
    ),
    bic: firstPresent(
      account.map((means) => compactText(first(means, 'PayeeSpecifiedCreditorFinancialInstitution', 'BICID'))),
    ),
    bank_account_number: firstPresent(
      account.map((means) => textOf(first(means, 'PayeePartyCreditorFinancialAccount', 'ProprietaryID'))),
    ),
    payment_reference: textOf(first(settlement, 'PaymentReference')),
    service_start_date: dateIn(first(period, 'StartDateTime')) ?? delivered,
    service_end_date: dateIn(first(period, 'EndDateTime')),
    currency,
  });
  return {
    docType: creditNoteCodes.includes(first(document, 'TypeCode')?.text ?? '') ? 'credit_note' : 'invoice',
    complete,
    fields,
    lines: all(transaction, 'IncludedSupplyChainTradeLineItem')
      .map(readLine)
      .filter((line) => line !== null),
  };
}

/** @returns null for a line that only carries a note. */
function readLine(line: XmlElement): EmbeddedValues | null {
  const product = first(line, 'SpecifiedTradeProduct');
  const agreement = first(line, 'SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement');
  const delivery = first(line, 'SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery');
  const settlement = first(line, 'SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement');
  const price = first(agreement, 'NetPriceProductTradePrice|GrossPriceProductTradePrice');
  const quantity = first(delivery, 'BilledQuantity');
  const tax = first(settlement, 'ApplicableTradeTax');
  const discounts = all(settlement, 'SpecifiedTradeAllowanceCharge').filter((entry) => !isCharge(entry));
  const values = presentValues({
    description: joinedText([first(product, 'Name'), first(product, 'Description')], ' '),
    quantity: numberOf(quantity),
    unit: unitOf(quantity),
    price_unit: unitPriceOf(first(price, 'ChargeAmount'), first(price, 'BasisQuantity')),
    product_code: textOf(first(product, 'SellerAssignedID|BuyerAssignedID|GlobalID')),
    discount_amount: sumOf(discounts.map((discount) => first(discount, 'ActualAmount'))),
    tax_rate: numberOf(first(tax, 'RateApplicablePercent|ApplicablePercent')),
    tax_amount: numberOf(first(tax, 'CalculatedAmount')),
    amount: numberOf(
      first(
        settlement,
        'SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation',
        'LineTotalAmount',
      ),
    ),
    date: dateIn(first(delivery, 'ActualDeliverySupplyChainEvent', 'OccurrenceDateTime')),
  });
  return values.description || values.amount ? values : null;
}

/** Dates stand in a `DateTimeString` or `DateTime`, in drafts in the element itself. */
function dateIn(element: XmlElement | undefined): EmbeddedValue | null {
  return dateOf(first(element, 'DateTimeString|DateTime') ?? element);
}

/** The amount in the invoice's currency, where the tax total is stated in two. */
function amountIn(totals: XmlElement | undefined, name: string, currency: EmbeddedValue | null): EmbeddedValue | null {
  const amounts = all(totals, name);
  return numberOf(amounts.find((amount) => amount.attributes.get('currencyID') === currency?.value) ?? amounts[0]);
}

function attributeText(element: XmlElement | undefined, name: string): EmbeddedValue | null {
  const text = element?.attributes.get(name)?.trim();
  return text ? { value: text, text } : null;
}

function partyAddress(party: XmlElement | undefined, withCountry: boolean): EmbeddedValue | null {
  const address = first(party, 'PostalTradeAddress');
  return addressOf({
    lines: ['LineOne', 'LineTwo', 'LineThree'].map((name) => first(address, name)?.text),
    postalCode: first(address, 'PostcodeCode'),
    town: first(address, 'CityName'),
    region: first(address, 'CountrySubDivisionName'),
    country: withCountry ? countryOf(party) : undefined,
  });
}

function countryOf(party: XmlElement | undefined): XmlElement | undefined {
  return first(party, 'PostalTradeAddress', 'CountryID');
}

/** The VAT number (`VA`) before the local tax number (`FC`). */
function taxIdOf(party: XmlElement | undefined): EmbeddedValue | null {
  const ids = all(party, 'SpecifiedTaxRegistration')
    .map((registration) => first(registration, 'ID'))
    .filter((id) => id !== undefined);
  return compactText(ids.find((id) => id.attributes.get('schemeID') === 'VA' && id.text !== '') ?? ids[0]);
}

function emailOf(party: XmlElement | undefined): EmbeddedValue | null {
  const contact = textOf(first(party, 'DefinedTradeContact', 'EmailURIUniversalCommunication', 'URIID'));
  if (contact) return contact;
  const address = first(party, 'URIUniversalCommunication', 'URIID');
  return address?.attributes.get('schemeID') === 'EM' ? textOf(address) : null;
}

/** The rate of a document that has one only: several rates stand in its lines. */
function onlyRate(taxes: readonly XmlElement[]): EmbeddedValue | null {
  const rates = taxes.map((tax) => numberOf(first(tax, 'RateApplicablePercent|ApplicablePercent')));
  return rates.every((rate) => rate?.value === rates[0]?.value) ? (rates[0] ?? null) : null;
}

function isCharge(entry: XmlElement): boolean {
  const indicator = first(entry, 'ChargeIndicator');
  return (first(indicator, 'Indicator') ?? indicator)?.text === 'true';
}

function isFreight(charge: XmlElement): boolean {
  return isFreightCharge(first(charge, 'ReasonCode')?.text, first(charge, 'Reason')?.text);
}

function firstPresent(values: readonly (EmbeddedValue | null)[]): EmbeddedValue | null {
  return values.find((value) => value !== null) ?? null;
}
