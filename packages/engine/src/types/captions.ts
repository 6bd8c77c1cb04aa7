/**
 * The languages of captions, in the order in which their captions count: earlier ones a little more. `later` has
 * captions of any language that were found since; languages behind it came later still. Danish has the Norwegian ones.
 */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'later', 'sv', 'pl', 'da'] as const;

type CaptionsByName = Readonly<Record<string, readonly string[]>>;

/** The captions of fields and columns, by their names, from those by language. */
export function captionsIn(
  byLanguage: Readonly<Partial<Record<(typeof languages)[number], CaptionsByName>>>,
): (name: string) => readonly string[] {
  return (name) => languages.flatMap((language) => byLanguage[language]?.[name] ?? []);
}
