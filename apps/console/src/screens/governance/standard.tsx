import { Anchor, Card, Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { Page } from '@millrace/ui/page';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { SeverityMark } from './severity-mark.tsx';
import { StandardForm } from './standard-form.tsx';

/** One rule of governance. */
export function StandardScreen() {
  const { code } = useParams({ from: '/shell/governance/standards/$code' });
  const read = useRead('getGovernanceStandard', { params: { code } });
  return <EntityScreen read={read}>{(data) => <Shown standard={data} />}</EntityScreen>;
}

function Shown({ standard }: { readonly standard: DataOf<'getGovernanceStandard'> }) {
  const { code, name, description, kind, severity, version } = standard;
  const navigate = useNavigate();
  const remove = useWrite('deleteGovernanceStandard');
  const [deleting, setDeleting] = useState(false);
  return (
    <Page
      title={`${code}: ${name}`}
      mark={<SeverityMark severity={severity} />}
      description={description}
      crumbs={[
        { label: 'Governance', to: '/governance' },
        { label: 'Rules', to: '/governance/standards' },
      ]}
      actions={
        kind === 'custom' ? (
          <PermittedButton
            variant="default"
            c="var(--mantine-color-error)"
            permission="governance.write"
            onClick={() => setDeleting(true)}
          >
            Delete
          </PermittedButton>
        ) : undefined
      }
    >
      <Text mb="md">
        <Anchor renderRoot={(root) => <Link {...root} to="/governance/findings" search={{ code }} />}>
          See its findings
        </Anchor>
      </Text>
      <Card withBorder maw={720}>
        <StandardForm key={version} standard={standard} onSaved={() => undefined} />
      </Card>
      {deleting && (
        <Confirm
          title={`Delete ${code}`}
          action="Delete"
          typed={code}
          done={`${code} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params: { code }, version })}
          onDone={() => navigate({ to: '/governance/standards' })}
          onClose={() => setDeleting(false)}
        >
          Its findings go, and its waivers end.
        </Confirm>
      )}
    </Page>
  );
}
