import { decimalOf, type Money } from './money.ts';
import { useSession } from './session.tsx';

/** Numbers as whoever is signed in reads them. */
export function useNumbers() {
  const { user } = useSession();
  const locale = user?.locale;
  const format = (value: number, options: Intl.NumberFormatOptions = {}) =>
    new Intl.NumberFormat(locale, options).format(value);
  return {
    count: (value: number) => format(value),
    /** @param digits after the decimal point, at most */
    decimal: (value: number, digits: number) => format(value, { maximumFractionDigits: digits }),
    /** @param share between 0 and 1 */
    percent: (share: number, digits = 1) => format(share, { style: 'percent', maximumFractionDigits: digits }),
    bytes: (value: number) => {
      const power = value < 1_000 ? 0 : Math.min(4, Math.floor(Math.log10(value) / 3));
      return `${format(value / 1_000 ** power, { maximumFractionDigits: power === 0 ? 0 : 1 })} ${byteUnits[power]}`;
    },
    money: ({ amountMinor, currency }: Money, options: Intl.NumberFormatOptions = {}) => {
      // As text, since not every amount of minor units keeps its digits as a binary fraction.
      const decimal = decimalOf({ amountMinor, currency }) as Intl.StringNumericLiteral;
      return new Intl.NumberFormat(locale, { ...options, style: 'currency', currency }).format(decimal);
    },
  };
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
