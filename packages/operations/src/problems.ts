import type * as z from 'zod';

interface Problem {
  readonly path: readonly PropertyKey[];
  /** A sentence that says what to do. */
  readonly message: string;
}

/**
 * Every issue by the field it is about: an unknown key under its own path, a union's under the option that was probably
 * meant.
 *
 * @param name what an unknown key is called, such as `field`
 */
export function* problemsOf(
  issues: readonly z.core.$ZodIssue[],
  name: string,
  above: readonly PropertyKey[] = [],
): Generator<Problem> {
  for (const issue of issues) {
    const path = [...above, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) yield { path: [...path, key], message: `Unknown ${name}.` };
    } else if (issue.code === 'invalid_key') {
      yield { path, message: issue.issues[0]?.message ?? issue.message };
    } else {
      const meant = issue.code === 'invalid_union' ? meantOption(issue.errors) : null;
      if (meant) yield* problemsOf(meant, name, path);
      else yield { path, message: sentenceOf(issue) };
    }
  }
}

/** The message for an issue: the schema's own or, if it has none, ours instead of the library's. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (!/^(?:Too small|Too big|Invalid input|Invalid option|Invalid ISO)\b/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'Can’t be empty.'
        : `Must ${issue.origin === 'array' || issue.origin === 'string' ? 'have' : 'be'} at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}.`;
    case 'too_big':
      return `Must ${issue.origin === 'array' || issue.origin === 'string' ? 'have' : 'be'} at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}.`;
    case 'invalid_value':
      return `Must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}.`;
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'Required.' : `Must be ${nounOf(issue.expected)}.`;
    case 'invalid_format':
      return issue.format === 'date'
        ? 'Must be a date such as 2026-01-15.'
        : 'Must be a time with a time zone, such as 2026-01-15T09:00:00Z.';
    default:
      return issue.message;
  }
}

/** The unit of a count, singular or plural. */
function unitOf(origin: string, count: number | bigint): string {
  if (origin === 'string') return count === 1 ? ' character' : ' characters';
  if (origin === 'array') return count === 1 ? ' entry' : ' entries';
  return '';
}

/** The kind of value that is expected, in words. */
function nounOf(expected: string): string {
  const nouns: Readonly<Record<string, string>> = {
    string: 'text',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    record: 'an object',
  };
  return nouns[expected] ?? `a ${expected}`;
}

/** The option of a union that a value is closest to: of its own kind, with the fewest invalid fields. */
function meantOption(options: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | null {
  const ofKind = options.filter((issues) => issues.every(isInside));
  return ofKind.toSorted((first, second) => first.length - second.length)[0] ?? null;
}

/** Whether an issue is about a part of the value. */
function isInside(issue: z.core.$ZodIssue): boolean {
  return issue.path.length > 0 || issue.code === 'unrecognized_keys';
}
