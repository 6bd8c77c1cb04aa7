import spectralCore from '@stoplight/spectral-core';
import spectralFunctions from '@stoplight/spectral-functions';
import spectralParsers from '@stoplight/spectral-parsers';
import spectralReferences from '@stoplight/spectral-ref-resolver';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { isObject, type Json, listAt, objectAt, textAt } from './document.ts';
import type { LintFinding, Ruleset } from './lint.ts';

const severities = ['error', 'warning', 'information', 'hint'] as const;

/** Findings, as JSON, of the ruleset (as `parseRuleset` admits them) or of `spectral:oas`. Fetches nothing. */
export async function lint(document: string, ruleset: string | null): Promise<string> {
  const spectral = new spectralCore.Spectral({ resolver: new spectralReferences.Resolver() });
  spectral.setRuleset(definitionOf(ruleset === null ? { extends: 'spectral:oas', rules: {} } : JSON.parse(ruleset)));
  const results = await spectral.run(new spectralCore.Document(document, spectralParsers.Json));
  const findings: readonly LintFinding[] = results.map(({ code, message, severity, path, range }) => ({
    code: String(code),
    message,
    severity: severities[severity],
    path: path.map(String),
    line: range.start.line + 1,
  }));
  return JSON.stringify(findings);
}

/** The ruleset with the names of functions and rulesets resolved. */
function definitionOf({ extends: base, rules, ...rest }: Ruleset): Definition {
  // `parseRuleset` has checked the form; Spectral checks the rest when it loads the definition.
  return {
    ...rest,
    ...(base === undefined ? {} : { extends: extensionOf(base) }),
    rules: Object.fromEntries(Object.entries(objectAt(rules)).map(([name, rule]) => [name, ruleOf(rule)])),
  } as Definition;
}

type Definition = Parameters<InstanceType<typeof spectralCore.Spectral>['setRuleset']>[0];

function extensionOf(base: Json) {
  return [[spectralRulesets.oas, Array.isArray(base) ? listAt(base[0])[1] : 'recommended']];
}

function ruleOf(rule: Json) {
  if (!isObject(rule)) return rule;
  const steps = [rule.then ?? []].flat().map((step) => {
    const { function: name, ...rest } = objectAt(step);
    return { ...rest, function: functions.get(textAt(name) ?? '') };
  });
  // biome-ignore lint/suspicious/noThenProperty: the key is Spectral's.
  return { ...rule, then: steps };
}

const functions: ReadonlyMap<string, unknown> = new Map(Object.entries(spectralFunctions));
