import {
  type Json,
  type JsonObject,
  listAt,
  type OpenApiDocument,
  objectAt,
  operationMethods,
  pathShape,
  pointer,
  resolved,
  textAt,
} from './document.ts';
import { compareSchemas, type SchemaDirection } from './schema-diff.ts';

/** A difference between two documents that a caller of the API may notice. */
export interface DocumentChange {
  /** JSON pointer (RFC 6901) into the document that has it: the newer one, or the older one for removals. */
  readonly path: string;
  /** Such as `GET /orders/{orderId}`; null if it is not about one operation. */
  readonly operation: string | null;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Whether it can break an existing caller. */
  readonly breaking: boolean;
  readonly text: string;
}

/** An operation including what its path item adds. */
interface Operation {
  readonly document: OpenApiDocument;
  readonly name: string;
  readonly keys: readonly string[];
  readonly value: JsonObject;
  readonly item: JsonObject;
  readonly pathNames: readonly string[];
}

type Report = (change: Omit<DocumentChange, 'path' | 'operation'> & { readonly at: readonly string[] }) => void;

/**
 * The differences between two OpenAPI 3.1 documents that matter to callers. Operations are matched by method and path,
 * whatever the names of path parameters. Breaking changes: an operation, a parameter's value, a response's status or
 * property was removed; a parameter or property of a request is now required; a type or an enumeration allows less in a
 * request or promises less in a response; security is now required. Changes of texts alone are not breaking.
 */
export function diffDocuments(
  before: OpenApiDocument | null,
  after: OpenApiDocument | null,
): readonly DocumentChange[] {
  const changes: DocumentChange[] = [];
  const old = operationsOf(before ?? {});
  const current = operationsOf(after ?? {});
  for (const [shape, operation] of old) {
    if (current.has(shape)) continue;
    const { name, keys } = operation;
    changes.push({
      path: pointer(...keys),
      operation: name,
      kind: 'removed',
      breaking: true,
      text: `${name} was removed.`,
    });
  }
  for (const [shape, operation] of current) {
    const known = old.get(shape);
    const { name, keys } = operation;
    if (known) changes.push(...compareOperations(known, operation));
    else
      changes.push({
        path: pointer(...keys),
        operation: name,
        kind: 'added',
        breaking: false,
        text: `${name} was added.`,
      });
  }
  return changes;
}

function operationsOf(document: OpenApiDocument): ReadonlyMap<string, Operation> {
  return new Map(
    Object.entries(objectAt(document.paths)).flatMap(([path, value]) => {
      const item = resolved(document, value);
      return operationMethods
        .filter((method) => Object.hasOwn(item, method))
        .map((method) => {
          const pathNames = [...path.matchAll(/\{([^{}/]*)\}/g)].map(([, name]) => name!);
          const name = `${method.toUpperCase()} ${path}`;
          const keys = ['paths', path, method];
          const operation: Operation = { document, name, keys, value: objectAt(item[method]), item, pathNames };
          return [`${method} ${pathShape(path)}`, operation] as const;
        });
    }),
  );
}

function compareOperations(before: Operation, after: Operation): readonly DocumentChange[] {
  const changes: DocumentChange[] = [];
  const report: Report = ({ at, ...change }) =>
    changes.push({
      ...change,
      path: pointer(...(change.kind === 'removed' ? before : after).keys, ...at),
      operation: after.name,
    });
  compareWords(before, after, report);
  compareSecurity(before, after, report);
  compareParameters(before, after, report);
  compareBodies(before, after, report);
  compareResponses(before, after, report);
  return changes;
}

function compareWords(before: Operation, after: Operation, report: Report): void {
  for (const field of ['summary', 'description'] as const) {
    if (textAt(before.value[field]) !== textAt(after.value[field])) {
      report({ at: [field], kind: 'changed', breaking: false, text: `The ${field} was changed.` });
    }
  }
  if (textAt(before.value.operationId) !== textAt(after.value.operationId)) {
    report({
      at: ['operationId'],
      kind: 'changed',
      breaking: false,
      text: 'The operationId has changed, so methods of generated clients get another name.',
    });
  }
  if (after.value.deprecated === true && before.value.deprecated !== true) {
    report({ at: ['deprecated'], kind: 'changed', breaking: false, text: 'The operation is deprecated.' });
  }
}

/** Each alternative for authentication, as the sorted schemes that it needs together. None listed: open to everyone. */
function waysIn({ document, value }: Operation): readonly (readonly string[])[] {
  const ways = listAt(value.security ?? document.security);
  const schemes = objectAt(objectAt(document.components).securitySchemes);
  if (ways.length === 0) return [[]];
  return ways.map((way) =>
    Object.entries(objectAt(way)).map(([name, scopes]) => {
      const { type, in: place, name: field, scheme } = resolved(document, schemes[name]);
      // By what callers send, not by the scheme's name; names of headers and schemes are case-insensitive.
      const sent =
        type === undefined
          ? name
          : [type, place, field, scheme]
              .filter((part) => part !== undefined)
              .join(' ')
              .toLowerCase();
      return [sent, ...listAt(scopes).map(String).sort()].join(' ');
    }),
  );
}

