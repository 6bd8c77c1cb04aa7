import { Anchor } from '@mantine/core';
import { Page } from '@millrace/ui/page';
import { Link } from '@tanstack/react-router';
import { texts } from './texts.ts';

/** For an address that no screen has. */
export function NotFound() {
  return (
    <Page title={texts.notFound.title}>
      <Anchor renderRoot={(root) => <Link {...root} to="/account" />}>{texts.notFound.link}</Anchor>
    </Page>
  );
}
