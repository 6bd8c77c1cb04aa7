import type * as z from 'zod';
import { found } from '../../../frame/errors.ts';
import { given } from '../../../frame/given.ts';
import type { Handlers } from '../../../frame/handler.ts';
import { requireConfiguration, requireKind, withoutSecrets } from '../rules.ts';
import type { PolicyTemplate, policyTemplateOperations } from './contract.ts';
import * as store from './store.ts';

export function policyTemplateHandlers(): Handlers<typeof policyTemplateOperations> {
  return {
    listPolicyTemplates: ({ query }, { transaction }) => store.listPolicyTemplates(transaction, query),
    createPolicyTemplate: async ({ body }, { transaction }) => {
      const configuration = requireConfiguration(requireKind(body.kind).kind, body.configuration);
      const created = await store.insertPolicyTemplate(transaction, { ...body, configuration });
      return { data: created, change: { entityId: created.id, before: null, after: audited(created) } };
    },
    getPolicyTemplate: async ({ params }, { transaction }) =>
      found(await store.findPolicyTemplate(transaction, params.templateId)),
    updatePolicyTemplate: async ({ params, body }, { transaction }) => {
      const before = found(await store.findPolicyTemplate(transaction, params.templateId, { lock: true }));
      const configuration = requireConfiguration(before.kind, body.configuration ?? before.configuration);
      const after = await store.updatePolicyTemplate(transaction, { ...before, ...given(body), configuration });
      return { data: after, change: { entityId: after.id, before: audited(before), after: audited(after) } };
    },
    deletePolicyTemplate: async ({ params }, { transaction }) => {
      const before = found(await store.findPolicyTemplate(transaction, params.templateId, { lock: true }));
      await store.deletePolicyTemplate(transaction, before.id);
      return { data: {}, change: { entityId: before.id, before: audited(before), after: null } };
    },
  };
}

function audited(template: z.infer<typeof PolicyTemplate>) {
  return { ...template, configuration: withoutSecrets(template.kind, template.configuration) };
}
