import { de } from './de.ts';
import { en, type Texts } from './en.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];
export type { Texts };

export const textsByLanguage: Readonly<Record<Language, Texts>> = { en, de };

export function isLanguage(value: unknown): value is Language {
  return languages.includes(value as Language);
}

/**
 * The language for a request: the one that is asked for, or else the one chosen before, or else the browser's
 * (`Accept-Language`, RFC 9110, 12.5.4), or else the portal's.
 */
export function chooseLanguage(options: {
  readonly asked: unknown;
  readonly chosen: unknown;
  readonly accepted: string | undefined;
  readonly fallback: Language;
}): Language {
  const { asked, chosen, accepted, fallback } = options;
  if (isLanguage(asked)) return asked;
  if (isLanguage(chosen)) return chosen;
  let best: Language | null = null;
  let bestQuality = 0;
  for (const range of (accepted ?? '').slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const language = tag.split('-', 1).join();
    const quality = parameters
      .map((parameter) => /^q=([\d.]+)$/.exec(parameter)?.[1])
      .find((each) => each !== undefined);
    const wanted = quality === undefined ? 1 : Number(quality);
    if (isLanguage(language) && wanted > bestQuality) {
      best = language;
      bestQuality = wanted;
    }
  }
  return best ?? fallback;
}
