import { Alert, Anchor } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';

/** A change that waits for another person's approval, with a link to it. */
export function WaitingForApproval({ path }: { readonly path: string }) {
  return (
    <Alert color="blue" title="Waiting for approval" role="status">
      Nothing has changed yet. Another person has to approve it.{' '}
      <Anchor underline="always" renderRoot={(root) => <Link {...root} to={path as LinkProps['to']} />}>
        Show the change
      </Anchor>
    </Alert>
  );
}
