import { useLocale } from './locale.tsx';
import { texts } from './texts.ts';

/** Names of countries in the reader's language, by ISO 3166-1 alpha-2; `ZZ` is an unknown one. */
export function useCountryNames(): (code: string) => string {
  const { language } = useLocale();
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return (code) => {
    if (code === 'ZZ') return texts().unknownCountry;
    return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
  };
}
