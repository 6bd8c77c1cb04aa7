import { canonicalJson } from './canonical-json.ts';
import type { RevisionContent } from './content.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import { addedPolicies, comparePolicies } from './policy-changes.ts';
import { addedRoute, compareRoutes, routeKey } from './route-changes.ts';

export type { FieldChange };

/** One difference between two contents, in the words of the product. */
export interface Change {
  readonly area: 'proxy' | 'route' | 'policy' | 'target' | 'specification';
  readonly kind: 'added' | 'removed' | 'changed';
  /** What it is about, such as `GET /{id}` or `request/quota: Daily quota`. */
  readonly key: string;
  readonly fields: readonly FieldChange[];
  /** Whether a caller that was right before may fail now. */
  readonly breaking: boolean;
  /** Why it is breaking or not, in plain words. */
  readonly reason: string;
}

export interface ContentDiff {
  readonly changes: readonly Change[];
  /** Whether any of the changes is breaking. */
  readonly breaking: boolean;
}

/** A difference between two OpenAPI documents. */
export interface SpecificationChange {
  /** JSON pointer into a document. */
  readonly path: string;
  readonly operation: string | null;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly breaking: boolean;
  readonly text: string;
}

export type CompareSpecifications = (
  before: RevisionContent['specification'],
  after: RevisionContent['specification'],
) => readonly SpecificationChange[];

/**
 * What differs in meaning between two contents: the proxy, its routes, its targets, its policies, its specification, in
 * this order. Routes and policies are matched by identifier, then by what they are; the order of routes means nothing.
 * Without `before`, everything is new and nothing is breaking. Without `compareSpecifications`, a specification that
 * differs is one change that breaks nothing.
 */
export function diffContent(
  before: RevisionContent | null,
  after: RevisionContent,
  compareSpecifications?: CompareSpecifications,
): ContentDiff {
  const changes = before
    ? [
        ...compareProxies(before, after),
        ...compareRoutes(before.routes, after.routes),
        ...comparePolicies(before, after),
        ...compareDocuments(before.specification, after.specification, compareSpecifications),
      ]
    : everything(after);
  return { changes, breaking: changes.some(({ breaking }) => breaking) };
}

/** A first content, shown completely, so that whoever approves it has seen it. */
function everything(content: RevisionContent): readonly Change[] {
  const { proxy, routes, specification } = content;
  const added = { kind: 'added', breaking: false } as const;
  return [
    { ...added, area: 'proxy', key: proxy.name, fields: fieldChanges({}, proxy), reason: 'The API proxy is new.' },
    ...routes.map(addedRoute),
    ...[...Map.groupBy(routes, ({ targetServer }) => targetServer)].map(
      ([name, led]): Change => ({
        ...added,
        area: 'target',
        key: name,
        fields: fieldChanges({}, { routes: led.map(routeKey) }),
        reason: 'It receives calls.',
      }),
    ),
    ...addedPolicies(content),
    ...(specification
      ? [
          {
            ...added,
            area: 'specification' as const,
            key: documentKey,
            fields: fieldChanges({}, outline(specification)),
            reason: 'It describes the routes.',
          },
        ]
      : []),
  ];
}

/** What a document is about and which operations it has: its whole text may be megabytes, and stands in the revision. */
function outline({ openapi, info, paths }: NonNullable<RevisionContent['specification']>) {
  const members = (value: unknown) => Object.entries(typeof value === 'object' && value !== null ? value : {});
  const { title, version } = Object.fromEntries(members(info));
  return {
    openapi,
    title,
    version,
    operations: members(paths).flatMap(([path, item]) =>
      members(item)
        .filter(([method]) => methods.has(method))
        .map(([method, operation]) => {
          const { summary } = Object.fromEntries(members(operation));
          return `${method.toUpperCase()} ${path}${typeof summary === 'string' ? `: ${summary}` : ''}`;
        }),
    ),
  };
}

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

const documentKey = 'OpenAPI document';

function compareProxies({ proxy: before }: RevisionContent, { proxy: after }: RevisionContent): readonly Change[] {
  const fields = fieldChanges(before, after);
  if (fields.length === 0) return [];
  const reason = proxyBreak(before, after);
  return [
    {
      area: 'proxy',
      kind: 'changed',
      key: after.name,
      fields,
      breaking: reason !== null,
      reason: reason ?? 'Callers use the API as before.',
    },
  ];
}

function proxyBreak(before: RevisionContent['proxy'], after: RevisionContent['proxy']): string | null {
  if (before.basePath !== after.basePath) return `Callers of ${before.basePath} now get 404.`;
  if (before.protocol !== after.protocol) return 'Callers have to use another protocol.';
  if (before.authScheme !== after.authScheme && after.authScheme !== 'none') {
    return 'Callers have to authenticate in another way.';
  }
  return null;
}

function compareDocuments(
  before: RevisionContent['specification'],
  after: RevisionContent['specification'],
  compare: CompareSpecifications | undefined,
): readonly Change[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  const whole = (kind: Change['kind'], reason: string): readonly Change[] => [
    { area: 'specification', kind, key: documentKey, fields: [], breaking: false, reason },
  ];
  if (!before) return whole('added', 'The routes now have a description.');
  if (!after) return whole('removed', 'The routes work as before, without a description.');
  const changes = compare?.(before, after) ?? [];
  if (changes.length === 0) return whole('changed', 'No difference that affects callers was found.');
  return changes.map(({ path, operation, kind, breaking, text }) => ({
    area: 'specification',
    kind,
    key: operation ?? path,
    fields: [],
    breaking,
    reason: text,
  }));
}
