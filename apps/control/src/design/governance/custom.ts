import { createHash } from 'node:crypto';
import { type LintFinding, lintDocument } from '@millrace/openapi/lint';
import { canonicalJson } from '@millrace/revision/hash';
import type { Discovery, Subject } from './built-in.ts';

type Document = Parameters<typeof lintDocument>[0];
type Ruleset = NonNullable<Parameters<typeof lintDocument>[1]>;
type Outcome = { readonly findings: readonly LintFinding[] } | { readonly failure: string; readonly at: number };

/**
 * Findings of rulesets in documents, by the hash of both: the same ruleset finds the same in the same document. Proxies
 * are evaluated again at every move, mostly unchanged.
 */
const outcomes = new Map<string, Outcome>();
const mostOutcomes = 500;
/** A failure may be the machine's fault, not the ruleset's, so it is retried after this time. */
const failureHoldsMs = 60_000;

/**
 * The findings of a custom rule in the specification of a content. A ruleset that can't be run is a finding: a rule
 * that wasn't checked can't count as followed.
 */
export async function checkRuleset(
  { content, specificationId }: Pick<Subject, 'content' | 'specificationId'>,
  { name, ruleset }: { readonly name: string; readonly ruleset: object },
): Promise<readonly Discovery[]> {
  if (content.specification === null) return [];
  const fix = { kind: 'specification', id: specificationId } as const;
  const outcome = await lint(content.specification, ruleset as Ruleset);
  if ('failure' in outcome) {
    return [
      {
        location: 'specification',
        message: `The rule couldn’t be evaluated: ${outcome.failure}`,
        remedy: 'Simplify the ruleset, or shorten the specification.',
        fix,
      },
    ];
  }
  return outcome.findings.map(({ code, message, path }) => ({
    location: `${locationOf(path)} (${code})`,
    message: message.slice(0, 1_000).toWellFormed(),
    remedy: `Change the specification so that it follows “${name}”.`,
    fix,
  }));
}

async function lint(document: Document, ruleset: Ruleset): Promise<Outcome> {
  const key = createHash('sha256')
    .update(canonicalJson([document, ruleset]))
    .digest('base64');
  const known = outcomes.get(key);
  const stale = known !== undefined && 'failure' in known && Date.now() - known.at > failureHoldsMs;
  const outcome = known === undefined || stale ? await run(document, ruleset) : known;
  outcomes.delete(key);
  outcomes.set(key, outcome);
  if (outcomes.size > mostOutcomes) outcomes.delete(outcomes.keys().next().value!);
  return outcome;
}

async function run(document: Document, ruleset: Ruleset): Promise<Outcome> {
  try {
    return { findings: await lintDocument(document, ruleset) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : 'The linter failed.', at: Date.now() };
  }
}

/** `operation GET /{orderId} / responses / 200` for a place in an operation, otherwise the keys. */
function locationOf(path: readonly string[]): string {
  const [first, route, method, ...rest] = path;
  const isOperation = first === 'paths' && route !== undefined && method !== undefined && /^[a-z]+$/.test(method);
  const parts = isOperation ? [`operation ${method.toUpperCase()} ${route}`, ...rest] : ['specification', ...path];
  return parts.join(' / ');
}
