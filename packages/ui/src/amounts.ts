import { useLocale } from './locale.tsx';
import { decimalOf, type Money } from './money.ts';

/** Formats amounts of money in the user's language. */
export function useAmounts(): (money: Money, options?: Intl.NumberFormatOptions) => string {
  const { language } = useLocale();
  return (money, options = {}) => {
    // As text: a binary fraction would lose digits of some amounts.
    const decimal = decimalOf(money) as Intl.StringNumericLiteral;
    return new Intl.NumberFormat(language, { ...options, style: 'currency', currency: money.currency }).format(decimal);
  };
}
