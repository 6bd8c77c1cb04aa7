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

/** The zone in which whoever looks reads moments, as a text that says so beside them, such as `Europe/Vienna`. */
export function useZoneName(): string {
  const { timeZone } = useLocale();
  return (timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone).replaceAll('_', ' ');
}
