import * as z from 'zod';

/** What no sensible field takes, in the order in which they are tried. */
const nonsense: readonly unknown[] = [
  'x'.repeat(101),
  '!',
  'é',
  { no: { such: 'thing' } },
  [[[1]]],
  -1.5,
  'x'.repeat(6_000),
  false,
];
/** As a path or a query holds it. */
const nonsenseTexts = ['!', 'é', '-1.5', 'x'.repeat(101), 'x'.repeat(199)];
const longTexts = [...nonsenseTexts, 'x'.repeat(2_000)];

/** Longer than the router takes a path parameter. */
const overlongText = 'x'.repeat(201);

/** Whether the length that the router takes is all that bounds a path parameter. */
export function isBoundedByRouter(schema: z.core.$ZodType): boolean {
  return !z.safeParse(schema, overlongText).success;
}

/**
 * A value that the field's schema refuses; null where it takes everything.
 *
 * @param place where the value is sent: a path and a query hold text alone, a path at most 200 characters
 */
export function badValueOf(
  schema: z.core.$ZodType,
  place: 'params' | 'query' | 'body',
): { readonly value: unknown } | null {
  const candidates = { params: nonsenseTexts, query: longTexts, body: nonsense }[place];
  const value = candidates.find((candidate) => !z.safeParse(schema, candidate).success);
  return value === undefined ? null : { value };
}

/** The fields of an object schema, also within a default; empty where it is none. */
export function fieldsOf(schema: z.core.$ZodType | undefined): Readonly<Record<string, z.core.$ZodType>> {
  if (schema === undefined) return {};
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return fieldsOf(schema.def.innerType);
  return schema instanceof z.ZodObject ? schema.shape : {};
}
