import * as z from 'zod';
import { checkSize } from './bounds.ts';
import { runConfined } from './confined.ts';
import type { JsonObject, OpenApiDocument } from './document.ts';

/** One finding of a rule. */
export interface LintFinding {
  /** Name of the rule. */
  readonly code: string;
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** Path, as keys from the root of the document. */
  readonly path: readonly string[];
  /** Line of the document printed as JSON with an indent of two, from 1. */
  readonly line: number;
}

/** A Spectral ruleset that only contains declarative rules. */
export type Ruleset = JsonObject;

/** A ruleset, or its errors: a sentence for each dotted path. */
export type ParsedRuleset =
  | { readonly ok: true; readonly ruleset: Ruleset }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/** The platform's own rules terminate; custom ones may contain a pattern that never does. */
const builtInLimitMs = 30_000;
const customLimitMs = 5_000;

/**
 * Findings of Spectral for the given ruleset, which `parseRuleset` accepted, or for `spectral:oas`. It runs in its own
 * thread, one document after another, and fetches nothing: a reference out of the document is a finding.
 *
 * @throws ConfinedError if the rules exceed the time limit (5 seconds for a given ruleset, else 30) or can't be run.
 * The message says why.
 */
export async function lintDocument(
  document: OpenApiDocument,
  ruleset?: Ruleset,
  limitMs = ruleset ? customLimitMs : builtInLimitMs,
): Promise<readonly LintFinding[]> {
  const findings = await runConfined(
    { kind: 'lint', document: JSON.stringify(document, null, 2), ruleset: ruleset ? JSON.stringify(ruleset) : null },
    limitMs,
  );
  // Written by `lint` of spectral.ts as exactly this.
  return JSON.parse(findings) as readonly LintFinding[];
}

const name = String.raw`[\w$@-]+`;
const quoted = `(?:'[^'\\\\]*'|"[^"\\\\]*"|${name})`;
const literal = String.raw`(?:'[^'\\]*'|"[^"\\]*"|-?\d+(?:\.\d+)?|true|false|null)`;
const term = String.raw`!?@(?:property)?(?:\.${name})* *(?:(?:===?|!==?) *${literal})?`;
const jsonPathStep = new RegExp(
  String.raw`\.\.(?:${name}|\*|(?=\[))|\.(?:${name}|\*)|\[(?:\*|${quoted}(?:, ?${quoted})*)\]|\[\?\( *${term} *(?:(?:&&|\|\|) *${term} *)*\)\]|[~^]`,
  'y',
);

/** A JSONPath of steps and plain comparisons: no expression in it is ever run as code. */
function isPlainJsonPath(path: string): boolean {
  if (!path.startsWith('$')) return false;
  for (let index = 1; index < path.length; index = jsonPathStep.lastIndex) {
    jsonPathStep.lastIndex = index;
    if (!jsonPathStep.test(path)) return false;
  }
  return true;
}

const Given = z
  .string()
  .max(500)
  .refine(isPlainJsonPath, 'Use a JSONPath such as $.paths[*][get,put] or $..[?(@.type == "object")], without code.');

const Field = z
  .string()
  .max(200)
  .refine(
    (field) => !field.startsWith('$') || isPlainJsonPath(field),
    'Use a key, a path such as info.title, or @key.',
  );

const Pattern = z
  .string()
  .min(1)
  .max(1_000)
  .refine((pattern) => compiles(pattern), 'This is not a regular expression.');

const Names = z.array(z.string().max(200)).min(1).max(500);
const NoOptions = { functionOptions: z.null().optional() };

const step = <Function extends string, Options extends z.ZodRawShape>(name: Function, options: Options) =>
  z.strictObject({ field: Field.optional(), function: z.literal(name), ...options });

