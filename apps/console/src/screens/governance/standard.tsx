import { Stack, Text } from '@mantine/core';
import { Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Properties } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, editAction, PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { SeverityMark } from './severity-mark.tsx';
import { StandardForm } from './standard-form.tsx';

type Standard = DataOf<'getGovernanceStandard'>;

/** One rule of governance. */
export function StandardScreen() {
  const { code } = useParams({ from: '/shell/governance/standards/$code' });
  const read = useRead('getGovernanceStandard', { params: { code } });
  return (
    <EntityScreen read={read}>
      {(standard) => (
        <Page
          title={`${code}: ${standard.name}`}
          mark={<SeverityMark severity={standard.severity} />}
          description={standard.description}
          crumbs={[
            { label: 'Governance', to: '/governance' },
            { label: 'Rules', to: '/governance/standards' },
          ]}
          actions={<Actions standard={standard} />}
        >
          <Stack gap="lg">
            <Properties
              of={{
                Type: standard.kind === 'custom' ? 'Custom' : 'Built-in',
                Blocking: standard.blocking ? 'Yes' : 'No',
                State: standard.enabled ? 'On' : 'Off',
                Findings: (
                  <TextLink to="/governance/findings" search={{ code }} inherit>
                    View findings
                  </TextLink>
                ),
              }}
            />
            {standard.ruleset && (
              <Section title="Spectral ruleset">
                <Text size="xs" component="pre" className="json">
                  {JSON.stringify(standard.ruleset, null, 2)}
                </Text>
              </Section>
            )}
          </Stack>
        </Page>
      )}
    </EntityScreen>
  );
}

function Actions({ standard }: { readonly standard: Standard }) {
  const { code, kind, version } = standard;
  const navigate = useNavigate();
  const remove = useWrite('deleteGovernanceStandard');
  const permission = 'governance.write';
  const edit = editAction({
    noun: 'rule',
    permission,
    large: kind === 'custom',
    body: (close) => <StandardForm standard={standard} onCancel={close} onSaved={close} />,
  });
  const deletion = deleteAction({
    name: code,
    permission,
    typed: code,
    text: 'Its findings are deleted, and its waivers end.',
    run: () => remove.mutateAsync({ params: { code }, version }),
    onDone: () => navigate({ to: '/governance/standards' }),
  });
  return <PermittedActions actions={kind === 'custom' ? [edit, deletion] : [edit]} />;
}
