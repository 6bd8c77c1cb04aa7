import { Page } from '@millrace/ui/page';
import { ShownOnce } from '@millrace/ui/shown-once';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteAction, editAction, PermittedActions } from '../../frame/actions.tsx';
import { useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { EditIntegration } from './integration-form.tsx';
import { type Integration, IntegrationMark, kinds } from './kinds.tsx';
import { RotateForm } from './rotate-form.tsx';

const sections = [
  { to: '/integrations/$integrationId', label: 'Overview', permission: 'integration.read' },
  { to: '/integrations/$integrationId/deliveries', label: 'Deliveries', permission: 'integration.read' },
] as const satisfies readonly PermittedSection[];

/** One integration: its header and its sections. */
export function IntegrationScreen() {
  const { integrationId } = useParams({ from: '/shell/integrations/$integrationId' });
  const read = useRead('getIntegration', { params: { integrationId } }, { refetchInterval: 15_000 });
  return (
    <EntityScreen read={read}>
      {(integration) => (
        <Page
          title={integration.name}
          mark={<IntegrationMark {...integration} />}
          description={`${kinds[integration.kind].label}. ${kinds[integration.kind].help}.`}
          crumbs={[{ label: 'Integrations', to: '/integrations' }]}
          actions={<Actions integration={integration} />}
          tabs={
            <PermittedSections label="Sections of the integration" sections={sections} params={{ integrationId }} />
          }
        >
          <Outlet />
        </Page>
      )}
    </EntityScreen>
  );
}

/** A secret that the API just returned, and for which action. */
interface ShownSecret {
  readonly secret: string;
  readonly by: 'rotated' | 'revealed';
}

const explanations: Readonly<Record<ShownSecret['by'], string>> = {
  rotated: 'Give it to the receiver. Until its grace period ends, the previous one signs as well.',
  revealed: 'The audit trail records that you saw it.',
};

function Actions({ integration }: { readonly integration: Integration }) {
  const { id, name, kind, enabled, hasSecret, version } = integration;
  const params = { integrationId: id };
  const navigate = useNavigate();
  const update = useWrite('updateIntegration');
  const reveal = useWrite('revealIntegration');
  const remove = useWrite('deleteIntegration');
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const permission = 'integration.write';
  return (
    <>
      <PermittedActions
        actions={[
          editAction({
            noun: 'integration',
            permission,
            large: true,
            body: (close) => <EditIntegration integration={integration} onCancel={close} onSaved={close} />,
          }),
          {
            label: 'Rotate secret',
            permission,
            inMenu: true,
            hidden: !hasSecret && kind !== 'webhook',
            form: {
              title: `Rotate the secret of ${name}`,
              body: (close) => (
                <RotateForm
                  integration={integration}
                  onCancel={close}
                  onRotated={(secret) => {
                    close();
                    if (secret !== null) setShown({ secret, by: 'rotated' });
                  }}
                />
              ),
            },
          },
          {
            label: 'Reveal secret',
            permission: 'integration.reveal',
            inMenu: true,
            blocked: !hasSecret && 'It has no secret.',
            run: async () => {
              const { secret } = await reveal.mutateAsync({ params });
              if (secret !== null) setShown({ secret, by: 'revealed' });
            },
            done: 'Secret revealed. The audit trail records it.',
            confirm: {
              title: `Reveal the secret of ${name}?`,
              text: 'The audit trail records, at high severity, that you saw it.',
            },
          },
          enabled
            ? {
                label: 'Disable',
                permission,
                run: () => update.mutateAsync({ params, body: { enabled: false }, version }),
                done: `${name} disabled.`,
                confirm: { title: `Disable ${name}?`, text: 'Nothing is sent to it until it is enabled again.' },
              }
            : {
                label: 'Enable',
                permission,
                run: () => update.mutateAsync({ params, body: { enabled: true }, version }),
                done: `${name} enabled.`,
              },
          deleteAction({
            name,
            permission,
            typed: name,
            text: 'Also deletes its deliveries; those still waiting are not sent. Alert rules no longer notify it.',
            run: () => remove.mutateAsync({ params, version }),
            onDone: () => navigate({ to: '/integrations' }),
          }),
        ]}
      />
      {shown && (
        <ShownOnce
          title={shown.by === 'rotated' ? 'New signing secret' : 'Secret'}
          notice="Keep it where only the receiver reads it"
          explanation={explanations[shown.by]}
          secret={shown.secret}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}
