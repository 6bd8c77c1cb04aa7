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

/**
 * Maps an OASIS UBL 2.1 `Invoice` or `CreditNote`, as EN 16931, Peppol BIS Billing 3 and XRechnung use them.
 *
 * @returns null for an element that is neither.
 */
export function readUniversalBusinessLanguage(root: XmlElement, complete: boolean): EmbeddedInvoice | null {
  if (root.name !== 'Invoice' && root.name !== 'CreditNote') return null;
  const totals = first(root, 'LegalMonetaryTotal');
  const supplier = first(root, 'AccountingSupplierParty', 'Party');
  const customer = first(root, 'AccountingCustomerParty', 'Party');
  if (!totals && !supplier) return null;
  const currency = textOf(first(root, 'DocumentCurrencyCode'));
  const crossesBorder =
    countryOf(first(supplier, 'PostalAddress'))?.text !== countryOf(first(customer, 'PostalAddress'))?.text;
  const delivery = first(root, 'Delivery');
  const means = all(root, 'PaymentMeans');
  const accounts = means.map((entry) => first(entry, 'PayeeFinancialAccount'));
  const accountNumbers = accounts.map((account) => first(account, 'ID')).filter((id) => id !== undefined);
  const charges = all(root, 'AllowanceCharge').filter(isCharge).filter(isFreight);
  const taxTotals = all(root, 'TaxTotal');
  const taxAmounts = taxTotals.map((total) => first(total, 'TaxAmount')).filter((amount) => amount !== undefined);
  const rates = taxTotals
    .flatMap((total) => all(total, 'TaxSubtotal'))
    .map((subtotal) => numberOf(first(subtotal, 'TaxCategory', 'Percent')));
  const period = first(root, 'InvoicePeriod');

  const fields = presentValues({
    invoice_number: textOf(first(root, 'ID')),
    invoice_date: dateOf(first(root, 'IssueDate')),
    due_date: dateOf(first(root, 'DueDate') ?? means.map((entry) => first(entry, 'PaymentDueDate')).find(Boolean)),
    purchase_order: textOf(first(root, 'OrderReference', 'ID')),
    original_invoice_number: textOf(first(root, 'BillingReference', 'InvoiceDocumentReference', 'ID')),
    vendor_name: partyName(supplier),
    vendor_address: postalAddress(first(supplier, 'PostalAddress'), crossesBorder),
    vendor_tax_id: taxIdOf(supplier),
    vendor_email: textOf(first(supplier, 'Contact', 'ElectronicMail')) ?? emailEndpoint(supplier),
    vendor_phone: textOf(first(supplier, 'Contact', 'Telephone')),
    vendor_website: textOf(first(supplier, 'WebsiteURI')),
    customer_name: partyName(customer),
    customer_address: postalAddress(first(customer, 'PostalAddress'), crossesBorder),
    customer_id:
      textOf(first(root, 'AccountingCustomerParty', 'SupplierAssignedAccountID')) ??
      textOf(first(customer, 'PartyIdentification', 'ID')),
    customer_tax_id: taxIdOf(customer),
    shipping_address: postalAddress(first(delivery, 'DeliveryLocation', 'Address'), crossesBorder),
    subtotal: numberOf(first(totals, 'LineExtensionAmount') ?? first(totals, 'TaxExclusiveAmount')),
    discount_amount: numberOf(first(totals, 'AllowanceTotalAmount')),
    shipping_amount: sumOf(charges.map((charge) => first(charge, 'Amount'))),
    tax_amount: numberOf(
      taxAmounts.find((amount) => amount.attributes.get('currencyID') === currency?.value) ?? taxAmounts[0],
    ),
    tax_rate: rates.every((rate) => rate?.value === rates[0]?.value) ? (rates[0] ?? null) : null,
    total_amount: numberOf(first(totals, 'TaxInclusiveAmount') ?? first(totals, 'PayableAmount')),
    amount_due: numberOf(first(totals, 'PayableAmount')),
    amount_paid: numberOf(first(totals, 'PrepaidAmount')),
    payment_terms: joinedText(
      all(root, 'PaymentTerms').flatMap((terms) => all(terms, 'Note')),
      ' ',
    ),
    iban: compactText(accountNumbers.find(isIban)),
    bic: compactText(
      accounts.map((account) => first(account, 'FinancialInstitutionBranch', 'ID')).find((id) => id && isBic(id)),
    ),
    bank_account_number: textOf(accountNumbers.find((id) => !isIban(id))),
    payment_reference: textOf(means.map((entry) => first(entry, 'PaymentID')).find(Boolean)),
    service_start_date: dateOf(first(period, 'StartDate') ?? first(delivery, 'ActualDeliveryDate')),
    service_end_date: dateOf(first(period, 'EndDate')),
    currency,
  });
  return {
    docType: root.name === 'CreditNote' || first(root, 'InvoiceTypeCode')?.text === '381' ? 'credit_note' : 'invoice',
    complete,
    fields,
    lines: all(root, 'InvoiceLine|CreditNoteLine')
      .map(readLine)
      .filter((line) => line !== null),
  };
}

