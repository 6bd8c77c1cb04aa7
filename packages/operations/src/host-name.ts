import * as z from 'zod';

/**
 * A host name of the public DNS in lower case: at least two labels (RFC 1123, 2.1), and no address of digits alone.
 *
 * @param message why another text is refused
 */
export function hostName(message: string) {
  return z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(/^(?=.*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/, message);
}
