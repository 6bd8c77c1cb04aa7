import Big from 'big.js';
import * as z from 'zod';
import { PricingError } from './decimal.ts';

/**
 * Currencies of ISO 4217 by the decimals of their minor unit. Left out: metals, funds and codes for testing, and the
 * two units of account with 4 decimals (CLF, UYW).
 */
const codesByDecimals = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE
    CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR
    KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB
    PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY
    TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
} as const;

/** Digits of a currency's minor unit: 0 for yen, 2 for euros, 3 for dinars. */
export type MinorUnit = 0 | 2 | 3;

const minorUnits: ReadonlyMap<string, MinorUnit> = new Map(
  ([0, 2, 3] as const).flatMap((decimals) => codesByDecimals[decimals].split(/\s+/).map((code) => [code, decimals])),
);

/** Every currency that a plan can be in, in the order of the alphabet. */
export const currencyCodes: readonly string[] = [...minorUnits.keys()].sort();

export const CurrencyCode = z
  .enum(currencyCodes, 'Enter a currency code of ISO 4217, such as EUR.')
  .describe('Currency, as in ISO 4217.');

/** @throws PricingError for a currency that is not in {@link currencyCodes} */
export function minorUnitOf(currency: string): MinorUnit {
  const minorUnit = minorUnits.get(currency);
  if (minorUnit === undefined) throw new PricingError(`${currency} is not a currency of ISO 4217.`);
  return minorUnit;
}

/**
 * Rounds a decimal in major units to whole minor units, the half away from zero.
 *
 * @throws PricingError where the amount is beyond ±9,007,199,254,740,991 minor units, which a number holds exactly
 */
export function toMinor(amount: string | Big, currency: string): number {
  const rounded = new Big(amount).times(new Big(10).pow(minorUnitOf(currency))).round(0, Big.roundHalfUp);
  return exactAmount(Number(rounded.toFixed()));
}

/** @throws PricingError where an amount in minor units is too large to be exact */
export function exactAmount(amountMinor: number): number {
  if (!Number.isSafeInteger(amountMinor)) {
    throw new PricingError('The amount is too large to be calculated exactly. Use lower prices or quantities.');
  }
  // Without a negative zero, which is not equal to zero everywhere.
  return amountMinor === 0 ? 0 : amountMinor;
}

/** An amount in major units, with all decimals of its currency: 1 in EUR is `0.01`. */
export function toMajor(amountMinor: number, currency: string): string {
  const minorUnit = minorUnitOf(currency);
  return new Big(exactAmount(amountMinor)).times(new Big(10).pow(-minorUnit)).toFixed(minorUnit);
}

const formats = new Map<string, Intl.NumberFormat>();

/**
 * An amount for people, such as €3.69 or 3,69 €.
 *
 * @param language tag of the language whose notation is used, such as `en` or `de`
 */
export function formatMinor(amountMinor: number, currency: string, language: string): string {
  const key = `${language} ${currency}`;
  let format = formats.get(key);
  if (format === undefined) {
    const digits = minorUnitOf(currency);
    const options = {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    } as const;
    format = new Intl.NumberFormat(language, options);
    formats.set(key, format);
  }
  return format.format(toMajor(amountMinor, currency) as Intl.StringNumericLiteral);
}
