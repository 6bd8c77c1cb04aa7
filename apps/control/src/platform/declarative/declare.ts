import { hideWrittenOut, redactedSecret } from '@millrace/policies/secrets';
import { canonicalJson } from '@millrace/revision/hash';
import type * as z from 'zod';
import type { JsonObject } from '../../database/schema.ts';
import { declarePolicies, declareRoutes } from '../../design/proxy-documents/rules.ts';
import { routeName } from '../../design/routes/rules.ts';
import { compareFields, type FieldChange } from '../../frame/audit.ts';
import { termsOf } from '../../money/rate-plans/rules.ts';
import type { declarativeOperations } from './contract.ts';
import { declaredKinds } from './contract.ts';
import { compare, type OrganizationState } from './state.ts';

type Applied = Extract<(typeof declarativeOperations)[number], { readonly id: 'applyOrganization' }>;
/** What applying a document changes of one thing. */
export type PlanEntry = z.infer<Applied['responses'][200]['body']>['data']['plan'][number];

/** The organization as a document: every field written out, in an order that never differs. */
export function declare(state: OrganizationState) {
  return {
    version: 1,
    organization: declareOrganization(state),
    roles: state.roles.map(declareRole),
    environments: state.environments.map((environment) => ({
      ...declareEnvironment(environment),
      variables: environment.variables.map(declareVariable),
      targetServers: environment.targetServers.map(declareTargetServer),
    })),
    policyTemplates: state.policyTemplates.map(declareTemplate),
    governanceStandards: state.governanceStandards.map(declareStandard),
    proxies: state.proxies.map((proxy) => declareProxy(proxy, state)),
    products: state.products.map((product) => ({
      ...declareProduct(product, state),
      ratePlans: state.ratePlans
        .filter(({ productId }) => productId === product.id)
        .map((plan) => declareRatePlan(plan, state)),
    })),
    portal: {
      ...declarePortal(state),
      guides: state.guides.map((guide) => declareGuide(guide, state)),
    },
  };
}

function declareOrganization({ organization, settings, billing }: OrganizationState) {
  const { next: _, ...invoiceNumbering } = settings.invoiceNumbering;
  const { next: __, ...creditNoteNumbering } = billing.creditNoteNumbering;
  return {
    displayName: organization.displayName,
    settings: {
      currency: settings.currency,
      tax: settings.tax,
      invoiceNumbering,
      approval: settings.approval,
      retention: settings.retention,
    },
    billing: {
      timeZone: billing.timeZone,
      period: billing.period,
      graceHours: billing.graceHours,
      paymentTermDays: billing.paymentTermDays,
      autoIssue: billing.autoIssue,
      tax: billing.tax,
      creditNoteNumbering,
      seller: billing.seller,
      reminders: billing.reminders,
      approvalAboveMinor: billing.approvalAboveMinor,
    },
  };
}

function declareRole({ name, description, permissions }: OrganizationState['roles'][number]) {
  return { name, description, permissions };
}

function declareEnvironment({ row }: OrganizationState['environments'][number]) {
  return {
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    production: row.production,
    hostNames: row.host_names,
  };
}

function declareVariable({ name, secret, value }: OrganizationState['environments'][number]['variables'][number]) {
  return secret ? { name, secret } : { name, value };
}

function declareTargetServer(row: OrganizationState['environments'][number]['targetServers'][number]) {
  return {
    name: row.name,
    description: row.description,
    scheme: row.scheme,
    protocol: row.protocol,
    host: row.host,
    port: row.port,
    weight: row.weight,
    endpoints: row.endpoints.map((endpoint) => ({ ...endpoint })),
    tls: declareTls(row),
    enabled: row.enabled,
    healthPath: row.health_path,
  };
}

/** Without the client key, which is never read back. */
export function declareTls(row: OrganizationState['environments'][number]['targetServers'][number]) {
  return {
    serverName: row.tls_server_name,
    certificateAuthorities: row.tls_certificate_authorities,
    clientCertificate: row.tls_client_certificate,
  };
}

