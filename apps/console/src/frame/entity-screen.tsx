import { Anchor, Group, Text } from '@mantine/core';
import { Failure, Loaded, Page } from '@millrace/ui/page';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ResponseError } from './api.ts';

/** The screen of one entity. Where the entity cannot be shown, a screen that says so, with ways on. */
export function EntityScreen<Data>(props: {
  readonly read: { readonly data: Data | undefined; readonly error: Error | null };
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, error } = props.read;
  if (data !== undefined || error === null) return <Loaded {...props} />;
  const missing = error instanceof ResponseError && error.status === 404;
  return (
    <Page title={missing ? 'Not found' : 'This cannot be shown'}>
      {missing ? (
        <Text mb="md">Nothing has this address. It may have been deleted, or be another organization’s.</Text>
      ) : (
        <Failure error={error} />
      )}
      <WaysOn />
    </Page>
  );
}

/** The address of an entity begins with that of the list it is in. */
function WaysOn() {
  const list = useLocation({ select: ({ pathname }) => `/${pathname.split('/')[1]}` });
  return (
    <Group mt="md">
      <Anchor renderRoot={(root) => <Link {...root} to={list as LinkProps['to']} />}>Go to the list</Anchor>
      <Anchor renderRoot={(root) => <Link {...root} to="/" />}>Go to the overview</Anchor>
    </Group>
  );
}
