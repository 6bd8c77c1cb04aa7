import * as z from 'zod';

/** Anything beyond white space and what is not shown, such as U+200B; of Braille, its blank is not shown either. */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;
/** Embeddings, overrides and isolates (UAX #9), which reach beyond the name; the marks of written Arabic and Hebrew do not. */
const directional = /[\u202a-\u202e\u2066-\u2069]/;

/** What people call something, or somebody. It can be seen, and leaves what stands beside it as it is. */
export function displayName(maxLength = 100) {
  return z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine((name) => !/\p{Cc}/u.test(name), 'Leave control characters out.')
    .refine(
      (name) => !directional.test(name),
      'Leave out characters that change the direction of text, such as U+202E.',
    )
    .refine((name) => name === '' || visible.test(name), 'Give a name that can be seen.');
}
