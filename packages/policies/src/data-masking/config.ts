import * as z from 'zod';
import { FailOpen } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

/** Member names, list items and wildcards, and `..` for any depth: the part of RFC 9535 that needs no search back. */
const JsonPath = z
  .string()
  .max(300)
  .regex(
    /^\$(?:\.{1,2}[A-Za-z_][A-Za-z0-9_-]*|\.\*|\[(?:\*|[0-9]{1,6}|'[^'\\]{1,100}')\])+$/,
    "Use a path such as $.customer.email, $.items[*].card, $..iban or $['first name'].",
  )
  .refine((path) => path.split('..').length <= 3, 'Use ".." at most twice.');

const configuration = z.strictObject({
  rules: z
    .array(
      z
        .strictObject({
          jsonPath: JsonPath.optional().describe('Location of the values in a JSON body.'),
          detector: z
            .enum(['card', 'iban', 'email', 'phone', 'national_id'])
            .optional()
            .describe('Kind of value to find in every text and member name, by its format and check digits.'),
          replacement: z
            .enum(['redact', 'partial', 'hash'])
            .default('redact')
            .describe(
              'redact: removes the value. partial: keeps its last four characters. hash: replaces it with a keyed digest, equal for equal values.',
            ),
        })
        .refine(({ jsonPath, detector }) => (jsonPath === undefined) !== (detector === undefined), {
          path: ['jsonPath'],
          error: 'Give either a JSON path or a detector.',
        }),
    )
    .min(1)
    .max(100)
    .describe('What to mask, and how.'),
  maxBodyBytes: z
    .int()
    .min(1)
    .max(67_108_864)
    .default(5_242_880)
    .describe('Largest response that is masked, in bytes. A larger one can’t be evaluated.'),
  failOpen: FailOpen.describe(
    'Pass responses that can’t be masked because of their size or format. Otherwise the caller gets 503.',
  ),
});
type Configuration = z.output<typeof configuration>;

/** What responses must not show. */
export const dataMasking = {
  kind: 'data-masking',
  title: 'Data Masking',
  description:
    'Hides values in responses: at given locations of a JSON body, and wherever a detector finds them. Can’t mask gRPC, and rejects its calls unless it fails open.',
  flows: ['response'],
  rank: { response: 10 },
  maxPerFlow: null,
  configuration,
  defaultConfiguration: {
    rules: [{ detector: 'card', replacement: 'redact' }],
    maxBodyBytes: 5_242_880,
    failOpen: false,
  },
  example: {
    rules: [
      { jsonPath: '$.customer.email', replacement: 'partial' },
      { detector: 'iban', replacement: 'hash' },
      { detector: 'card', replacement: 'redact' },
    ],
    maxBodyBytes: 5_242_880,
    failOpen: false,
  },
  secretFields: [],
  impact: {
    added: { breaking: true, reason: 'Callers no longer see masked values.' },
    removed: { breaking: false, reason: 'Callers see values that were masked.' },
    changed(before: Configuration, after: Configuration) {
      const hidden = after.rules.some(
        (rule) =>
          !before.rules.some(
            (known) =>
              known.jsonPath === rule.jsonPath &&
              known.detector === rule.detector &&
              known.replacement === rule.replacement,
          ),
      );
      if (hidden) return 'More values are masked, or in another way.';
      return after.maxBodyBytes < before.maxBodyBytes && !after.failOpen
        ? 'Responses that passed are now too large.'
        : null;
    },
  },
} as const satisfies PolicyKind;