/** Spectral's functions, with their options. */
const Step = z.discriminatedUnion('function', [
  step('truthy', NoOptions),
  step('falsy', NoOptions),
  step('defined', NoOptions),
  step('undefined', NoOptions),
  step('alphabetical', { functionOptions: z.strictObject({ keyedBy: z.string().max(200) }).nullish() }),
  step('casing', {
    functionOptions: z.strictObject({
      type: z.enum(['flat', 'camel', 'pascal', 'kebab', 'cobol', 'snake', 'macro']),
      disallowDigits: z.boolean().optional(),
      separator: z.strictObject({ char: z.string().length(1), allowLeading: z.boolean().optional() }).optional(),
    }),
  }),
  step('enumeration', {
    functionOptions: z.strictObject({
      values: z
        .array(z.union([z.string().max(500), z.number(), z.boolean(), z.null()]))
        .min(1)
        .max(500),
    }),
  }),
  step('length', {
    functionOptions: z
      .strictObject({ min: z.number().optional(), max: z.number().optional() })
      .refine(({ min, max }) => min !== undefined || max !== undefined, 'Set min, max, or both.'),
  }),
  step('pattern', {
    functionOptions: z
      .strictObject({ match: Pattern.optional(), notMatch: Pattern.optional() })
      .refine(({ match, notMatch }) => match ?? notMatch, 'Set match, notMatch, or both.'),
  }),
  step('schema', {
    functionOptions: z.strictObject({
      schema: z
        .record(z.string(), z.json())
        .refine((schema) => !refersOutside(schema), 'Only use references within the schema (#/…).'),
      dialect: z.enum(['auto', 'draft4', 'draft6', 'draft7', 'draft2019-09', 'draft2020-12']).optional(),
      allErrors: z.boolean().optional(),
    }),
  }),
  step('xor', { functionOptions: z.strictObject({ properties: Names }) }),
  step('or', { functionOptions: z.strictObject({ properties: Names }) }),
  step('unreferencedReusableObject', {
    functionOptions: z.strictObject({
      reusableObjectsLocation: z
        .string()
        .max(500)
        .regex(/^#(?:\/[^/]+)+$/, 'Use a JSON pointer such as #/components/schemas.'),
    }),
  }),
]);

const Severity = z.union([z.enum(['error', 'warn', 'info', 'hint', 'off']), z.literal([0, 1, 2, 3])], {
  error: 'Use error, warn, info, hint or off.',
});

const Rule = z.strictObject({
  description: z.string().max(2_000).optional(),
  message: z.string().max(1_000).optional(),
  documentationUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  severity: Severity.optional(),
  recommended: z.boolean().optional(),
  resolved: z.boolean().optional(),
  given: z.union([Given, z.array(Given).min(1).max(50)]),
  // biome-ignore lint/suspicious/noThenProperty: the key is Spectral's.
  then: z.union([Step, z.array(Step).min(1).max(20)]),
});

/** How `spectral:oas` can be extended: all of it, its recommended rules, or no rules unless listed. */
const Extends = z.union(
  [
    z.literal('spectral:oas'),
    z.tuple([z.literal('spectral:oas')]),
    z.tuple([z.tuple([z.literal('spectral:oas'), z.enum(['all', 'recommended', 'off'])])]),
  ],
  { error: 'Only spectral:oas can be extended: rulesets are never fetched.' },
);

const RulesetForm = z.strictObject({
  description: z.string().max(2_000).optional(),
  documentationUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  extends: Extends.optional(),
  rules: z.record(z.string().min(1).max(100), z.json()).refine((rules) => Object.keys(rules).length <= 200, {
    error: 'A ruleset can have at most 200 rules.',
  }),
});

const maxRulesetBytes = 262_144;

/**
 * Parses a Spectral ruleset, JSON or YAML of at most 256 KiB: rules with Spectral's functions, extending `spectral:oas`
 * or standalone. Anything that would run code or fetch something is rejected: custom functions, other rulesets,
 * expressions in a JSONPath.
 */
export async function parseRuleset(text: string): Promise<ParsedRuleset> {
  const failed = (reason: string): ParsedRuleset => ({ ok: false, errors: { '': reason } });
  if (Buffer.byteLength(text) > maxRulesetBytes) return failed('A ruleset can have at most 256 KiB.');
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(text, { schema: 'core', maxAliasCount: 0, logLevel: 'error' });
    checkSize(value);
  } catch (error) {
    return failed(error instanceof Error ? error.message : 'This is neither JSON nor YAML.');
  }
  const form = RulesetForm.safeParse(value);
  if (!form.success) return { ok: false, errors: errorsOf(form.error, []) };
  const errors: Record<string, string> = {};
  for (const [name, rule] of Object.entries(form.data.rules)) Object.assign(errors, ruleErrors(name, rule, form.data));
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, ruleset: JSON.parse(JSON.stringify(form.data)) as Ruleset };
}

function ruleErrors(
  name: string,
  rule: unknown,
  { extends: base }: z.infer<typeof RulesetForm>,
): Record<string, string> {
  if (typeof rule !== 'object' || rule === null) {
    if (base === undefined) return { [`rules.${name}`]: 'Describe the rule: given, then.' };
    const severity = z.union([Severity, z.boolean()]).safeParse(rule);
    return severity.success ? {} : { [`rules.${name}`]: 'Use error, warn, info, hint, off, true or false.' };
  }
  const parsed = Rule.safeParse(rule);
  return parsed.success ? {} : errorsOf(parsed.error, ['rules', name]);
}

function errorsOf(error: z.ZodError, above: readonly string[]): Record<string, string> {
  const errors: Record<string, string> = {};
  const add = (issues: readonly z.core.$ZodIssue[], path: readonly PropertyKey[]) => {
    for (const issue of issues) {
      const here = [...path, ...issue.path];
      // Of the possible forms of a value, the closest one determines the error.
      const nearest =
        issue.code === 'invalid_union'
          ? issue.errors.filter((form) => form.some(({ path }) => path.length > 0))[0]
          : null;
      if (nearest) add(nearest, here);
      else if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys) errors[[...here, key].join('.')] ??= 'Unknown key, or not allowed here.';
      } else errors[here.join('.')] ??= issue.message;
    }
  };
  add(error.issues, above);
  return errors;
}

function compiles(pattern: string): boolean {
  const [, body, flags] = /^\/(.+)\/([a-z]*)$/.exec(pattern) ?? [null, pattern, ''];
  try {
    return Boolean(new RegExp(body!, flags));
  } catch {
    return false;
  }
}

function refersOutside(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) =>
    key === '$ref' || key === '$dynamicRef'
      ? typeof member === 'string' && !member.startsWith('#')
      : refersOutside(member),
  );
}
