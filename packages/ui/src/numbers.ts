import { useLocale } from './locale.tsx';

/** Numbers in the reader's language. */
export function useNumbers() {
  const { language } = useLocale();
  const format = (value: number, options: Intl.NumberFormatOptions = {}) =>
    new Intl.NumberFormat(language, options).format(value);
  return {
    count: (value: number) => format(value),
    /** In short, such as `1.5K`. */
    compact: (value: number) => format(value, { notation: 'compact', maximumFractionDigits: 1 }),
    /** @param digits after the decimal point, at most */
    decimal: (value: number, digits: number) => format(value, { maximumFractionDigits: digits }),
    /** @param share between 0 and 1 */
    percent: (share: number, digits = 1) => format(share, { style: 'percent', maximumFractionDigits: digits }),
    /** In powers of 1,024, as the limits are set. */
    bytes: (value: number) => {
      const power = value < 1_024 ? 0 : Math.min(4, Math.floor(Math.log2(value) / 10));
      return `${format(value / 1_024 ** power, { maximumFractionDigits: power === 0 ? 0 : 1 })} ${byteUnits[power]}`;
    },
  };
}

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
