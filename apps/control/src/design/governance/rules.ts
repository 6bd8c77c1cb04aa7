import { parseRuleset } from '@millrace/openapi/lint';
import type * as z from 'zod';
import type { JsonObject } from '../../database/schema.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import { builtInStandards } from './built-in.ts';
import type { GovernanceStandardWithRuleset, GovernanceWaiver } from './contract.ts';

export type Standard = z.infer<typeof GovernanceStandardWithRuleset>;

/** Points deducted from 100, once per rule: for the worst of its unwaived findings. */
export const penalties = { blocking: 30, error: 20, warning: 8, information: 2 } as const;

const dayMs = 86_400_000;
const longestWaiverDays = 366;

/** A built-in rule with its defaults. */
export function builtInDefaults(since: Date): readonly Standard[] {
  return builtInStandards.map(({ code, name, description, severity, blocking }) => ({
    code,
    name,
    description,
    kind: 'built_in',
    severity,
    blocking,
    enabled: true,
    ruleset: null,
    version: 1,
    createdAt: since.toISOString(),
    updatedAt: since.toISOString(),
  }));
}

export function isBuiltIn(code: string): boolean {
  return builtInStandards.some((standard) => standard.code === code);
}

/** A code in a built-in family could be mistaken for a rule of the platform. */
export function refuseCode(code: string): void {
  const families = new Set(builtInStandards.map((standard) => standard.code.split('-')[0]));
  const [family] = code.split('-');
  if (families.has(family)) {
    throw fieldError('code', `${family} is reserved for built-in rules. Use another prefix, such as CUS.`);
  }
}

/** Parses a ruleset; errors are reported at `ruleset#` and the path in it. */
export async function readRuleset(text: string): Promise<JsonObject> {
  const parsed = await parseRuleset(text);
  if (parsed.ok) return parsed.ruleset;
  const entries = Object.entries(parsed.errors).map(([path, message]) => [
    path === '' ? 'ruleset' : `ruleset#${path}`,
    message,
  ]);
  throw new ApiError('invalid_request', {
    message: 'Correct the ruleset; see errors.',
    errors: Object.fromEntries(entries),
  });
}

/** Rejects changing platform-defined fields of a built-in rule. */
export function refuseBuiltInChange(standard: Standard, body: Readonly<Record<string, unknown>>): void {
  if (standard.kind === 'custom') return;
  for (const field of ['name', 'description', 'ruleset']) {
    if (body[field] !== undefined) {
      throw fieldError(field, 'Only severity, blocking and enabled of a built-in rule can be changed.');
    }
  }
}

export function refuseBuiltInDelete({ kind }: Standard): void {
  if (kind === 'built_in') {
    throw new ApiError('conflict', { message: 'This is a built-in rule: it can be disabled, not deleted.' });
  }
}

export function refuseWaiverEnd(endsAt: Date, now: Date): void {
  if (endsAt <= now) throw fieldError('endsAt', 'Must be in the future.');
  if (endsAt.getTime() - now.getTime() > longestWaiverDays * dayMs) {
    throw fieldError('endsAt', `A waiver can last ${longestWaiverDays} days. You can create it again afterwards.`);
  }
}

export function refuseEndedWaiver({ state }: Pick<z.infer<typeof GovernanceWaiver>, 'state'>): void {
  if (state !== 'active') {
    throw new ApiError('conflict', { message: `The waiver is ${state}. Only an active waiver can be ended.` });
  }
}
