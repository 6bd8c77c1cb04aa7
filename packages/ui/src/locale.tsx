import { createContext, useContext } from 'react';

/** How the reader sees numbers and times; undefined parts follow the browser. */
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

/** The reader's time zone, for a note beside times, such as `Europe/Vienna`. */
export function useZoneName(): string {
  const { timeZone } = useLocale();
  return (timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone).replaceAll('_', ' ');
}
