import { parseRuleset } from '@millrace/openapi/lint';
import type * as z from 'zod';
import type { JsonObject } from '../../database/schema.ts';
import { ApiError, fieldError } from '../../frame/errors.ts';
import { builtInStandards } from './built-in.ts';
import type { GovernanceStandardWithRuleset, GovernanceWaiver } from './contract.ts';

export type Standard = z.infer<typeof GovernanceStandardWithRuleset>;

/** What a finding costs of the 100 points, once for each rule: the worst of its findings that are not waived. */
export const penalties = { blocking: 30, error: 20, warning: 8, information: 2 } as const;

const dayMs = 86_400_000;
const longestWaiverDays = 366;

/** A built-in rule as it holds where the organization has changed nothing about it. */
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

/** A code in a built-in family would be taken for a rule of the platform. */
export function refuseCode(code: string): void {
  const families = new Set(builtInStandards.map((standard) => standard.code.split('-')[0]));
  const [family] = code.split('-');
  if (families.has(family)) {
    throw fieldError('code', `${family} is a family of built-in rules: use another one, such as CUS.`);
  }
}

/** The ruleset of a text; what is wrong with it stands at `ruleset#` and the place in it. */
export async function readRuleset(text: string): Promise<JsonObject> {
  const parsed = await parseRuleset(text);
  if (parsed.ok) return parsed.ruleset;
  const entries = Object.entries(parsed.errors).map(([path, message]) => [
    path === '' ? 'ruleset' : `ruleset#${path}`,
    message,
  ]);
  throw new ApiError('invalid_request', {
    message: 'Correct the ruleset as errors says.',
    errors: Object.fromEntries(entries),
  });
}

/** Refuses to change of a built-in rule what the platform says. */
export function refuseBuiltInChange(standard: Standard, body: Readonly<Record<string, unknown>>): void {
  if (standard.kind === 'custom') return;
  for (const field of ['name', 'description', 'ruleset']) {
    if (body[field] !== undefined) {
      throw fieldError(field, 'This is a built-in rule: only severity, blocking and enabled can be changed.');
    }
  }
}

export function refuseBuiltInDelete({ kind }: Standard): void {
  if (kind === 'built_in') {
    throw new ApiError('conflict', { message: 'This is a built-in rule: it can be disabled, not deleted.' });
  }
}

export function refuseWaiverEnd(endsAt: Date, now: Date): void {
  if (endsAt <= now) throw fieldError('endsAt', 'Give a time in the future.');
  if (endsAt.getTime() - now.getTime() > longestWaiverDays * dayMs) {
    throw fieldError('endsAt', `A waiver lasts at most ${longestWaiverDays} days: it can be given again.`);
  }
}

export function refuseEndedWaiver({ state }: Pick<z.infer<typeof GovernanceWaiver>, 'state'>): void {
  if (state !== 'active') {
    throw new ApiError('conflict', { message: `The waiver is ${state}: only an active one can be ended.` });
  }
}