function compareSecurity(before: Operation, after: Operation, report: Report): void {
  const [old, current] = [waysIn(before), waysIn(after)];
  const same = (a: readonly string[], b: readonly string[]) => a.toSorted().join('\n') === b.toSorted().join('\n');
  const refused = old.filter((way) => !current.some((other) => other.every((need) => way.includes(need))));
  if (refused.length > 0) {
    const text = 'Callers need credentials that were not required or not sufficient before.';
    report({ at: ['security'], kind: 'changed', breaking: true, text });
  } else if (old.length !== current.length || old.some((way) => !current.some((other) => same(way, other)))) {
    report({ at: ['security'], kind: 'changed', breaking: false, text: 'More callers are admitted.' });
  }
}

/** Parameters by place and name; path parameters by position, because their names are not part of a call. */
function parametersOf({ document, value, item, pathNames }: Operation): ReadonlyMap<string, JsonObject> {
  const all = [...listAt(item.parameters), ...listAt(value.parameters)].map((parameter) =>
    resolved(document, parameter),
  );
  return new Map(
    all.map((parameter) => {
      const place = textAt(parameter.in) ?? '';
      const name = textAt(parameter.name) ?? '';
      const key = place === 'path' ? pathNames.indexOf(name) : place === 'header' ? name.toLowerCase() : name;
      return [`${place} ${key}`, parameter];
    }),
  );
}

function compareParameters(before: Operation, after: Operation, report: Report): void {
  const [old, current] = [parametersOf(before), parametersOf(after)];
  const label = ({ in: place, name }: JsonObject) => `The ${place} parameter ${name}`;
  for (const [key, parameter] of old) {
    if (current.has(key)) continue;
    // Path parameters of matched operations exist whether they are described or not.
    if (parameter.in === 'path') continue;
    report({ at: ['parameters'], kind: 'removed', breaking: true, text: `${label(parameter)} was removed.` });
  }
  for (const [key, parameter] of current) {
    const known = old.get(key);
    const needed = parameter.required === true && parameter.in !== 'path';
    if (!known) {
      if (parameter.in === 'path') continue;
      const text = `${label(parameter)} is new${needed ? ' and required' : ''}.`;
      report({ at: ['parameters'], kind: 'added', breaking: needed, text });
      continue;
    }
    if (needed && known.required !== true) {
      report({ at: ['parameters'], kind: 'changed', breaking: true, text: `${label(parameter)} is now required.` });
    } else if (!needed && known.required === true && parameter.in !== 'path') {
      report({ at: ['parameters'], kind: 'changed', breaking: false, text: `${label(parameter)} is now optional.` });
    }
    reportSchemas(before, after, [known.schema, parameter.schema], 'request', label(parameter), ['parameters'], report);
  }
}

function compareBodies(before: Operation, after: Operation, report: Report): void {
  const old = resolved(before.document, before.value.requestBody);
  const current = resolved(after.document, after.value.requestBody);
  const at = ['requestBody'];
  if (current.required === true && old.required !== true) {
    report({
      at,
      kind: before.value.requestBody ? 'changed' : 'added',
      breaking: true,
      text: 'A body is now required.',
    });
  }
  if (before.value.requestBody && !after.value.requestBody) {
    report({ at, kind: 'removed', breaking: true, text: 'A body is no longer accepted.' });
    return;
  }
  compareContents(before, after, [old.content, current.content], 'request', 'The body', at, report);
}

function compareResponses(before: Operation, after: Operation, report: Report): void {
  const [old, current] = [objectAt(before.value.responses), objectAt(after.value.responses)];
  for (const status of Object.keys(old)) {
    if (status in current) continue;
    // A removed error takes nothing from a caller.
    const breaking = !/^[45]/.test(status);
    report({ at: ['responses', status], kind: 'removed', breaking, text: `The response ${status} was removed.` });
  }
  for (const [status, response] of Object.entries(current)) {
    const at = ['responses', status];
    if (!(status in old)) {
      report({ at, kind: 'added', breaking: false, text: `The response ${status} was added.` });
      continue;
    }
    const contents = [
      resolved(before.document, old[status]).content,
      resolved(after.document, response).content,
    ] as const;
    compareContents(before, after, contents, 'response', `The response ${status}`, at, report);
  }
}

function compareContents(
  before: Operation,
  after: Operation,
  contents: readonly [Json | undefined, Json | undefined],
  direction: SchemaDirection,
  label: string,
  at: readonly string[],
  report: Report,
): void {
  const [old, current] = contents.map(objectAt) as [JsonObject, JsonObject];
  for (const mediaType of Object.keys(old)) {
    if (mediaType in current) continue;
    const text = `${label} is no longer ${direction === 'request' ? 'accepted' : 'returned'} as ${mediaType}.`;
    report({ at: [...at, 'content', mediaType], kind: 'removed', breaking: true, text });
  }
  for (const [mediaType, value] of Object.entries(current)) {
    const here = [...at, 'content', mediaType];
    if (!(mediaType in old)) {
      report({ at: here, kind: 'added', breaking: false, text: `${label} may be ${mediaType}.` });
      continue;
    }
    const schemas = [objectAt(old[mediaType]).schema, objectAt(value).schema] as const;
    reportSchemas(before, after, schemas, direction, label, here, report);
  }
}

function reportSchemas(
  before: Operation,
  after: Operation,
  schemas: readonly [Json | undefined, Json | undefined],
  direction: SchemaDirection,
  label: string,
  at: readonly string[],
  report: Report,
): void {
  const changes = compareSchemas(
    { document: before.document, schema: schemas[0] },
    { document: after.document, schema: schemas[1] },
    direction,
  );
  for (const { field, text, kind, breaking } of changes) {
    report({ at, kind, breaking, text: `${label}${field === '' ? '' : `, ${field}`}: ${text}` });
  }
}