function readLine(line: XmlElement): EmbeddedValues | null {
  const item = first(line, 'Item');
  const quantity = first(line, 'InvoicedQuantity|CreditedQuantity');
  const discounts = all(line, 'AllowanceCharge').filter((entry) => !isCharge(entry));
  const descriptions = all(item, 'Description');
  const values = presentValues({
    description: joinedText([first(item, 'Name'), ...descriptions], ' '),
    quantity: numberOf(quantity),
    unit: unitOf(quantity),
    price_unit: unitPriceOf(first(line, 'Price', 'PriceAmount'), first(line, 'Price', 'BaseQuantity')),
    product_code: textOf(
      first(item, 'SellersItemIdentification|BuyersItemIdentification|StandardItemIdentification', 'ID'),
    ),
    discount_amount: sumOf(discounts.map((discount) => first(discount, 'Amount'))),
    tax_rate: numberOf(first(item, 'ClassifiedTaxCategory', 'Percent')),
    tax_amount: numberOf(first(line, 'TaxTotal', 'TaxAmount')),
    amount: numberOf(first(line, 'LineExtensionAmount')),
    date: dateOf(first(line, 'Delivery', 'ActualDeliveryDate')),
  });
  return values.description || values.amount ? values : null;
}

/** The registered name (BT-27, BT-44) before the trading name. */
function partyName(party: XmlElement | undefined): EmbeddedValue | null {
  return textOf(first(party, 'PartyLegalEntity', 'RegistrationName')) ?? textOf(first(party, 'PartyName', 'Name'));
}

function postalAddress(address: XmlElement | undefined, withCountry: boolean): EmbeddedValue | null {
  const street = [first(address, 'StreetName')?.text, first(address, 'BuildingNumber')?.text].filter(Boolean).join(' ');
  return addressOf({
    lines: [
      street,
      first(address, 'AdditionalStreetName')?.text,
      ...all(address, 'AddressLine').map((line) => first(line, 'Line')?.text),
    ],
    postalCode: first(address, 'PostalZone'),
    town: first(address, 'CityName'),
    region: first(address, 'CountrySubentity'),
    country: withCountry ? countryOf(address) : undefined,
  });
}

function countryOf(address: XmlElement | undefined): XmlElement | undefined {
  return first(address, 'Country', 'IdentificationCode');
}

/** The VAT number before another registration. */
function taxIdOf(party: XmlElement | undefined): EmbeddedValue | null {
  const schemes = all(party, 'PartyTaxScheme');
  const scheme = schemes.find((entry) => first(entry, 'TaxScheme', 'ID')?.text === 'VAT') ?? schemes[0];
  return compactText(first(scheme, 'CompanyID'));
}

function emailEndpoint(party: XmlElement | undefined): EmbeddedValue | null {
  const endpoint = first(party, 'EndpointID');
  return endpoint?.attributes.get('schemeID') === 'EM' ? textOf(endpoint) : null;
}

function isCharge(entry: XmlElement): boolean {
  return first(entry, 'ChargeIndicator')?.text === 'true';
}

function isFreight(charge: XmlElement): boolean {
  return isFreightCharge(
    first(charge, 'AllowanceChargeReasonCode')?.text,
    first(charge, 'AllowanceChargeReason')?.text,
  );
}

function isIban(id: XmlElement): boolean {
  return /^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/i.test(id.text.replace(/\s/g, ''));
}

function isBic(id: XmlElement): boolean {
  return /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/i.test(id.text.replace(/\s/g, ''));
}
