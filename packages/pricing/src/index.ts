export {
  CreditExpiry,
  type CreditLot,
  consumeOldestFirst,
  creditExpiresAt,
  expiryNoticeAt,
} from './credit-expiry.ts';
export {
  type CreditableLine,
  type CreditableTax,
  type CreditedLine,
  type CreditParts,
  type CreditRequest,
  CreditTooLarge,
  creditParts,
} from './credits.ts';
export {
  CurrencyCode,
  currencyCodes,
  formatMinor,
  type MinorUnit,
  minorUnitOf,
  toMajor,
  toMinor,
} from './currencies.ts';
export { Price, PricingError, Quantity } from './decimal.ts';
export {
  beginningOfDay,
  type Calendar,
  civilDayOf,
  civilDays,
  instantFloorToQuarterHour,
  nextPeriod,
  type Period,
  type PeriodUnit,
  periodContaining,
} from './periods.ts';
export {
  type FeeToPrice,
  type LateUsageToPrice,
  Priced,
  PricedLine,
  priceLateUsage,
  priceRecurringFee,
  priceUsage,
  type UsageToPrice,
} from './price.ts';
export { type ProratedSpan, Proration, Share, shareOf, trialEndOf } from './proration.ts';
export { splitByLargestRemainder } from './split.ts';
export { TaxCategory, type TaxedAmount, TaxRate, type TaxTotal, taxTotals } from './taxes.ts';
export {
  absentOfType,
  Charge,
  checkTerms,
  Meter,
  modelsOfType,
  PlanTerms,
  PlanType,
  planTermsFields,
  planTermsShape,
  type TermsProblem,
} from './terms.ts';
