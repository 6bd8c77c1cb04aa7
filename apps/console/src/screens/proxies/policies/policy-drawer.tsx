import { findPolicyKind } from '@millrace/policies';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Loaded } from '@millrace/ui/page';
import { useState } from 'react';
import { useRead, useWrite } from '../../../frame/api.ts';
import { useSession } from '../../../frame/session.tsx';
import { useProxy } from '../proxy-context.tsx';
import { type DiscardQuestion, useDiscardQuestion } from './discard-question.tsx';
import { kindTitle, type Policy } from './flows.ts';
import { bodyOf, PolicyFields, type PolicyValues, type Routes } from './policy-fields.tsx';

/** The form of an attached policy, beside the lanes. */
export function PolicyDrawer(props: {
  readonly policyId: string;
  readonly routes: Routes;
  readonly onClose: () => void;
}) {
  const { policyId, routes, onClose } = props;
  const { proxy } = useProxy();
  const params = { proxyId: proxy.id, policyId };
  const read = useRead('getPolicy', { params });
  const discarding = useDiscardQuestion();
  return (
    <FormDialog title={read.data ? kindTitle(read.data.kind) : 'Policy'} opened onClose={onClose} large>
      <Loaded read={read}>
        {(policy) => (
          <ChangeForm
            key={policy.id}
            policy={policy}
            routes={routes}
            discarding={discarding}
            onClose={onClose}
            onLeave={() => discarding.ask(onClose)}
          />
        )}
      </Loaded>
      {discarding.question}
    </FormDialog>
  );
}

/** The configuration as JSON, for a kind without a form. */
function firstWritten(kind: string, configuration: Readonly<Record<string, unknown>>): string | null {
  return findPolicyKind(kind) === null ? JSON.stringify(configuration, null, 2) : null;
}

function ChangeForm(props: {
  readonly policy: Policy;
  readonly routes: Routes;
  readonly discarding: DiscardQuestion;
  readonly onClose: () => void;
  readonly onLeave: () => void;
}) {
  const { policy, routes, onClose } = props;
  const { can } = useSession();
  const update = useWrite('updatePolicy');
  // The version of the values in the form: a change by somebody else in the meantime is refused, not overwritten.
  const [version] = useState(policy.version);
  const { name, enabled, routeIds, configuration } = policy;
  const written = firstWritten(policy.kind, configuration);
  const form = useForm<PolicyValues>({ name, enabled, routeIds, configuration, written }, async (values) => {
    const params = { proxyId: policy.proxyId, policyId: policy.id };
    await update.mutateAsync({ params, body: bodyOf(values), version });
    showDone(`${values.name} saved.`);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Save" onCancel={props.onLeave} disabled={!can('policy.write')}>
      <PolicyFields form={form} kind={policy.kind} routes={routes} discarding={props.discarding} />
    </FormBody>
  );
}
