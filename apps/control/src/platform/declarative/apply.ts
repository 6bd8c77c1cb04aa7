import { variableContext } from '../../design/environments/store.ts';
import { readRuleset } from '../../design/governance/rules.ts';
import { type Configuration, requireConfiguration } from '../../design/policies/rules.ts';
import { ApiError } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import { inCatalogueOrder } from '../../identity/roles/rules.ts';
import { type Application, changesOf, removing, unnamed } from './application.ts';
import { declareTls } from './declare.ts';
import type { DeclaredBilling, DeclaredEnvironment } from './document.ts';
import { located } from './perform.ts';
import { applyPortal } from './portal.ts';
import { applyProducts, pruneProducts } from './products.ts';
import { keepSecrets } from './secrets.ts';
import { applyProxy, type KnownTemplate } from './working-copy.ts';

/**
 * Makes the organization what the document says, in the call's transaction: what others refer to comes before them, and
 * goes after them.
 *
 * @throws ApiError whose errors name the paths in the document
 */
export async function applyDocument(application: Application): Promise<void> {
  await applyOrganization(application);
  await applyRoles(application);
  await pruneProducts(application);
  await pruneProxies(application);
  const environmentIds = await applyEnvironments(application);
  const templates = await applyTemplates(application);
  await applyStandards(application);
  await applyProxies(application, templates);
  await applyProducts(application);
  await applyPortal(application);
  await pruneTemplates(application);
  await pruneEnvironments(application, environmentIds);
}

async function applyOrganization({ perform, state, document }: Application): Promise<void> {
  const { settings, billing, ...fields } = document.organization ?? {};
  const params = { organizationId: state.organization.id };
  const changed = changesOf(fields, state.organization);
  if (changed !== null) {
    await perform('organization', 'updateOrganization', {
      params,
      body: { displayName: changed.displayName ?? state.organization.displayName },
    });
  }
  const { invoiceNumbering, approval, ...others } = settings ?? {};
  const numbering =
    invoiceNumbering === undefined
      ? {}
      : { invoiceNumbering: { ...invoiceNumbering, next: state.settings.invoiceNumbering.next } };
  const approvals = approval && { approval: { ...state.settings.approval, ...given(approval) } };
  const body = changesOf({ ...given(others), ...approvals, ...numbering }, state.settings);
  if (body !== null) await perform('organization.settings', 'updateOrganizationSettings', { params, body });
  await applyBilling(perform, state, billing);
}

async function applyBilling(
  perform: Application['perform'],
  state: Application['state'],
  declared: DeclaredBilling | undefined,
): Promise<void> {
  const { creditNoteNumbering, ...others } = declared ?? {};
  const { next } = state.billing.creditNoteNumbering;
  const numbering = creditNoteNumbering && { creditNoteNumbering: { ...creditNoteNumbering, next } };
  const body = changesOf({ ...given(others), ...numbering }, state.billing);
  if (body !== null) await perform('organization.billing', 'updateBillingSettings', { body });
}

async function applyRoles({ perform, state, document, prune }: Application): Promise<void> {
  if (document.roles === undefined) return;
  for (const [index, { name, ...fields }] of document.roles.entries()) {
    const path = `roles.${index}`;
    const present = state.roles.find((role) => role.name === name);
    if (present === undefined) {
      const { permissions } = fields;
      // The operation that creates a new one reports what is missing.
      await perform(path, 'createRole', { body: { ...given(fields), name, permissions: permissions! } });
      continue;
    }
    const permissions = fields.permissions && [...inCatalogueOrder(fields.permissions)];
    const body = changesOf({ ...fields, permissions }, present);
    if (body !== null) await perform(path, 'updateRole', { params: { roleId: present.id }, body });
  }
  if (!prune) return;
  for (const { id, name } of unnamed(state.roles, document.roles)) {
    await removing('roles', name, () => perform(null, 'deleteRole', { params: { roleId: id } }));
  }
}

async function pruneProxies({ perform, state, document, prune }: Application): Promise<void> {
  if (!prune || document.proxies === undefined) return;
  const rows = state.proxies.map(({ row }) => row);
  for (const { id, name } of unnamed(rows, document.proxies)) {
    await removing('proxies', name, () => perform(null, 'deleteProxy', { params: { proxyId: id } }));
  }
}

