import * as z from 'zod';

/** Methods that a route answers; `ANY` answers all of them. */
export const routeMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'ANY'] as const;

export const protocols = ['rest', 'graphql', 'websocket', 'events'] as const;

/** How callers prove who they are; the policy that checks it is attached apart. */
export const authSchemes = ['none', 'api_key', 'jwt'] as const;

/** `/v1/orders`: a version segment first, by the platform's rule VER-001, then any literal segments. */
export const BasePath = z
  .string()
  .max(200)
  .regex(/^(\/[A-Za-z0-9._~-]+)+$/, 'Use a path such as /v1/orders: segments of letters, digits, ".", "_", "~", "-".');

/** `/{orderId}/lines`: literal segments and parameters, or `/` for the base path itself; `/*` at the end takes the rest. */
export const PathPattern = z
  .string()
  .max(500)
  .regex(
    /^(?:\/|(?:\/(?:[A-Za-z0-9._~%-]+|\{[A-Za-z_][A-Za-z0-9_]*\}))*(?:\/\*)?)$/,
    'Use a path such as /{orderId}/lines: literal segments, {parameters}, and at most one * as its last segment.',
  )
  .refine((path) => path !== '', 'Use "/" for the base path itself.')
  .refine((path) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    return new Set(names).size === names.length;
  }, 'Give each path parameter its own name.');

/** Name of a target server, the same in every environment; or of an environment, a template, a role. */
export const Name = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'Use lower-case letters, digits and inner hyphens.');

/** One route as a revision holds it. */
export const RevisionRoute = z.strictObject({
  id: z.string().max(40),
  method: z.enum(routeMethods),
  pathPattern: PathPattern,
  /** Name of the target server; each environment has its own host under this name. */
  targetServer: Name,
  /** Path at the target, with the pattern's parameters; null: the route's own path. */
  targetPath: z.string().max(500).nullable(),
  timeoutMs: z.int().min(1).max(300_000).nullable(),
  summary: z.string().max(200),
  description: z.string().max(5_000),
});
export type RevisionRoute = z.infer<typeof RevisionRoute>;

/** One attached policy as a revision holds it, apart from what it matches. The configuration is its kind's. */
export const RevisionPolicy = z.strictObject({
  id: z.string().max(40),
  flow: z.enum(['request', 'response']),
  kind: z.string().max(40),
  name: z.string().min(1).max(100),
  enabled: z.boolean(),
  /** Routes that it applies to; null: all of them. */
  routeIds: z.array(z.string().max(40)).min(1).max(500).nullable(),
  configuration: z.record(z.string(), z.json()),
});
export type RevisionPolicy = z.infer<typeof RevisionPolicy>;

/** All that a deployment serves: the proxy, its routes, its policies in their order, its OpenAPI document. */
export const RevisionContent = z.strictObject({
  proxy: z.strictObject({
    name: Name,
    displayName: z.string().min(1).max(100),
    description: z.string().max(5_000),
    basePath: BasePath,
    protocol: z.enum(protocols),
    authScheme: z.enum(authSchemes),
  }),
  routes: z.array(RevisionRoute).max(500),
  policies: z.array(RevisionPolicy).max(100),
  /** OpenAPI 3.1 as JSON; null where the proxy has none. */
  specification: z.record(z.string(), z.json()).nullable(),
});
export type RevisionContent = z.infer<typeof RevisionContent>;

/** Policies that run for the route on the flow: those of the kinds, or all where none are given. */
export function policiesFor(
  { policies }: Pick<RevisionContent, 'policies'>,
  { id }: Pick<RevisionRoute, 'id'>,
  flow: RevisionPolicy['flow'],
  kinds?: readonly string[],
): readonly RevisionPolicy[] {
  return policies.filter(
    (policy) =>
      policy.enabled &&
      policy.flow === flow &&
      (kinds === undefined || kinds.includes(policy.kind)) &&
      (policy.routeIds === null || policy.routeIds.includes(id)),
  );
}
