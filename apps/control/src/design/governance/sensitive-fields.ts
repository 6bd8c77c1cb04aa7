import {
  type Json,
  type JsonObject,
  listAt,
  type OpenApiDocument,
  objectAt,
  resolved,
} from '@millrace/openapi/document';
import { parseConfiguration } from '@millrace/policies';
import type { RevisionPolicy } from '@millrace/revision/content';

/** A field of an answer that the specification marks `x-sensitive`. */
export interface SensitiveField {
  /** Names from the root of the body; `*` for each item of a list or each value of a map. */
  readonly path: readonly string[];
  /** The detector that finds such values, where the mark names it (`x-sensitive: iban`); null: the mark is `true`. */
  readonly detector: string | null;
}

const deepest = 20;
const mostSteps = 5_000;

/** Sensitive fields of an operation's successful JSON answers. */
export function sensitiveFields(document: OpenApiDocument, operation: JsonObject): readonly SensitiveField[] {
  const fields = new Map<string, SensitiveField>();
  const budget = { steps: mostSteps };
  for (const [status, response] of Object.entries(objectAt(operation.responses))) {
    if (!/^(?:2|default)/.test(status)) continue;
    for (const [mediaType, media] of Object.entries(objectAt(resolved(document, response).content))) {
      if (/[/+]json\b/.test(mediaType)) collect(document, objectAt(media).schema, [], new Set(), fields, budget);
    }
  }
  return [...fields.values()];
}

function collect(
  document: OpenApiDocument,
  given: Json | undefined,
  path: readonly string[],
  above: ReadonlySet<JsonObject>,
  into: Map<string, SensitiveField>,
  budget: { steps: number },
): void {
  budget.steps -= 1;
  const schema = resolved(document, given);
  if (budget.steps < 0 || path.length > deepest || above.has(schema)) return;
  // A mark may stand beside a reference, as OpenAPI 3.1 allows.
  const mark = objectAt(given)['x-sensitive'] ?? schema['x-sensitive'];
  if (mark === true || typeof mark === 'string') {
    into.set(path.join('\n'), { path, detector: mark === true ? null : mark });
    return;
  }
  const within = new Set([...above, schema]);
  const go = (child: Json | undefined, childPath: readonly string[]) =>
    child === undefined ? null : collect(document, child, childPath, within, into, budget);
  for (const [name, property] of Object.entries(objectAt(schema.properties))) go(property, [...path, name]);
  for (const item of [schema.items, schema.additionalProperties, ...listAt(schema.prefixItems)])
    go(item, [...path, '*']);
  for (const part of [schema.allOf, schema.anyOf, schema.oneOf].flatMap(listAt)) go(part, path);
}

/** Whether a Data Masking policy hides the field: by a rule for its place, or by the detector that it is marked with. */
export function isMasked(field: SensitiveField, policy: RevisionPolicy): boolean {
  const parsed = parseConfiguration('data-masking', policy.configuration);
  if (!parsed.ok) return false;
  return parsed.value.rules.some(({ jsonPath, detector }) =>
    jsonPath === undefined ? detector === field.detector : leadsTo(stepsOf(jsonPath), field.path),
  );
}

interface Step {
  readonly anywhere: boolean;
  readonly name: string;
}

/** The steps of a policy's JSON path: `$..iban`, `$.items[*].card`, `$['first name']`. */
function stepsOf(jsonPath: string): readonly Step[] {
  const steps = jsonPath.matchAll(/(\.\.?)([A-Za-z_][A-Za-z0-9_-]*|\*)|\[(\*|[0-9]+|'[^']*')\]/g);
  return [...steps].map(([, dots, name, bracket]) => ({
    anywhere: dots === '..',
    name: name ?? bracket!.replace(/^'(.*)'$/, '$1'),
  }));
}

function leadsTo([step, ...steps]: readonly Step[], path: readonly string[]): boolean {
  if (step === undefined) return path.length === 0;
  if (step.anywhere) return path.some((name, index) => name === step.name && leadsTo(steps, path.slice(index + 1)));
  return path.length > 0 && (step.name === '*' || step.name === path[0]) && leadsTo(steps, path.slice(1));
}