/** The ids of the environments that the document names, by their names. */
async function applyEnvironments(application: Application): Promise<ReadonlyMap<string, string>> {
  const { perform, state, document } = application;
  const ids = new Map<string, string>();
  const entries = [...(document.environments ?? []).entries()];
  const presentOf = (name: string) => state.environments.find(({ row }) => row.name === name);
  // A host name goes from one environment before it comes to another.
  const gains = ({ name, hostNames = [] }: DeclaredEnvironment) =>
    hostNames.some((host) => !presentOf(name)?.row.host_names.includes(host));
  const ordered = entries.toSorted(([, first], [, second]) => Number(gains(first)) - Number(gains(second)));
  for (const [index, { variables, targetServers, ...fields }] of ordered) {
    const path = `environments.${index}`;
    const present = presentOf(fields.name);
    if (present === undefined) {
      const { displayName } = fields;
      const id = await perform(path, 'createEnvironment', {
        body: { ...given(fields), ...fields, displayName: displayName! },
      });
      ids.set(fields.name, id!);
      continue;
    }
    const { row } = present;
    ids.set(row.name, row.id);
    const body = changesOf(fields, { ...row, displayName: row.display_name, hostNames: row.host_names });
    if (body !== null) await perform(path, 'updateEnvironment', { params: { environmentId: row.id }, body });
  }
  for (const [index, environment] of entries) {
    const within = { environment, path: `environments.${index}`, environmentId: ids.get(environment.name)! };
    await applyVariables(application, within);
    await applyTargetServers(application, within);
  }
  return ids;
}

interface WithinEnvironment {
  readonly environment: DeclaredEnvironment;
  readonly path: string;
  readonly environmentId: string;
}

async function applyVariables(
  { perform, sealer, state }: Application,
  { environment, path, environmentId }: WithinEnvironment,
): Promise<void> {
  const before = state.environments.find(({ row }) => row.id === environmentId)?.variables ?? [];
  for (const [index, { name, secret, value }] of (environment.variables ?? []).entries()) {
    const at = `${path}.variables.${index}`;
    const present = before.find((variable) => variable.name === name);
    if (value === undefined) {
      if (present?.secret === true) continue;
      const message = 'This secret variable doesn’t exist yet. Include its value once, or set it by hand.';
      throw new ApiError('invalid_request', { message, errors: { [`${at}.value`]: message } });
    }
    const key = { environmentId, name };
    const known =
      present?.sealed_value == null
        ? present?.value
        : sealer.open(present.sealed_value, variableContext(key)).toString();
    if (present?.secret === secret && known === value) continue;
    await perform(at, 'setEnvironmentVariable', { params: key, body: { value, secret } });
  }
}

async function applyTargetServers(
  { perform, state }: Application,
  { environment, path, environmentId }: WithinEnvironment,
): Promise<void> {
  const before = state.environments.find(({ row }) => row.id === environmentId)?.targetServers ?? [];
  for (const [index, { enabled, ...fields }] of (environment.targetServers ?? []).entries()) {
    const at = `${path}.targetServers.${index}`;
    const present = before.find(({ name }) => name === fields.name);
    if (present === undefined) {
      const { host, port } = fields;
      const body = {
        ...given(fields),
        ...given({ enabled }),
        environmentId,
        name: fields.name,
        host: host!,
        port: port!,
      };
      await perform(at, 'createTargetServer', { body });
      continue;
    }
    const params = { targetServerId: present.id };
    const body = changesOf(fields, { ...present, healthPath: present.health_path, tls: declareTls(present) });
    if (body !== null) await perform(at, 'updateTargetServer', { params, body });
    if (enabled === undefined || enabled === present.enabled) continue;
    await perform(at, enabled ? 'enableTargetServer' : 'disableTargetServer', { params });
  }
}

async function pruneEnvironments(
  { perform, state, document, prune }: Application,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  if (!prune || document.environments === undefined) return;
  for (const { row, variables, targetServers } of state.environments) {
    const index = document.environments.findIndex(({ name }) => name === row.name);
    const declared = document.environments[index];
    const kept = ids.has(row.name);
    const path = kept ? `environments.${index}` : 'environments';
    for (const { id, name } of kept && !declared?.targetServers
      ? []
      : unnamed(targetServers, declared?.targetServers ?? [])) {
      const params = { targetServerId: id };
      await removing(path, `${row.name}/${name}`, () => perform(null, 'deleteTargetServer', { params }));
    }
    for (const { name } of kept && declared?.variables ? unnamed(variables, declared.variables) : []) {
      const params = { environmentId: row.id, name };
      await removing(path, `${row.name}/${name}`, () => perform(null, 'deleteEnvironmentVariable', { params }));
    }
    if (kept) continue;
    const params = { environmentId: row.id };
    await removing(path, row.name, () => perform(null, 'deleteEnvironment', { params }));
  }
}

