import { hideWrittenOut } from '@millrace/policies/secrets';
import type * as z from 'zod';
import { found } from '../../../frame/errors.ts';
import { given } from '../../../frame/given.ts';
import type { Handlers } from '../../../frame/handler.ts';
import { requireConfiguration, requireKind, withKeptSecrets, withoutCredentials } from '../rules.ts';
import type { PolicyTemplate, policyTemplateOperations } from './contract.ts';
import * as store from './store.ts';

export function policyTemplateHandlers(): Handlers<typeof policyTemplateOperations> {
  return {
    listPolicyTemplates: async ({ query }, { transaction }) => {
      const { policyTemplates, total } = await store.listPolicyTemplates(transaction, query);
      return { policyTemplates: policyTemplates.map(withoutCredentials), total };
    },
    createPolicyTemplate: async ({ body }, { transaction }) => {
      const configuration = requireConfiguration(
        requireKind(body.kind).kind,
        withKeptSecrets(body.configuration, null),
      );
      const created = await store.insertPolicyTemplate(transaction, { ...body, configuration });
      return {
        data: withoutCredentials(created),
        change: { entityId: created.id, before: null, after: audited(created) },
      };
    },
    getPolicyTemplate: async ({ params }, { transaction }) =>
      withoutCredentials(found(await store.findPolicyTemplate(transaction, params.templateId))),
    updatePolicyTemplate: async ({ params, body }, { transaction }) => {
      const before = found(await store.findPolicyTemplate(transaction, params.templateId, { lock: true }));
      const configuration = requireConfiguration(
        before.kind,
        body.configuration === undefined
          ? before.configuration
          : withKeptSecrets(body.configuration, before.configuration),
      );
      const after = await store.updatePolicyTemplate(transaction, { ...before, ...given(body), configuration });
      return {
        data: withoutCredentials(after),
        change: { entityId: after.id, before: audited(before), after: audited(after) },
      };
    },
    deletePolicyTemplate: async ({ params }, { transaction }) => {
      const before = found(await store.findPolicyTemplate(transaction, params.templateId, { lock: true }));
      await store.deletePolicyTemplate(transaction, before.id);
      return { data: {}, change: { entityId: before.id, before: audited(before), after: null } };
    },
  };
}

function audited(template: z.infer<typeof PolicyTemplate>) {
  return { ...template, configuration: hideWrittenOut(template.kind, template.configuration) };
}
