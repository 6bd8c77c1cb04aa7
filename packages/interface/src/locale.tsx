import { createContext, useContext } from 'react';

/** How whoever looks reads numbers and moments; what is undefined is as their browser has it. */
export interface Locale {
  /** BCP 47, such as `de-AT`. */
  readonly language: string | undefined;
  /** IANA, such as `Europe/Vienna`. */
  readonly timeZone: string | undefined;
}

const LocaleContext = createContext<Locale>({ language: undefined, timeZone: undefined });

export const LocaleProvider = LocaleContext.Provider;

export function useLocale(): Locale {
  return useContext(LocaleContext);
}