/** The templates that policies of the document may name: those that there are afterwards. */
async function applyTemplates({ perform, state, document, prune }: Application): Promise<readonly KnownTemplate[]> {
  const declared = document.policyTemplates ?? [];
  const pruned = prune && document.policyTemplates !== undefined;
  const templates: KnownTemplate[] = (pruned ? [] : unnamed(state.policyTemplates, declared)).map(
    ({ id, name, kind, configuration }) => ({ id, name, kind, configuration: configuration as Configuration }),
  );
  for (const [index, { kind, configuration, ...fields }] of declared.entries()) {
    const path = `policyTemplates.${index}`;
    const { name } = fields;
    const present = state.policyTemplates.find((template) => template.name === name);
    const before = (present?.configuration as Configuration | undefined) ?? null;
    const wanted = await located(path, () => {
      if (present !== undefined && kind !== undefined && kind !== present.kind) {
        throw new ApiError('invalid_request', {
          errors: { kind: `The template’s kind is ${present.kind} and can’t be changed.` },
        });
      }
      const of = kind ?? present?.kind;
      if (of === undefined) throw new ApiError('invalid_request', { errors: { kind: 'Give the kind.' } });
      const whole = configuration === undefined ? before : keepSecrets(configuration, before);
      return { kind: of, configuration: whole === null ? undefined : requireConfiguration(of, whole) };
    });
    let id = present?.id ?? null;
    if (id === null) {
      const body = { ...given(fields), name, kind: wanted.kind, configuration: wanted.configuration! };
      id = await perform(path, 'createPolicyTemplate', { body });
    } else {
      const body = changesOf({ ...fields, configuration: wanted.configuration }, present!);
      if (body !== null) await perform(path, 'updatePolicyTemplate', { params: { templateId: id }, body });
    }
    templates.push({ id: id!, name, kind: wanted.kind, configuration: wanted.configuration! });
  }
  return templates;
}

async function pruneTemplates({ perform, state, document, prune }: Application): Promise<void> {
  if (!prune || document.policyTemplates === undefined) return;
  for (const { id, name } of unnamed(state.policyTemplates, document.policyTemplates)) {
    const path = 'policyTemplates';
    await removing(path, name, () => perform(null, 'deletePolicyTemplate', { params: { templateId: id } }));
  }
}

async function applyStandards({ perform, state, document, prune }: Application): Promise<void> {
  if (document.governanceStandards === undefined) return;
  for (const [index, { code, ruleset, ...fields }] of document.governanceStandards.entries()) {
    const path = `governanceStandards.${index}`;
    const present = state.governanceStandards.find((standard) => standard.code === code);
    const text = ruleset && JSON.stringify(ruleset);
    if (present === undefined) {
      const body = { ...given(fields), code, name: fields.name!, ruleset: text! };
      await perform(path, 'createGovernanceStandard', { body });
      continue;
    }
    const normal = text === undefined ? undefined : await located(path, () => readRuleset(text));
    const changed = changesOf({ ...fields, ruleset: normal }, present);
    if (changed === null) continue;
    const body = { ...changed, ...(changed.ruleset ? { ruleset: text! } : {}) } as Omit<typeof changed, 'ruleset'>;
    await perform(path, 'updateGovernanceStandard', { params: { code }, body });
  }
  if (!prune) return;
  const codes = new Set(document.governanceStandards.map(({ code }) => code));
  for (const { code, kind } of state.governanceStandards) {
    // A built-in rule is there, declared or not.
    if (kind === 'built_in' || codes.has(code)) continue;
    const path = 'governanceStandards';
    await removing(path, code, () => perform(null, 'deleteGovernanceStandard', { params: { code } }));
  }
}

async function applyProxies(
  { context, perform, state, document }: Application,
  templates: readonly KnownTemplate[],
): Promise<void> {
  for (const [index, declared] of (document.proxies ?? []).entries()) {
    const id = state.proxies.find(({ row }) => row.name === declared.name)?.row.id ?? null;
    await applyProxy(context, perform, declared, { id, path: `proxies.${index}`, templates });
  }
}
