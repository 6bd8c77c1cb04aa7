import { readText } from '@millrace/openapi/text';
import { Charge as ChargeSchema } from '@millrace/pricing';
import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { ApiProduct, productOperations } from '../../consumers/products/contract.ts';
import { environmentOperations } from '../../design/environments/contract.ts';
import { governanceOperations } from '../../design/governance/contract.ts';
import { policyOperations } from '../../design/policies/contract.ts';
import { policyTemplateOperations } from '../../design/policies/templates/contract.ts';
import { proxyOperations } from '../../design/proxies/contract.ts';
import { routeOperations } from '../../design/routes/contract.ts';
import { targetServerOperations } from '../../design/target-servers/contract.ts';
import { ApiError } from '../../frame/errors.ts';
import type { AnyControlOperation } from '../../frame/operation.ts';
import { GivenSettings, OrganizationSettings, organizationOperations } from '../../identity/organizations/contract.ts';
import { roleOperations } from '../../identity/roles/contract.ts';
import { BillingSettings, billingSettingsOperations } from '../../money/billing-settings/contract.ts';
import { RatePlan as RatePlanSchema, ratePlanOperations } from '../../money/rate-plans/contract.ts';
import { portalGuideOperations } from '../../portal/guides/contract.ts';
import { portalSettingsOperations } from '../../portal/settings/contract.ts';

type BodyOf<Bound> = Bound extends { readonly request: { readonly body: infer Body } } ? Body : never;

/** The body of an operation: what can be changed by hand can be declared, within the same bounds. */
function bodyOf<Operations extends readonly AnyControlOperation[], Id extends Operations[number]['id']>(
  operations: Operations,
  id: Id,
) {
  const operation = operations.find((candidate) => candidate.id === id);
  return operation?.request.body as BodyOf<Extract<Operations[number], { readonly id: Id }>>;
}

const variableValue = bodyOf(environmentOperations, 'setEnvironmentVariable').shape.value;
const policy = bodyOf(policyOperations, 'attachPolicy').shape;
const proxy = bodyOf(proxyOperations, 'updateProxy');
const standard = bodyOf(governanceOperations, 'updateGovernanceStandard');
/** More are never sent, since a document is bounded by its size. */
const mostItems = 20_000;

/** The names of a list, each given once. */
function named<Item extends z.ZodType<Readonly<Record<string, unknown>>>>(item: Item, key: string) {
  return z
    .array(item)
    .max(mostItems)
    .superRefine((items, context) => {
      const seen = new Set<unknown>();
      for (const [index, { [key]: name }] of items.entries()) {
        if (seen.has(name)) context.addIssue({ code: 'custom', path: [index, key], message: 'Listed twice.' });
        seen.add(name);
      }
    });
}

const Variable = z
  .strictObject({ name: z.string().max(63), secret: z.boolean().default(false), value: variableValue.optional() })
  .refine(({ secret, value }) => secret || value !== undefined, {
    path: ['value'],
    error: 'Give the value. Only a secret one can be left out to keep it.',
  });

const TargetServer = bodyOf(targetServerOperations, 'updateTargetServer').extend({
  name: Name,
  enabled: z.boolean().optional(),
});

const Environment = bodyOf(environmentOperations, 'updateEnvironment').extend({
  name: Name,
  variables: named(Variable, 'name').optional(),
  targetServers: named(TargetServer, 'name').optional(),
});

/** A policy as a list of a proxy has it: its routes by method and path, its template by name. */
const Policy = z.strictObject({
  flow: policy.flow,
  kind: policy.kind,
  name: policy.name,
  enabled: policy.enabled,
  routes: z.array(z.string().max(520)).min(1).max(500).optional().describe('Such as `GET /{orderId}`; none: all.'),
  template: Name.optional(),
  configuration: policy.configuration,
});

const ApiProxy = proxy.extend({
  name: Name,
  routes: z.array(bodyOf(routeOperations, 'createRoute')).max(500).optional(),
  policies: z.array(Policy).max(100).optional(),
  specification: z.record(z.string(), z.json()).optional().describe('An OpenAPI 3 document.'),
});

/** What a product bundles: an API proxy by name, its routes by method and path. */
const BundledProxy = z.strictObject({
  proxy: Name,
  routes: z
    .array(z.string().max(520))
    .max(500)
    .refine((routes) => new Set(routes).size === routes.length, 'List each route once.')
    .optional()
    .describe('Such as `GET /{orderId}`; none: all.'),
});

const [PerUnit, Package, Tiered] = ChargeSchema.options;
const charged = {
  proxies: z.array(z.string().max(64)).min(1).max(100).nullable().default(null).describe('None: all.'),
};

/** A charge of a rate plan, with its API proxies by name. */
const Charge = z.discriminatedUnion('model', [
  PerUnit.omit({ proxyIds: true }).extend(charged),
  Package.omit({ proxyIds: true }).extend(charged),
  Tiered.omit({ proxyIds: true }).extend(charged),
]);

