import * as z from 'zod';

/** Anything except white space and invisible characters such as U+200B; the blank Braille pattern is invisible too. */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;
/**
 * Embeddings, overrides and isolates (UAX #9), which affect text after the name; marks used in Arabic and Hebrew don't.
 */
const directional = /[\u202a-\u202e\u2066-\u2069]/;

/** A display name: it has a visible character and doesn't affect the text next to it. */
export function displayName(maxLength = 100) {
  return z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine((name) => !/\p{Cc}/u.test(name), 'Remove control characters.')
    .refine((name) => !directional.test(name), 'Remove characters that change the text direction, such as U+202E.')
    .refine((name) => name === '' || visible.test(name), 'Use at least one visible character.');
}
