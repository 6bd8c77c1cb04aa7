import { useLocale } from '@millrace/ui/locale';
import { decimalOf, type Money } from './money.ts';

/** Amounts of money as whoever looks reads them. */
export function useAmounts(): (money: Money, options?: Intl.NumberFormatOptions) => string {
  const { language } = useLocale();
  return (money, options = {}) => {
    // As text, since not every amount of minor units keeps its digits as a binary fraction.
    const decimal = decimalOf(money) as Intl.StringNumericLiteral;
    return new Intl.NumberFormat(language, { ...options, style: 'currency', currency: money.currency }).format(decimal);
  };
}
