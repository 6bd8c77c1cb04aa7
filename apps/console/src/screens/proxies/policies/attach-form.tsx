import type { PolicyFlow, PolicyKind } from '@millrace/policies/kind';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { useWrite } from '../../../frame/api.ts';
import { useProxy } from '../proxy-context.tsx';
import type { DiscardQuestion } from './discard-question.tsx';
import { bodyOf, PolicyFields, type PolicyValues, type Routes } from './policy-fields.tsx';

/** The form of a new policy. */
export function AttachForm(props: {
  readonly flow: PolicyFlow;
  readonly kind: PolicyKind;
  readonly name: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** The template of the configuration; null: none. */
  readonly templateId: string | null;
  readonly routes: Routes;
  readonly discarding: DiscardQuestion;
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const { flow, kind, routes, templateId, onClose } = props;
  const { proxy } = useProxy();
  const attach = useWrite('attachPolicy');
  const form = useForm<PolicyValues>(
    { name: props.name, enabled: true, routeIds: null, configuration: props.configuration, written: null },
    async (values) => {
      const { configuration, ...body } = { ...bodyOf(values), flow, kind: kind.kind };
      // The server copies the secrets of an unchanged template, which it shows to nobody.
      const asInTemplate = JSON.stringify(configuration) === JSON.stringify(props.configuration);
      const made = templateId !== null && asInTemplate ? { templateId } : { configuration };
      await attach.mutateAsync({ params: { proxyId: proxy.id }, body: { ...body, ...made } });
      showDone(`${values.name} attached.`);
      onClose();
    },
  );
  return (
    <FormBody form={form} submitLabel="Attach" onCancel={() => props.discarding.ask(props.onBack)}>
      <PolicyFields form={form} kind={kind.kind} routes={routes} discarding={props.discarding} />
    </FormBody>
  );
}