const RatePlan = bodyOf(ratePlanOperations, 'updateRatePlan').extend({
  name: Name,
  state: RatePlanSchema.shape.state.optional(),
  charges: z.array(Charge).max(50).optional(),
});

const Product = bodyOf(productOperations, 'updateProduct').extend({
  name: Name,
  published: ApiProduct.shape.published.optional(),
  state: ApiProduct.shape.state.optional(),
  proxies: named(BundledProxy, 'proxy').optional(),
  ratePlans: named(RatePlan, 'name').optional(),
});

const portalSettings = bodyOf(portalSettingsOperations, 'updatePortalSettings');
const guide = bodyOf(portalGuideOperations, 'createGuide');
const ProductNames = z.array(Name).max(1_000);

/** A guide in one language; its address and its language are its name. */
const Guide = bodyOf(portalGuideOperations, 'updateGuide')
  .omit({ productIds: true })
  .extend({
    slug: guide.shape.slug,
    language: guide.shape.language,
    published: z.boolean().optional().describe('Whether the portal shows it, with these texts if they are new.'),
    products: ProductNames.max(100).optional(),
  });

/** The developer portal with its products by name. Logos and domains are set by hand. */
const Portal = portalSettings.omit({ catalog: true, sandboxProductIds: true }).extend({
  catalog: z.strictObject({ order: ProductNames, featured: ProductNames, hidden: ProductNames }).optional(),
  sandboxProducts: ProductNames.optional(),
  guides: z
    .array(Guide)
    .max(mostItems)
    .superRefine((guides, context) => {
      const seen = new Set<string>();
      for (const [index, { slug, language }] of guides.entries()) {
        const name = `${slug}/${language}`;
        if (seen.has(name)) context.addIssue({ code: 'custom', path: [index, 'slug'], message: 'Listed twice.' });
        seen.add(name);
      }
    })
    .optional(),
});

/** Numbers of invoices are counted, not configured: the next one is no part of the document. */
const Settings = GivenSettings.extend({
  invoiceNumbering: OrganizationSettings.shape.invoiceNumbering.omit({ next: true }),
})
  .partial()
  .strict();

/** As above, of credit notes. The logo is set by hand. */
const Billing = bodyOf(billingSettingsOperations, 'updateBillingSettings')
  .extend({ creditNoteNumbering: BillingSettings.shape.creditNoteNumbering.omit({ next: true }) })
  .partial()
  .strict();

/** A declared organization. Whatever is left out stays as it is. */
const OrganizationDocument = z.strictObject({
  version: z.literal(1, 'Write version: 1.'),
  organization: bodyOf(organizationOperations, 'updateOrganization')
    .partial()
    .extend({ settings: Settings.optional(), billing: Billing.optional() })
    .optional(),
  roles: named(
    bodyOf(roleOperations, 'updateRole').extend({ name: bodyOf(roleOperations, 'createRole').shape.name }),
    'name',
  ).optional(),
  environments: named(Environment, 'name').optional(),
  policyTemplates: named(
    bodyOf(policyTemplateOperations, 'updatePolicyTemplate').extend({
      name: Name,
      kind: bodyOf(policyTemplateOperations, 'createPolicyTemplate').shape.kind.optional(),
    }),
    'name',
  ).optional(),
  governanceStandards: named(
    standard.extend({ code: z.string().max(20), ruleset: z.record(z.string(), z.json()).optional() }),
    'code',
  ).optional(),
  proxies: named(ApiProxy, 'name').optional(),
  products: named(Product, 'name').optional(),
  portal: Portal.optional(),
});

export type OrganizationDocument = z.infer<typeof OrganizationDocument>;
export type DeclaredBilling = z.infer<typeof Billing>;
export type DeclaredEnvironment = z.infer<typeof Environment>;
export type DeclaredProxy = z.infer<typeof ApiProxy>;
export type DeclaredProduct = z.infer<typeof Product>;
export type DeclaredRatePlan = z.infer<typeof RatePlan>;
export type DeclaredGuide = z.infer<typeof Guide>;
export type DeclaredPolicy = z.infer<typeof Policy>;

const mostErrors = 50;

/**
 * Reads a document, YAML or JSON, of at most 5 MB.
 *
 * @throws ApiError `invalid_request` with what is wrong by its path, such as `proxies.0.routes.2.targetServer`
 */
export async function readDocument(text: string): Promise<OrganizationDocument> {
  let value: unknown;
  try {
    value = await readText(text);
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 500) : 'This is neither YAML nor JSON.';
    throw new ApiError('invalid_request', { message, errors: { document: message }, cause: error });
  }
  const parsed = OrganizationDocument.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue): (readonly [string, string])[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [[...issue.path, key].join('.'), 'Unknown field.'])
      : [[issue.path.join('.') || 'document', issue.message]],
  );
  throw new ApiError('invalid_request', {
    message: 'Correct the document; see errors.',
    errors: Object.fromEntries(problems.slice(0, mostErrors).map(([path, message]) => [path.slice(0, 200), message])),
  });
}
