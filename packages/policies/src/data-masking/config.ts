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
          jsonPath: JsonPath.optional().describe('Place of the values in a JSON body.'),
          detector: z
            .enum(['card', 'iban', 'email', 'phone', 'national_id'])
            .optional()
            .describe('Kind of value that is looked for in every text and member name, by form and check digits.'),
          replacement: z
            .enum(['redact', 'partial', 'hash'])
            .default('redact')
            .describe(
              'redact: nothing is left. partial: the last four characters are left. hash: a keyed digest, equal for equal values.',
            ),
        })
        .refine(({ jsonPath, detector }) => (jsonPath === undefined) !== (detector === undefined), {
          path: ['jsonPath'],
          error: 'Give a JSON path or a detector, one of them.',
        }),
    )
    .min(1)
    .max(100)
    .describe('What is masked, and how.'),
  maxBodyBytes: z
    .int()
    .min(1)
    .max(67_108_864)
    .default(5_242_880)
    .describe('Largest answer that is read to be masked, in bytes. A larger one cannot be evaluated.'),
  failOpen: FailOpen.describe(
    'Let an answer pass that cannot be masked, for its size or form. Otherwise the caller gets 503.',
  ),
});
type Configuration = z.output<typeof configuration>;

/** What the answer may not show. */
export const dataMasking = {
  kind: 'data-masking',
  title: 'Data Masking',
  description: 'Hides values of the answer: at given places of a JSON body, and wherever a detector finds one.',
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
    added: { breaking: true, reason: 'Callers no longer see values that are masked.' },
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
      if (hidden) return 'Values are masked that were not, or in another way.';
      return after.maxBodyBytes < before.maxBodyBytes && !after.failOpen
        ? 'Answers that passed are too large now.'
        : null;
    },
  },
} as const satisfies PolicyKind;
