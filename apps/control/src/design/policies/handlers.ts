import { newId } from '@millrace/identifiers';
import { checkOrder, insertionIndex, policyKinds } from '@millrace/policies';
import { hideWrittenOut } from '@millrace/policies/secrets';
import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError, fieldError, found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Change, Handlers } from '../../frame/handler.ts';
import { pageOf } from '../../frame/listing.ts';
import { lockProxy } from '../proxies/content.ts';
import { findProxy } from '../proxies/store.ts';
import { within } from '../proxies/trail.ts';
import type { Policy, policyOperations } from './contract.ts';
import {
  type Configuration,
  describeKind,
  freeName,
  isNameTaken,
  mostPolicies,
  permutationFault,
  requireConfiguration,
  requireFlow,
  requireKind,
  withKeptSecrets,
  withoutCredentials,
} from './rules.ts';
import * as store from './store.ts';
import { findPolicyTemplate } from './templates/store.ts';

type Presented = z.infer<typeof Policy>;

export function policyHandlers(): Handlers<typeof policyOperations> {
  return {
    listPolicyKinds: async ({ query: { flow, ...listing } }) => {
      const kinds = policyKinds.filter(({ flows }) => flow === undefined || flows.includes(flow)).map(describeKind);
      const { rows, total } = pageOf(kinds, listing, ['kind', 'title', 'description']);
      return { policyKinds: [...rows], total };
    },
    getPolicyKind: async ({ params }) => describeKind(found(policyKinds.find(({ kind }) => kind === params.kind))),
    listPolicies: async ({ params, query }, { transaction }) => {
      found(await findProxy(transaction, params.proxyId));
      const { policies, total } = await store.listPolicies(transaction, params.proxyId, query);
      return { policies: policies.map(withoutCredentials), total };
    },
    attachPolicy: async ({ params, body }, { transaction }) => {
      const { proxyId } = params;
      const kind = requireKind(body.kind);
      const flow = requireFlow(kind, body.flow);
      await lockProxy(transaction, proxyId);
      const policies = await store.allPolicies(transaction, proxyId);
      if (policies.length >= mostPolicies) {
        throw new ApiError('conflict', {
          message: `An API proxy can have at most ${mostPolicies} policies. Detach one first.`,
        });
      }
      const policy = {
        id: newId('pol'),
        flow,
        kind: kind.kind,
        name: body.name ?? freeName(policies, flow, kind),
        enabled: body.enabled,
        routeIds: body.routeIds,
        templateId: body.templateId ?? null,
        configuration: requireConfiguration(
          kind.kind,
          (await templateConfiguration(transaction, kind.kind, body, null)) ?? kind.defaultConfiguration,
        ),
      };
      refuseTakenName(policies, policy);
      await requireRoutes(transaction, proxyId, policy.routeIds);
      const ordered = policies.toSpliced(insertionIndex(policies, flow, kind.kind), 0, {
        ...policy,
        proxyId,
        version: 1,
        createdAt: '',
        updatedAt: '',
      });
      const illegal = checkOrder(ordered);
      if (illegal !== null) throw fieldError('kind', illegal);
      await store.insertPolicy(
        transaction,
        proxyId,
        policy,
        ordered.map(({ id }) => id),
      );
      const created = found(await store.findPolicy(transaction, proxyId, policy.id));
      return { data: withoutCredentials(created), change: changeOf(null, created) };
    },
    orderPolicies: async ({ params, body }, { transaction }) => {
      const { proxyId } = params;
      const { version } = await lockProxy(transaction, proxyId);
      const policies = await store.allPolicies(transaction, proxyId);
      const present = policies.filter(({ flow }) => flow === body.flow);
      const fault = permutationFault(
        present.map(({ id }) => id),
        body.policyIds,
      );
      if (fault !== null) throw fieldError('policyIds', fault);
      const wanted = body.policyIds.map((id) => found(present.find((policy) => policy.id === id)));
      const illegal = checkOrder(wanted);
      if (illegal !== null) throw fieldError('policyIds', illegal);
      await store.placePolicies(transaction, proxyId, body.policyIds);
      const names = (list: readonly Presented[]) => list.map(({ kind, name }) => `${kind}: ${name}`);
      return {
        data: { policies: wanted.map(withoutCredentials) },
        change: {
          entityId: proxyId,
          before: { version, policyOrder: { [body.flow]: names(present) } },
          after: { policyOrder: { [body.flow]: names(wanted) } },
          note: `Policies of the ${body.flow} flow`,
        },
      };
    },
    getPolicy: async ({ params }, { transaction }) => {
      found(await findProxy(transaction, params.proxyId));
      return withoutCredentials(found(await store.findPolicy(transaction, params.proxyId, params.policyId)));
    },
    updatePolicy: async ({ params, body }, { transaction }) => {
      const { proxyId, policyId } = params;
      await lockProxy(transaction, proxyId);
      const policies = await store.allPolicies(transaction, proxyId);
      const before = found(policies.find(({ id }) => id === policyId));
      const configuration = await templateConfiguration(transaction, before.kind, body, before.configuration);
      const wanted = {
        ...before,
        ...given(body),
        configuration: requireConfiguration(before.kind, configuration ?? before.configuration),
        templateId: configuration === null ? before.templateId : (body.templateId ?? null),
      };
      refuseTakenName(
        policies.filter(({ id }) => id !== policyId),
        wanted,
      );
      if (body.routeIds !== undefined) await requireRoutes(transaction, proxyId, body.routeIds);
      const after = await store.updatePolicy(transaction, wanted);
      return { data: withoutCredentials(after), change: changeOf(before, after) };
    },
    detachPolicy: async ({ params }, { transaction }) => {
      const { proxyId, policyId } = params;
      await lockProxy(transaction, proxyId);
      const before = found(await store.findPolicy(transaction, proxyId, policyId));
      await store.deletePolicy(transaction, proxyId, policyId);
      return { data: {}, change: changeOf(before, null) };
    },
  };
}

