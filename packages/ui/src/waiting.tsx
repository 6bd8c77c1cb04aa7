import { Alert, Anchor } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';

/** Says that what was asked for is held until somebody else approves it, and links to it. */
export function WaitingForApproval({ path }: { readonly path: string }) {
  return (
    <Alert color="blue" title="Waiting for approval" role="status">
      Nothing has changed yet: somebody else has to approve it.{' '}
      <Anchor underline="always" renderRoot={(root) => <Link {...root} to={path as LinkProps['to']} />}>
        Show the change
      </Anchor>
    </Alert>
  );
}