function declareTemplate({ name, description, kind, configuration }: OrganizationState['policyTemplates'][number]) {
  return { name, description, kind, configuration: hideWrittenOut(kind, configuration) };
}

/** Of a built-in rule, what an organization can change about it. */
function declareStandard(standard: OrganizationState['governanceStandards'][number]) {
  const { code, name, description, severity, blocking, enabled, ruleset } = standard;
  const held = { severity, blocking, enabled };
  return ruleset === null ? { code, ...held } : { code, name, description, ...held, ruleset };
}

/** Of routes and policies, which are whole lists, what is as by default is left out. */
function declareProxy(
  { row, routes, policies, specification }: OrganizationState['proxies'][number],
  { policyTemplates }: Pick<OrganizationState, 'policyTemplates'>,
) {
  const templateNames = new Map(policyTemplates.map(({ id, name }) => [id, name]));
  return {
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    basePath: row.base_path,
    protocol: row.protocol,
    authScheme: row.auth_scheme,
    tags: row.tags,
    routes: declareRoutes(routes),
    policies: declarePolicies(policies, routes, templateNames),
    ...(specification === null ? {} : { specification }),
  };
}

function declareProduct(product: OrganizationState['products'][number], state: Pick<OrganizationState, 'proxies'>) {
  const { name, displayName, description, published, autoApprove, quota, unitsHeader, passUnitsHeader } = product;
  return {
    name,
    displayName,
    description,
    public: product.public,
    autoApprove,
    quota,
    unitsHeader,
    passUnitsHeader,
    published,
    state: product.state,
    proxies: product.proxies
      .toSorted((first, second) => compare(first.proxyName, second.proxyName))
      .map((bundle) => {
        const routes = bundledRoutes(bundle, state);
        return { proxy: bundle.proxyName, ...(routes === undefined ? {} : { routes }) };
      }),
  };
}

/**
 * A plan as it is published, or the draft of one that never was. An API proxy that a charge is for and that no longer
 * exists appears by its id.
 */
export function declareRatePlan(
  { name, displayName, description, state, ...fields }: OrganizationState['ratePlans'][number],
  { proxies }: Pick<OrganizationState, 'proxies'>,
) {
  const { charges, ...terms } = termsOf(fields);
  const names = new Map(proxies.map(({ row }) => [row.id, row.name]));
  return {
    name,
    displayName,
    description,
    ...terms,
    charges: charges.map(({ proxyIds, ...charge }) => ({
      ...charge,
      proxies: proxyIds?.map((id) => names.get(id) ?? id).toSorted(compare) ?? null,
    })),
    state,
  };
}

/** Without the logos. Products that no longer exist are left out. */
export function declarePortal({ portal, products }: Pick<OrganizationState, 'portal' | 'products'>) {
  const { catalog, sandboxProductIds, logo: _, logoDark: __, version: ___, ...settings } = portal;
  const named = namesOf(products);
  return {
    ...settings,
    catalog: { order: named(catalog.order), featured: named(catalog.featured), hidden: named(catalog.hidden) },
    sandboxProducts: named(sandboxProductIds),
  };
}

/** With the texts of its latest version. */
export function declareGuide(
  guide: OrganizationState['guides'][number],
  { products }: Pick<OrganizationState, 'products'>,
) {
  const { slug, language, position, title, summary, source, state, productIds } = guide;
  const published = state === 'published';
  return { slug, language, position, title, summary, source, published, products: namesOf(products)(productIds) };
}

/** The names of products by their ids, in the same order. */
function namesOf(products: OrganizationState['products']): (ids: readonly string[]) => string[] {
  const names = new Map(products.map(({ id, name }) => [id, name]));
  return (ids) => ids.flatMap((id) => names.get(id) ?? []);
}

/**
 * The routes that a product bundles of an API proxy, by method and path; undefined: all of them. Routes that the
 * working copy no longer has may still be in a deployed revision: they stay bundled, but have no name here.
 */