/**
 * The submitted configuration with the secrets it keeps from the current one, or the configuration of the template in
 * the request; null if there is neither.
 */
async function templateConfiguration(
  transaction: TenantTransaction,
  kind: string,
  given: { readonly configuration?: Configuration | undefined; readonly templateId?: string | undefined },
  present: Configuration | null,
): Promise<Configuration | null> {
  if (given.templateId === undefined) {
    return given.configuration === undefined ? null : withKeptSecrets(given.configuration, present);
  }
  if (given.configuration !== undefined) {
    throw fieldError('templateId', 'Give either a configuration or a template.');
  }
  const template = await findPolicyTemplate(transaction, given.templateId);
  if (template === null) throw fieldError('templateId', 'Policy template not found.');
  if (template.kind === kind) return template.configuration;
  throw fieldError('templateId', `The template ${template.name} is for ${template.kind} policies, not ${kind}.`);
}

function refuseTakenName(others: readonly Presented[], policy: Pick<Presented, 'flow' | 'kind' | 'name'>): void {
  if (isNameTaken(others, policy))
    throw fieldError('name', `Another ${policy.kind} policy of this flow has this name.`);
}

async function requireRoutes(
  transaction: TenantTransaction,
  proxyId: string,
  routeIds: readonly string[] | null,
): Promise<void> {
  if (routeIds === null) return;
  const routes = await store.routeIdsOf(transaction, proxyId);
  const unknown = routeIds.find((id) => !routes.has(id));
  if (unknown !== undefined) throw fieldError('routeIds', `The API proxy has no route ${unknown}.`);
}

/** The change as the audit trail shows it: with secrets redacted, and noted if only they changed. */
function changeOf(before: Presented | null, after: Presented | null): Change {
  const policy = after ?? before;
  if (policy === null) throw new Error('a change has a before or an after');
  const audited = (entity: Presented | null) =>
    entity === null ? null : { ...entity, configuration: hideWrittenOut(entity.kind, entity.configuration) };
  const first = audited(before);
  const second = audited(after);
  const secretChanged =
    first !== null &&
    second !== null &&
    JSON.stringify(first.configuration) === JSON.stringify(second.configuration) &&
    JSON.stringify(before?.configuration) !== JSON.stringify(after?.configuration);
  const note = `Policy ${policy.flow}/${policy.kind}: ${policy.name}${secretChanged ? ' (a secret was changed)' : ''}`;
  return within('policy', policy.proxyId, first, second, note);
}