function bundledRoutes(
  { proxyId, routeIds }: OrganizationState['products'][number]['proxies'][number],
  { proxies }: Pick<OrganizationState, 'proxies'>,
): readonly string[] | undefined {
  if (routeIds === null) return undefined;
  const routes = proxies.find(({ row }) => row.id === proxyId)?.routes ?? [];
  const bundled = new Set(routeIds);
  return routes.filter(({ id }) => bundled.has(id)).map(routeName);
}

/** One entity of an organization: as it may be shown, and what identifies its state. */
interface Item {
  readonly kind: PlanEntry['kind'];
  readonly name: string;
  readonly shown: JsonObject;
  readonly exact: string;
}

/** @param hidden what counts beside what is shown */
function itemOf(kind: Item['kind'], name: string, shown: object, hidden: unknown = null): Item {
  const text = canonicalJson(shown);
  // Keys in one order, so that equal parts have equal texts.
  return { kind, name, shown: JSON.parse(text) as JsonObject, exact: `${text}${canonicalJson(hidden)}` };
}

function itemsOf(state: OrganizationState): readonly Item[] {
  return [
    itemOf('organization', state.organization.name, declareOrganization(state)),
    ...state.roles.map((role) => itemOf('role', role.name, declareRole(role))),
    ...state.environments.flatMap((environment) => {
      const { name } = environment.row;
      return [
        itemOf('environment', name, declareEnvironment(environment)),
        ...environment.variables.map((variable) =>
          itemOf(
            'environment_variable',
            `${name}/${variable.name}`,
            declareVariable(variable),
            variable.secret ? variable.version : null,
          ),
        ),
        ...environment.targetServers.map((target) =>
          itemOf('target_server', `${name}/${target.name}`, declareTargetServer(target)),
        ),
      ];
    }),
    ...state.policyTemplates.map((template) =>
      itemOf('policy_template', template.name, declareTemplate(template), template.configuration),
    ),
    ...state.governanceStandards.map((standard) =>
      itemOf('governance_standard', standard.code, declareStandard(standard)),
    ),
    ...state.proxies.map((proxy) =>
      itemOf(
        'proxy',
        proxy.row.name,
        declareProxy(proxy, state),
        proxy.policies.map(({ configuration }) => configuration),
      ),
    ),
    ...state.products.map((product) => itemOf('product', product.name, declareProduct(product, state))),
    ...state.ratePlans.map((plan) => {
      const product = state.products.find(({ id }) => id === plan.productId);
      return itemOf('rate_plan', `${product?.name}/${plan.name}`, declareRatePlan(plan, state));
    }),
    itemOf('portal_settings', state.organization.name, declarePortal(state)),
    ...state.guides.map((guide) =>
      itemOf('portal_guide', `${guide.slug}/${guide.language}`, declareGuide(guide, state), guide.publishedVersion),
    ),
  ];
}

/** What is different after a document was applied, by kind and name. */
export function planOf(before: OrganizationState, after: OrganizationState): readonly PlanEntry[] {
  const keyOf = ({ kind, name }: Item) => `${kind} ${name}`;
  const first = new Map(itemsOf(before).map((item) => [keyOf(item), item]));
  const second = new Map(itemsOf(after).map((item) => [keyOf(item), item]));
  const entries = [...new Set([...first.keys(), ...second.keys()])].flatMap((key): PlanEntry[] => {
    const was = first.get(key);
    const is = second.get(key);
    const { kind, name } = (is ?? was)!;
    if (was?.exact === is?.exact) return [];
    const changes = compareFields(was?.shown ?? null, is?.shown ?? null);
    const shown: readonly FieldChange[] =
      changes.length > 0 ? changes : [{ path: 'secret', before: redactedSecret, after: redactedSecret }];
    const action = was === undefined ? 'create' : is === undefined ? 'delete' : 'update';
    return [{ action, kind, name, changes: shown.map(({ path, ...values }) => ({ path, ...values })) as never }];
  });
  return entries.toSorted(
    (one, other) =>
      declaredKinds.indexOf(one.kind) - declaredKinds.indexOf(other.kind) || compare(one.name, other.name),
  );
}
